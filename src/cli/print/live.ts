/**
 * Shows a plan while it runs: redrawn in place on a terminal; in a file, a line for each task that ends and for
 * every new reason to wait. Events say what happens; why something waits is read from the plan's status now and then.
 */
import { setTimeout as wait } from "node:timers/promises";
import { Failure } from "../../platform/errors/failure.ts";
import { printLines, type Cli, type Output } from "../context.ts";
import { followPlan, readPlanStatus } from "../client/plan-events.ts";
import { isPassing, type Server } from "../client/http.ts";
import type { PlanEvent, PlanStatus } from "../client/wire.ts";
import { applyEvent, applyWaiting, hasFinished, startProgress, type PlanProgress } from "./plan-progress.ts";
import { planWaitingLines, progressLines, singleLine, type ViewOptions } from "./plan-view.ts";

export interface WatchOptions {
  server: Server;
  token: string;
  output: Output;
  indent?: number;
  /** In a file: also tasks that begin. */
  hasEveryChange?: boolean;
}

const redrawMs = 100;
/** Between two looks at what waits. A status of thousands of tasks takes long, and then it is read less often. */
const waitingMs = 1_000;
const waitingShare = 10;

/** Watches a plan to its end and returns how it ended. */
export async function watchPlan(cli: Cli, options: WatchOptions): Promise<PlanProgress> {
  const { server, token, output } = options;
  const status = await readPlanStatus(server, token);
  const progress = startProgress(token, status.dag);
  const watch: Watch = { ...options, events: followPlan(server, token), progress };
  // In a file, a plan that was started just now is given a moment: that it waits for a worker is no news yet.
  if (output.isTty || options.hasEveryChange) noteWaiting(cli, watch, status);
  const ended = new AbortController();
  const looking = lookForWaiting(cli, watch, ended.signal);
  try {
    if (output.isTty) await draw(cli, watch);
    else await print(cli, watch);
  } finally {
    ended.abort();
    await looking;
  }
  return progress;
}

type Watch = WatchOptions & { events: AsyncGenerator<PlanEvent>; progress: PlanProgress };

/** Until the watching ends. What cannot be read now is read the next time; the events say whether the server is gone for good. */
async function lookForWaiting(cli: Cli, watch: Watch, signal: AbortSignal): Promise<void> {
  const { server, token } = watch;
  const own: Server = { ...server, signal: AbortSignal.any([server.signal, signal]) };
  for (let pauseMs = waitingMs; ;) {
    const before = cli.now();
    try {
      await wait(pauseMs, undefined, { signal: own.signal });
      noteWaiting(cli, watch, await readPlanStatus(own, token));
    } catch (error) {
      if (own.signal.aborted || !(error instanceof Failure && isPassing(error))) return;
    }
    pauseMs = Math.max(waitingMs, (cli.now() - before - pauseMs) * waitingShare);
  }
}

/** Takes the reasons over, and in a file prints those that are new. */
function noteWaiting(cli: Cli, { output, progress, indent = 0 }: Watch, { dag }: PlanStatus): void {
  const { tasks, isPlan } = applyWaiting(progress, dag);
  if (output.isTty) return;
  const view = { styles: output.styles, nowMs: cli.now(), indent };
  const lines = [
    ...(isPlan ? planWaitingLines(progress, view) : []),
    ...tasks.map((task) => singleLine(progress, task, view)),
  ];
  printLines(output, lines);
}

async function print(
  cli: Cli,
  { events, progress, output, hasEveryChange, indent = 0 }: Watch,
): Promise<void> {
  for await (const event of events) {
    const changed = applyEvent(progress, event, cli.now());
    if (changed && (hasEveryChange || hasFinished(changed))) {
      const view = { styles: output.styles, nowMs: cli.now(), indent };
      output.write(`${singleLine(progress, changed, view)}\n`);
    }
  }
}

async function draw(cli: Cli, { events, progress, output, indent = 0 }: Watch): Promise<void> {
  let height = 0;
  const redraw = (): void => {
    const view: ViewOptions = { styles: output.styles, nowMs: cli.now(), indent, size: output.size() };
    const lines = [...planWaitingLines(progress, view), ...progressLines(progress, view)];
    output.write(frame(lines, height));
    height = lines.length;
  };
  output.write(hideCursor);
  redraw();
  const timer = setInterval(redraw, redrawMs);
  try {
    for await (const event of events) applyEvent(progress, event, cli.now());
  } finally {
    clearInterval(timer);
    redraw();
    output.write(showCursor);
  }
}

export const hideCursor = "\u001B[?25l";
export const showCursor = "\u001B[?25h";

/** Writes the lines over the `height` lines that were drawn before; each line is cleared as it is written. */
export const frame = (lines: readonly string[], height: number): string =>
  `${height > 0 ? `\u001B[${height}A` : ""}${lines.map((line) => `\r${line}\u001B[K\n`).join("")}\u001B[J`;
