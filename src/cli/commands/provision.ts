import type { Command } from "commander";
import type { Server } from "../client/http.ts";
import { followPlan } from "../client/plan-events.ts";
import { printJson, printJsonLine, printLines, type Cli } from "../context.ts";
import { paintOf, type Palette } from "../print/colors.ts";
import { planTable } from "../print/plan-table.ts";
import { duration, oneLine } from "../print/text.ts";
import { watchPlan } from "../progress/live.ts";
import { failedTasks, type PlanProgress } from "../progress/state.ts";
import type { Run } from "../program.ts";
import { readDescriptor } from "./descriptor-file.ts";
import { serverOf, withServer, type ServerOptions } from "./options.ts";
import { previewPlan, requestOf, startPlan, withTargets, type TargetOptions } from "./targets.ts";

type ProvisionOptions = ServerOptions & TargetOptions & { detach?: boolean };

export function defineProvision(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("provision")
    .summary("deploy or undeploy a unit and watch it")
    .description(
      "Starts what `plan` shows and watches it to its end. Ctrl-C ends the watching, not the plan. With --json it prints " +
        "one line for each event, the first with the token.",
    )
    .argument("<descriptor>", "file of the descriptor, YAML or JSON; - for standard input")
    .option("--detach", "print the token and do not wait for the end");
  withServer(withTargets(command)).action((file: string, options: ProvisionOptions) =>
    run(() => provision(cli, file, options)),
  );
}

async function provision(cli: Cli, file: string, options: ProvisionOptions): Promise<number> {
  const server = serverOf(cli, options);
  const { out } = cli;
  const startedAt = cli.now();
  const request = requestOf(await readDescriptor(cli, file), options);
  const preview = await previewPlan(server, request);
  if (!options.json)
    printLines(out, planTable(preview, { palette: out.palette, width: out.size()?.columns }));
  // The server refuses it too, and its words are for those who read no table.
  if (preview.outcome === "KO" && !options.json) return 1;
  const token = await startPlan(server, request, preview);
  if (options.detach) {
    if (options.json) printJson(out, { token });
    else printLines(out, ["", `Started: ${oneLine(token)}`]);
    return 0;
  }
  return telling(cli, token, () =>
    options.json ? stream(cli, server, token) : watch(cli, { server, token, startedAt }),
  );
}

async function watch(
  cli: Cli,
  { server, token, startedAt }: { server: Server; token: string; startedAt: number },
): Promise<number> {
  printLines(cli.out, ["", `Plan ${oneLine(token)}`]);
  const progress = await watchPlan(cli, { server, token, output: cli.out });
  printLines(cli.out, endLines(progress, { palette: cli.out.palette, tookMs: cli.now() - startedAt }));
  return progress.status === "COMPLETED" ? 0 : 1;
}

/** How a plan ended, and what to do about it when it did not end well. */
export function endLines(
  progress: PlanProgress,
  { palette, tookMs }: { palette: Palette; tookMs: number },
): string[] {
  const { status, token } = progress;
  const lines = [`${paintOf(palette, status)(status)} after ${duration(tookMs)}`];
  if (status === "COMPLETED") return lines;
  const why = whyLines(progress).map((line) => `  ${line}`);
  return [...lines, ...why, `  ${palette.faint("→")} plinth logs ${oneLine(token)}`];
}

/** What the plan says of its end, and each task that failed. */
export const whyLines = (progress: PlanProgress): string[] => [
  ...(progress.reason ? [oneLine(progress.reason)] : []),
  ...failedTasks(progress).map(({ verb, subject, message }) =>
    oneLine(message || `${verb} ${subject} failed.`),
  ),
];

async function stream(cli: Cli, server: Server, token: string): Promise<number> {
  printJsonLine(cli.out, { type: "started", data: { token } });
  let status = "";
  for await (const event of followPlan(server, token)) {
    printJsonLine(cli.out, event);
    if (event.type === "plan") ({ status } = event.data);
  }
  return status === "COMPLETED" ? 0 : 1;
}

async function telling(cli: Cli, token: string, watching: () => Promise<number>): Promise<number> {
  try {
    return await watching();
  } catch (error) {
    if (cli.signal.aborted) {
      printLines(cli.err, [
        `The plan ${oneLine(token)} goes on without being watched.`,
        `  plinth logs ${oneLine(token)} --follow   to watch it again`,
        `  plinth terminate ${oneLine(token)}       to end it`,
      ]);
    }
    throw error;
  }
}
