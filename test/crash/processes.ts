/** The product as processes of their own: started by its command line, killed without warning, started again. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Connection } from "../../src/platform/db/database.ts";

const root = resolve(import.meta.dirname, "../..");

export interface Child {
  process: ChildProcess;
  /** Resolves with the first value that `read` returns for a line of its output; rejects when it exits. */
  waitForLine<T>(read: (line: Record<string, unknown>) => T | undefined): Promise<T>;
  /** Resolves when it is gone. */
  gone: Promise<void>;
}

export interface ChildOptions {
  cwd: string;
  env: Record<string, string>;
  /** Receives all its output, for the analysis of failures. */
  logFile?: string;
}

/** Lines in memory for `waitForLine`; the awaited lines come at the start of a process. */
const maxLines = 10_000;

export function startChild(script: string, args: string[], options: ChildOptions): Child {
  const child = spawn(process.execPath, [resolve(root, script), ...args], {
    cwd: options.cwd,
    env: { ...inherited(), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  let errors = "";
  if (options.logFile !== undefined) {
    const log = createWriteStream(options.logFile, { flags: "a" });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
  }
  child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (lines.length < maxLines) lines.push(parse(line));
    for (const listener of listeners) listener();
  });
  const gone = once(child, "exit").then(() => undefined);
  return {
    process: child,
    gone,
    waitForLine: (read) =>
      new Promise((done, fail) => {
        const look = (): void => {
          for (const line of lines) {
            const found = read(line);
            if (found === undefined) continue;
            listeners.delete(look);
            return done(found);
          }
        };
        listeners.add(look);
        void gone.then(() => fail(new Error(`${script} ${args.join(" ")} has ended. ${errors}`)));
        look();
      }),
  };
}

/** Programs that run from their sources share Node's compile cache. */
function inherited(): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE: compiled } = process.env;
  return { PATH, ...(compiled && { NODE_COMPILE_CACHE: compiled }) };
}

export const databaseVariables = (connection: Connection): Record<string, string> => ({
  COORDINATOR_DB_HOST: connection.host,
  COORDINATOR_DB_PORT: String(connection.port),
  COORDINATOR_DB_USERNAME: connection.user,
  COORDINATOR_DB_PASSWORD: connection.password,
  COORDINATOR_DB_DBNAME: connection.dbname,
  COORDINATOR_DB_SCHEMA: connection.schema,
});

export interface Worker {
  child: Child;
  /** Known once it takes plans. */
  id: string | null;
  /** When it was started, in ms since the epoch. */
  startedAt: number;
  /** From its start until it took plans; null when it ended before. */
  bootMs: number | null;
}

/** The product from its sources. */
export const sourceProgram = "src/cli/main.ts";

/** The product as tests start it: the build of the run, from the sources outside of one (test/support/built-program.ts). */
export const productProgram = (): string => process.env["PLINTH_PROGRAM"] ?? sourceProgram;

/** The callers of a harness are many at once, on a machine that does other things: none is refused for that. */
const wideAdmission = {
  PLINTH_SERVER_ADMISSION_QUEUE_MS: "60000",
  PLINTH_SERVER_ADMISSION_QUEUED_REQUESTS: "10000",
};

/** A process that serves on a free port; `servedUrl` says where, once it does. */
export const startServer = (options: ChildOptions, args: string[] = [], program = productProgram()): Child =>
  startChild(program, ["start", ...args, "--port", "0"], {
    ...options,
    env: { ...wideAdmission, ...options.env },
  });

export const servedUrl = (server: Child): Promise<string> =>
  server.waitForLine(({ url }) => (typeof url === "string" ? url : undefined));

/** The mock adapter as a process; `mockUrl` says where it listens. */
export const startMock = (options: ChildOptions, journalFile: string): Child =>
  startChild("src/adapters/mock/main.ts", ["--journal-file", journalFile], options);

export const mockUrl = (mock: Child): Promise<string> =>
  mock.waitForLine(({ listening }) => (typeof listening === "string" ? listening : undefined));

export function startWorker(options: ChildOptions, program = productProgram()): Worker {
  const child = startChild(program, ["start", "--workers", "only"], options);
  const worker: Worker = { child, id: null, startedAt: Date.now(), bootMs: null };
  const from = performance.now();
  child
    .waitForLine(({ workerId }) => (typeof workerId === "string" ? workerId : undefined))
    .then((id) => Object.assign(worker, { id, bootMs: performance.now() - from }))
    // It may be killed before it prints the line.
    .catch(() => undefined);
  return worker;
}

/** Resolves when it is gone. */
export async function killChild(child: Child): Promise<void> {
  child.process.kill("SIGKILL");
  await child.gone;
}

/** Stops it with SIGTERM, and with SIGKILL after the limit. */
export async function stopChild(child: Child, waitLimitMs = 10_000): Promise<void> {
  child.process.kill("SIGTERM");
  const timer = setTimeout(() => child.process.kill("SIGKILL"), waitLimitMs);
  await child.gone;
  clearTimeout(timer);
}

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return { line };
  }
}
