/** Shows a plan while it runs: redrawn in place on a terminal; in a file, a line for each task that ends. */
import type { Cli, Output } from "../context.ts";
import { followPlan } from "../client/plan-events.ts";
import { callServer, type Server } from "../client/http.ts";
import type { PlanEvent, PlanStatus } from "../client/wire.ts";
import { applyEvent, hasFinished, startProgress, type PlanProgress } from "./plan-progress.ts";
import { progressLines, singleLine, type ViewOptions } from "./plan-view.ts";

export interface WatchOptions {
  server: Server;
  token: string;
  output: Output;
  indent?: number;
}

const redrawMs = 100;

/** Watches a plan to its end and returns how it ended. */
export async function watchPlan(cli: Cli, options: WatchOptions): Promise<PlanProgress> {
  const { server, token, output } = options;
  const path = `/api/coordinator/v1/execution-plans/${encodeURIComponent(token)}/status`;
  const { body } = await callServer<PlanStatus>(server, { method: "GET", path });
  const progress = startProgress(token, body.dag);
  const events = followPlan(server, token);
  if (output.isTty) await draw(cli, { events, progress, ...options });
  else await print(cli, { events, progress, ...options });
  return progress;
}

type Watch = WatchOptions & { events: AsyncGenerator<PlanEvent>; progress: PlanProgress };

async function print(cli: Cli, { events, progress, output, indent = 0 }: Watch): Promise<void> {
  for await (const event of events) {
    const changed = applyEvent(progress, event, cli.now());
    if (changed && hasFinished(changed)) {
      const view = { styles: output.styles, nowMs: cli.now(), indent };
      output.write(`${singleLine(progress, changed, view)}\n`);
    }
  }
}

async function draw(cli: Cli, { events, progress, output, indent = 0 }: Watch): Promise<void> {
  let height = 0;
  const redraw = (): void => {
    const view: ViewOptions = { styles: output.styles, nowMs: cli.now(), indent, size: output.size() };
    const lines = progressLines(progress, view);
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
