/**
 * For the tests of the command line: a context that records the output, and a small server with prepared
 * responses.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Cli, Output } from "./context.ts";
import { stylesFor } from "./print/colors.ts";
import { runCli } from "./program.ts";

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
  signal?: AbortSignal;
  /** The user's answers, one after the other; then the input ends. */
  answer?: (question: string) => string | null;
}

/** Runs one command line in this process. */
export async function run(args: string[], options: RunOptions = {}): Promise<Ran> {
  return runWith(args, options, recordingOutput());
}

/** The same with a terminal of that size as standard output. */
export async function runOnTerminal(
  args: string[],
  size: { columns: number; rows: number },
  options: RunOptions = {},
): Promise<Ran> {
  return runWith(args, options, { ...recordingOutput(), isTty: true, size: () => size });
}

async function runWith(args: string[], options: RunOptions, out: RecordingOutput): Promise<Ran> {
  const err = recordingOutput();
  const cli: Cli = {
    ...silentCli(),
    out,
    err,
    env: options.env ?? {},
    cwd: options.cwd ?? import.meta.dirname,
    signal: options.signal ?? new AbortController().signal,
    readInput: async () => options.input ?? "",
    ask: async (question) => options.answer?.(question) ?? null,
  };
  const code = await runCli(args, cli);
  return { code, out: out.text(), err: err.text() };
}

/** A context whose output nobody reads. */
export const silentCli = (): Cli => ({
  out: recordingOutput(),
  err: recordingOutput(),
  env: {},
  cwd: import.meta.dirname,
  signal: new AbortController().signal,
  now: () => performance.now(),
  readInput: async () => "",
  ask: async () => null,
  onForce: () => () => undefined,
  onHangup: () => undefined,
  endWithin: () => undefined,
});

type RecordingOutput = Output & { text: () => string };

function recordingOutput(): RecordingOutput {
  let printed = "";
  return {
    write: (text) => void (printed += text),
    drained: () => Promise.resolve(),
    text: () => printed,
    isTty: false,
    styles: stylesFor(false),
    size: () => undefined,
  };
}

export interface Received {
  method: string;
  /** The path with its query. */
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Played {
  status?: number;
  body?: unknown;
  /** Instead of a body: as it stands. */
  text?: string;
  headers?: Record<string, string>;
  /** The connection ends after the text, however much was announced. */
  isCut?: boolean;
  /** Instead of a body: events, after which the connection ends, or breaks with `breaks`. */
  events?: { id: number; type: string; data: unknown }[];
  breaks?: boolean;
}

/** Responses by `METHOD /path`, of a list one for each call; anything else is a 404. Or the response to a path with its query. */
export async function playServer(answers: Record<string, Played | Played[]> | ((path: string) => Played)) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const { method = "", url = "", headers } = request;
      received.push({ method, path: url, headers, body: bytes.toString("latin1") });
      const found = typeof answers === "function" ? answers(url) : answers[`${method} ${url.split("?")[0]}`];
      const answer = (Array.isArray(found) ? found.shift() : found) ?? { status: 404, body: notThere };
      if (answer.events) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": hello\n\n");
        for (const { id, type, data } of answer.events) {
          response.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
        }
        if (answer.breaks) setTimeout(() => response.destroy(), 20);
        else response.end();
        return;
      }
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
      const text = answer.text ?? JSON.stringify(answer.body);
      if (answer.isCut) response.write(text, () => setTimeout(() => response.destroy(), 20));
      else response.end(text);
    });
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((gone) => server.close(gone));
  };
  return { url, received, [Symbol.asyncDispose]: close };
}

const notThere = {
  errors: ["/x: nothing is there"],
  code: "PLATFORM_NOT_FOUND",
  userMessage: "Nothing is found.",
  input: "",
  inputErrorField: "",
  moreInfo: { problems: [], solutions: ["Look elsewhere."] },
};
