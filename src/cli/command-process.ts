/** `plinth` as a process: its streams, its signals, its exit code. */
import { closeSync, openSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { dropMemoryVariables, environmentFromProcess } from "../platform/config/environment.ts";
import { toOutput, type Cli } from "./context.ts";
import { exitCodes } from "./exit-codes.ts";
import { killDescendants } from "./leftovers.ts";
import { showCursor } from "./print/live.ts";
import { runCli } from "./program.ts";

/**
 * A signal often arrives twice, from the terminal and from the parent; a second one within this time does not
 * force the end.
 */
const echoMs = 500;

dropMemoryVariables();
const env = environmentFromProcess();
const interrupt = new AbortController();
const toForce = new Set<() => void>();
const hangups = new Set<() => void>();
let lines: NodeJS.AsyncIterator<string> | undefined;

const cli: Cli = {
  out: toOutput(process.stdout, env),
  err: toOutput(process.stderr, env),
  env,
  cwd: process.cwd(),
  signal: interrupt.signal,
  now: () => performance.now(),
  readInput: () => text(process.stdin),
  async ask(question) {
    cli.err.write(question);
    // `terminal: false`, so that Ctrl-C stays a signal; one reader for all questions, so that no line of a
    // pipe is lost.
    lines ??= createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
    const stopped = new Promise<null>((done) =>
      interrupt.signal.addEventListener("abort", () => done(null), { once: true }),
    );
    const next = await Promise.race([lines.next(), stopped]);
    return next === null || next.done === true ? null : next.value;
  },
  onForce(act) {
    toForce.add(act);
    return () => toForce.delete(act);
  },
  onHangup(act) {
    hangups.add(act);
  },
  endWithin(ms, reason) {
    const end = (): void => {
      if (reason !== undefined) cli.err.write(`error: ${reason()}\n`);
      const code = process.exitCode ?? exitCodes.refused.code;
      endAtOnce(Number(code));
    };
    // The timer does not keep the process alive.
    setTimeout(end, ms).unref();
  },
};

function endAtOnce(code: number): never {
  killDescendants();
  for (const act of toForce) act();
  if (cli.out.isTty) cli.out.write(showCursor);
  process.exit(code);
}

let interruptedAt = 0;
function interruptOrEnd(): void {
  if (!interrupt.signal.aborted) {
    interruptedAt = performance.now();
    interrupt.abort();
  } else if (performance.now() - interruptedAt > echoMs) endAtOnce(exitCodes.interrupted.code);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interruptOrEnd);
// A server reads its configuration again, unless the signal says that its terminal is gone.
process.on("SIGHUP", () => {
  if (process.argv[2] !== "start" || hasLostTerminal()) return interruptOrEnd();
  for (const act of hangups) act();
});

/** Whether it writes to a terminal that was closed: then nothing opens as the process's own terminal any more. */
function hasLostTerminal(): boolean {
  if (!cli.out.isTty) return false;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return false;
  } catch {
    return true;
  }
}

const outputLost = new Error("Standard output cannot be written.");
process.stdout.on("error", ({ code: cause }: NodeJS.ErrnoException) => {
  // A reader that closes its pipe early, as `head` does, ends the command; that is not a defect.
  if (cause === "EPIPE" || interrupt.signal.aborted) return interrupt.abort();
  process.exitCode = exitCodes.refused.code;
  cli.err.write(`error: ${outputLost.message} What was written is not whole (${cause}).\n`);
  interrupt.abort(outputLost);
});
process.stderr.on("error", () => interrupt.abort());
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    cli.err.write(`error: This is a defect: ${error instanceof Error ? error.message : String(error)}\n`);
    endAtOnce(exitCodes.refused.code);
  });
}

const code = await runCli(process.argv.slice(2), cli);
process.exitCode = interrupt.signal.reason === outputLost ? exitCodes.refused.code : code;
// An open standard input would keep the process alive.
if (lines !== undefined) process.stdin.destroy();
