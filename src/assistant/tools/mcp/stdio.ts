/** MCP servers that are local programs: each is a process group that ends with this process. */
import { spawn, type ChildProcess } from "node:child_process";
import { type Stream, Writable } from "node:stream";
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import type { Mask } from "../../../platform/lib/secrets/mask.ts";

export interface ProgramOptions {
  command: string;
  args: readonly string[];
  cwd: string | undefined;
  env: Readonly<Record<string, string>>;
  maxMessageBytes: number;
  /** Masks secrets in what the program writes. */
  mask: Mask;
  /** A line that the program has written to its standard error. */
  onLine: (line: string) => void;
}

/**
 * Starts the program in a group of its own, and a reader of the fourth pipe beside it: the pipe ends with this process, even
 * a killed one, and then the group is killed with all that the program has started.
 */
const guarded = '(cat <&3 >/dev/null; kill -9 -$$) & exec "$@" 3<&-';

const graceMs = 2_000;

export function createProgram(
  options: ProgramOptions,
): Transport & { stderr: Stream | null; pid: number | null } {
  let child: ChildProcess | null = null;
  let isClosed = false;
  const onExit = (): void => killGroup(child);
  const transport: Transport & { stderr: Stream | null; pid: number | null } = {
    // The SDK recognises programs by these two fields.
    stderr: null,
    pid: null,
    start: async () => {
      child = spawnGuarded(options);
      await spawned(child);
      // `close` was called before the program had started.
      if (isClosed) {
        killGroup(child);
        throw new Error("The program is not wanted any more.");
      }
      transport.pid = child.pid ?? null;
      process.once("exit", onExit);
      readMessages(child, options, transport, fail);
      readLines(child, (line) => options.onLine(options.mask.text(line)));
      child.once("exit", () => {
        killGroup(child);
        end();
      });
      child.on("error", fail);
      for (const stream of child.stdio) stream?.on("error", () => undefined);
    },
    send: async (message) => {
      const { stdin } = child ?? {};
      if (isClosed || !(stdin instanceof Writable)) throw new Error("The program has ended.");
      if (!stdin.write(serializeMessage(message)))
        await Promise.race([once(stdin, "drain"), once(stdin, "close")]);
    },
    close: async () => {
      const closing = child;
      end();
      if (closing === null || closing.exitCode !== null || closing.signalCode !== null) return;
      const gone = once(closing, "exit");
      closing.stdin?.end();
      const timer = setTimeout(() => killGroup(closing), graceMs);
      await gone;
      clearTimeout(timer);
      killGroup(closing);
    },
  };
  const end = (): void => {
    if (isClosed) return;
    isClosed = true;
    process.off("exit", onExit);
    transport.onclose?.();
  };
  const fail = (error: Error): void => {
    if (isClosed) return;
    transport.onerror?.(error);
    killGroup(child);
    end();
  };
  return transport;
}

const once = (emitter: NodeJS.EventEmitter, event: string): Promise<void> =>
  new Promise((done) => emitter.once(event, () => done()));

function spawnGuarded({ command, args, cwd, env }: ProgramOptions): ChildProcess {
  return spawn("/bin/sh", ["-c", guarded, "sh", command, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...getDefaultEnvironment(), ...env },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
  });
}

const spawned = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });

/** Kills the program with all that it has started. */
function killGroup(child: ChildProcess | null): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone.
  }
}

function readMessages(
  child: ChildProcess,
  { maxMessageBytes, mask }: ProgramOptions,
  transport: Transport,
  fail: (error: Error) => void,
): void {
  let parts: Buffer[] = [];
  let size = 0;
  const take = (line: string): void => {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(mask.text(line));
    } catch {
      // Some programs print log lines to their standard output.
      return transport.onerror?.(new Error("A line of the program is not a message."));
    }
    transport.onmessage?.(message);
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, at));
      take(Buffer.concat(parts).toString("utf8"));
      parts = [];
      size = 0;
      from = at + 1;
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxMessageBytes) fail(new Error(`A message is longer than ${maxMessageBytes} bytes.`));
  });
}

const longestLine = 500;
const maxLines = 200;

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  let rest = "";
  let lines = 0;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    const all = (rest + text).split("\n");
    rest = (all.pop() ?? "").slice(0, longestLine);
    for (const line of all) if (line.trim() !== "" && lines++ < maxLines) onLine(line.slice(0, longestLine));
  });
}
