/**
 * The context passed to a handler of a module, built from what the server sent; its functions send messages
 * back.
 */
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { FromModule, RemoteStep, Severity, ToModule } from "./messages.ts";

export interface ModuleContext {
  /** The argument of the handler. */
  context: object;
  /** Handles messages of the server that arrive while the handler runs. */
  onMessage: (message: ToModule) => void;
}

interface Pending {
  work: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

export function moduleContext(step: RemoteStep, send: (message: FromModule) => void): ModuleContext {
  const stop = new AbortController();
  const pending = new Map<number, Pending>();
  let next = 1;

  const say = (severity: Severity) => (message: unknown) =>
    send({ kind: "log", severity, message: textOf(message) });
  const logger = {
    debug: say("DEBUG"),
    info: say("INFO"),
    warn: say("WARNING"),
    error: say("ERROR"),
    child: (): object => logger,
  };
  const logStream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      say("INFO")(chunk.toString("utf8").trimEnd());
      done();
    },
  });

  /** Supports both forms: `(key, work)` and `({key, fn})`. */
  const checkpoint = (first: unknown, second?: unknown): Promise<unknown> => {
    const options =
      typeof first === "object" && first !== null ? (first as { key?: unknown; fn?: unknown }) : null;
    const key = options === null ? first : options.key;
    const work = options === null ? second : options.fn;
    if (typeof key !== "string" || typeof work !== "function")
      return Promise.reject(new TypeError("checkpoint needs a key and a function"));
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const number = next++;
    pending.set(number, { work: work as () => Promise<unknown>, resolve, reject });
    send({ kind: "checkpoint", number, key });
    return promise;
  };

  const doWork = async (number: number): Promise<void> => {
    try {
      send({ kind: "worked", number, value: await pending.get(number)?.work() });
    } catch (error) {
      send({ kind: "workFailed", number, message: textOf(error) });
    }
  };

  const context = {
    input: step.input,
    workspacePath: step.workspace,
    logger,
    logStream,
    output: (name: string, value: unknown) => send({ kind: "output", name, value }),
    checkpoint,
    createTemporaryDirectory: () => mkdtemp(join(step.temporary, "step-")),
    secrets: step.secrets,
    getInitiatorCredentials: async () => ({
      $$type: "@backstage/BackstageCredentials",
      principal: { type: "user", userEntityRef: step.user },
    }),
    task: { id: step.taskId },
    step: { id: step.stepId, name: step.stepId },
    user: { ref: step.user },
    templateInfo: step.template,
    isDryRun: step.isDryRun,
    signal: stop.signal,
  };

  return {
    context,
    onMessage(message) {
      if (message.kind === "cancel") stop.abort(new Error(message.reason));
      if (message.kind === "work") void doWork(message.number);
      if (message.kind === "checkpoint") pending.get(message.number)?.resolve(message.value);
      if (message.kind === "checkpointFailed")
        pending.get(message.number)?.reject(new Error(message.message));
    },
  };
}

export const textOf = (value: unknown): string => {
  if (value instanceof Error) return value.message;
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
};
