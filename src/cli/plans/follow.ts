/** After a plan has started: follows it to its end, streams its events, or detaches. */
import type { Server } from "../client/http.ts";
import { followPlan } from "../client/plan-events.ts";
import { printJsonLine, printLines, type Cli } from "../context.ts";
import { paintOf, type Styles } from "../print/colors.ts";
import { duration, oneLine, safeLines } from "../print/text.ts";
import { watchPlan } from "../print/live.ts";
import { failedTasks, type PlanProgress } from "../print/plan-progress.ts";
import type { ServerOptions } from "../options.ts";

export interface StartedPlan {
  server: Server;
  token: string;
  /** When the command that started it began, in ms; absent for a plan that another command started. */
  startedAt?: number;
}

/** Goes on with a plan that was just started. Returns the exit code: 0 for a plan that completed, and for a detached one. */
export async function goOnWith(
  cli: Cli,
  plan: StartedPlan,
  options: Pick<ServerOptions, "json"> & { detach?: boolean },
): Promise<number> {
  const { token } = plan;
  const { out } = cli;
  if (options.detach) {
    if (options.json) printJsonLine(out, { token });
    else printLines(out, ["", `Started: ${oneLine(token)}`]);
    return 0;
  }
  if (options.json) printJsonLine(out, { type: "started", data: { token } });
  return followToEnd(cli, plan, options);
}

/** Shows a plan to its end, or with --json its events. Returns 0 when it completed. */
export const followToEnd = (
  cli: Cli,
  plan: StartedPlan,
  { json }: Pick<ServerOptions, "json">,
): Promise<number> =>
  explainingInterrupt(cli, plan.token, () => (json ? stream(cli, plan) : watch(cli, plan)));

async function watch(cli: Cli, { server, token, startedAt }: StartedPlan): Promise<number> {
  const { out } = cli;
  const isOwn = startedAt !== undefined;
  printLines(out, isOwn ? ["", `Plan ${oneLine(token)}`] : [`Plan ${oneLine(token)}`]);
  const progress = await watchPlan(cli, { server, token, output: out, hasEveryChange: !isOwn });
  const tookMs = isOwn ? cli.now() - startedAt : progress.tookMs;
  printLines(out, endLines(progress, { styles: out.styles, tookMs }));
  return progress.status === "COMPLETED" ? 0 : 1;
}

/** How a plan ended, and what to do about it when it did not end well. */
export function endLines(
  progress: PlanProgress,
  { styles, tookMs }: { styles: Styles; tookMs: number | undefined },
): string[] {
  const { status, token } = progress;
  const after = Number.isFinite(tookMs) ? ` after ${duration(tookMs!)}` : "";
  const lines = [`${paintOf(styles, status)(status)}${after}`];
  if (status === "COMPLETED") return lines;
  const why = whyLines(progress).map((line) => `  ${line}`);
  return [...lines, ...why, `  ${styles.faint("→")} plinth logs ${oneLine(token)}`];
}

/** The reason that the plan gives, and each failed task. */
export const whyLines = (progress: PlanProgress): string[] => [
  ...(progress.reason ? [oneLine(progress.reason)] : []),
  ...failedTasks(progress).flatMap(({ verb, subject, message }) =>
    linesBelow(message || `${verb} ${subject} failed.`),
  ),
];

/** A text of several lines; all but the first are indented. */
const linesBelow = (text: string): string[] =>
  safeLines(text).map((line, index) => (index === 0 ? oneLine(line) : `  ${line}`));

async function stream(cli: Cli, { server, token }: StartedPlan): Promise<number> {
  let status = "";
  for await (const event of followPlan(server, token)) {
    printJsonLine(cli.out, event);
    if (event.type === "plan") ({ status } = event.data);
  }
  return status === "COMPLETED" ? 0 : 1;
}

async function explainingInterrupt(
  cli: Cli,
  token: string,
  watching: () => Promise<number>,
): Promise<number> {
  try {
    return await watching();
  } catch (error) {
    if (cli.signal.aborted) {
      printLines(cli.err, [
        `The plan ${oneLine(token)} goes on without being watched.`,
        `  plinth watch ${oneLine(token)}       to watch it again`,
        `  plinth terminate ${oneLine(token)}   to end it`,
      ]);
    }
    throw error;
  }
}
