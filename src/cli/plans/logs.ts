import { Option, type Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { followPlan, readPlanStatus } from "../client/plan-events.ts";
import { explainingPlan } from "../client/unknown.ts";
import type { LogEntry } from "../client/wire.ts";
import { printJson, printJsonLine, printLines, type Cli, type Run } from "../context.ts";
import { paintOf, type Styles } from "../print/colors.ts";
import { oneLine, padEnd } from "../print/text.ts";
import { progressOf } from "../print/plan-progress.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

const levels = ["DEBUG", "INFO", "WARNING", "ERROR"] as const;

interface LogOptions extends ServerOptions {
  level: (typeof levels)[number];
  task?: string;
  follow?: boolean;
}

export function defineLogs(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("logs")
    .summary("print the log of a plan")
    .description(
      "Prints the log lines of the coordinator and the adapters. With --json: one document, or with --follow one line for each " +
        "entry.",
    )
    .argument("<token>", "token of the execution plan")
    .option("-f, --follow", "go on until the plan has ended")
    .addOption(new Option("--level <level>", "this severity and above").choices(levels).default("DEBUG"))
    .option("--task <id>", "only this task, such as provision:<component id>");
  withServer(command).action((token: string, options: LogOptions) => run(() => logs(cli, token, options)));
}

async function logs(cli: Cli, token: string, options: LogOptions): Promise<number> {
  const server = serverOf(cli, options);
  if (options.follow) return explainingPlan(server, token, () => follow(cli, { server, token, options }));
  const body = await explainingPlan(server, token, () => wholeLog(server, token, options));
  if (options.json) printJson(cli.out, body);
  else {
    const width = widest(body.map(({ task }) => task ?? ""));
    printLines(
      cli.out,
      body.map((entry) => logLine(entry, width, cli.out.styles)),
    );
  }
  return 0;
}

/** All pages of the log; each leads to the next one by its Link header. */
async function wholeLog(server: Server, token: string, options: LogOptions): Promise<LogEntry[]> {
  const lines: LogEntry[] = [];
  const path = `/api/coordinator/v1/logs/${encodeURIComponent(token)}`;
  const query = { level: options.level, task_id: options.task };
  for (let after: string | undefined; ;) {
    const { body, headers } = await callServer<LogEntry[]>(server, {
      method: "GET",
      path,
      query: { ...query, after },
    });
    for (const line of body) lines.push(line);
    after = /[?&]after=(\d+)[^>]*>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    if (after === undefined) return lines;
  }
}

async function follow(
  cli: Cli,
  { server, token, options }: { server: Server; token: string; options: LogOptions },
): Promise<number> {
  const width = options.json ? 0 : widest(await taskIds(server, token));
  for await (const event of followPlan(server, token)) {
    if (event.type !== "log" || !isWanted(event.data, options)) continue;
    if (options.json) printJsonLine(cli.out, event.data);
    else printLines(cli.out, [logLine(event.data, width, cli.out.styles)]);
  }
  return 0;
}

async function taskIds(server: Server, token: string): Promise<string[]> {
  const { dag } = await readPlanStatus(server, token);
  return [...progressOf(token, dag).tasks.keys()];
}

const isWanted = ({ severity, task }: LogEntry, { level, task: wanted }: LogOptions): boolean =>
  levels.indexOf(severity as (typeof levels)[number]) >= levels.indexOf(level) &&
  (wanted === undefined || wanted === task);

const widest = (tasks: readonly string[]): number =>
  Math.min(60, Math.max(0, ...tasks.map((task) => oneLine(task).length)));

export function logLine(
  { timestamp, severity, task, message }: LogEntry,
  width: number,
  styles: Styles,
): string {
  const level = paintOf(styles, severity)(padEnd(oneLine(severity), 7));
  return `${styles.faint(oneLine(timestamp))}  ${level}  ${padEnd(oneLine(task ?? ""), width)}  ${oneLine(message)}`;
}
