/** `plinth` as a process: its streams, its signals, its exit code. */
import { text } from "node:stream/consumers";
import { environmentFromProcess } from "../platform/config/environment.ts";
import { toOutput, type Cli } from "./context.ts";
import { exitCodes } from "./exit-codes.ts";
import { killDescendants } from "./leftovers.ts";
import { showCursor } from "./progress/live.ts";
import { runCli } from "./program.ts";

/** A signal often arrives twice, from the terminal and from the parent; only a later one means impatience. */
const echoMs = 500;

const env = environmentFromProcess();
const interrupt = new AbortController();
const toForce = new Set<() => void>();

const cli: Cli = {
  out: toOutput(process.stdout, env),
  err: toOutput(process.stderr, env),
  env,
  cwd: process.cwd(),
  signal: interrupt.signal,
  now: () => performance.now(),
  readInput: () => text(process.stdin),
  onForce(act) {
    toForce.add(act);
    return () => toForce.delete(act);
  },
};

function endAtOnce(code: number): never {
  killDescendants();
  for (const act of toForce) act();
  if (cli.out.isTty) cli.out.write(showCursor);
  process.exit(code);
}

let interruptedAt = 0;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    if (!interrupt.signal.aborted) {
      interruptedAt = performance.now();
      interrupt.abort();
    } else if (performance.now() - interruptedAt > echoMs) endAtOnce(exitCodes.interrupted.code);
  });
}
// A reader that has left, as `head` does, wants no more; that is no defect.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => interrupt.abort());
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error: unknown) => {
    cli.err.write(`error: This is a defect: ${error instanceof Error ? error.message : String(error)}\n`);
    endAtOnce(exitCodes.refused.code);
  });
}

process.exitCode = await runCli(process.argv.slice(2), cli);
