/** `plinth windows`: when operations may begin in the environments of a server. */
import type { Command } from "commander";
import { load, YAMLException } from "js-yaml";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { readDescriptorText } from "../descriptor-file.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { timeCell } from "../lists/kinds.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

interface Windows {
  environment: string;
  version: number;
  windows: MaintenanceWindow[];
  isOpen: boolean;
  reason: string | null;
  opensAt: string | null;
  waitingPlans: number;
}

interface MaintenanceWindow {
  name: string;
  kind: string;
  timeZone: string;
  cron?: string;
  durationMinutes?: number;
  from?: string;
  until?: string;
}

const path = "/api/coordinator/v1/maintenance-windows";

export function defineWindows(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("windows")
    .summary("list and set maintenance windows")
    .description("Says when operations may begin in an environment, and changes it.");
  const list = group
    .command("list")
    .summary("list the windows of all environments")
    .description(
      "Lists the windows of each environment, whether it is open, and how many plans wait for that.",
    );
  withServer(list).action((options: ServerOptions) => run(() => listWindows(cli, options)));
  const set = group
    .command("set")
    .summary("replace the windows of an environment")
    .description(
      "Replaces all windows of an environment by those of a file: a list, or an object with the list `windows`. An empty list " +
        "lets operations begin at any time.",
    )
    .argument("<environment>", "name of the environment")
    .requiredOption("-f, --file <file>", "file of the windows, YAML or JSON; - for standard input");
  withServer(set).action((environment: string, options: ServerOptions & { file: string }) =>
    run(() => setWindows(cli, environment, options)),
  );
}

async function listWindows(cli: Cli, options: ServerOptions): Promise<number> {
  const data = await readAll(serverOf(cli, options));
  if (options.json) printJson(cli.out, { data });
  else printLines(cli.out, windowLines(cli, data));
  return exitCodes.ok.code;
}

const readAll = async (server: Server): Promise<Windows[]> =>
  (await callServer<{ data: Windows[] }>(server, { method: "GET", path })).body.data;

async function setWindows(
  cli: Cli,
  environment: string,
  options: ServerOptions & { file: string },
): Promise<number> {
  const windows = readWindows(await readDescriptorText(cli, options.file), options.file);
  const server = serverOf(cli, options);
  // An environment that is not there is refused by the change itself.
  const known = (await readAll(server)).find((each) => each.environment === environment);
  const { body } = await callServer<Windows>(server, {
    method: "PUT",
    path: `${path}/${encodeURIComponent(environment)}`,
    body: { version: known?.version ?? 0, windows },
  });
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, windowLines(cli, [body]));
  return exitCodes.ok.code;
}

function readWindows(text: string, file: string): unknown[] {
  const value = parsed(text, file);
  const windows = isRecord(value) ? value["windows"] : value;
  if (Array.isArray(windows)) return windows;
  throw inputFailure(`${file} has no list of windows.`, {
    where: "--file",
    solutions: ["Write a list, or an object with the list `windows`."],
  });
}

function parsed(text: string, file: string): unknown {
  try {
    return load(text);
  } catch (cause) {
    if (!(cause instanceof YAMLException)) throw cause;
    throw inputFailure(`${file} is not valid YAML: ${oneLine(cause.message)}`, { where: "--file", cause });
  }
}

function windowLines(cli: Cli, data: readonly Windows[]): string[] {
  const { styles } = cli.out;
  const rows = data.flatMap(({ environment, windows }) =>
    windows.map((each) => [
      oneLine(environment),
      oneLine(each.kind),
      oneLine(each.name),
      oneLine(timesOf(each)),
    ]),
  );
  const columns = [
    { title: "ENVIRONMENT" },
    { title: "KIND" },
    { title: "NAME" },
    { title: "WHEN", shrinks: true },
  ];
  const table = renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint });
  return [...data.map(stateLine), ...(rows.length === 0 ? [] : ["", ...table])];
}

function stateLine({ environment, isOpen, reason, waitingPlans }: Windows): string {
  const state = isOpen ? (waitingPlans === 0 ? "open" : "open.") : `closed. ${oneLine(reason ?? "")}`;
  const waiting =
    waitingPlans === 0 ? "" : ` ${waitingPlans} plan${waitingPlans === 1 ? " waits" : "s wait"}.`;
  return `${oneLine(environment)}: ${state}${waiting}`;
}

const timesOf = ({ cron, durationMinutes, timeZone, from, until }: MaintenanceWindow): string =>
  cron === undefined
    ? `${timeCell(from ?? null)} to ${timeCell(until ?? null)}`
    : `${cron} (${timeZone}), ${durationMinutes ?? 0} minutes`;
