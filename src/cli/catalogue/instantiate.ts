import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import { load } from "js-yaml";
import { isRecord } from "../../platform/lib/is-record.ts";
import { followStream } from "../client/follow-stream.ts";
import type { Server } from "../client/http.ts";
import { startOnce } from "../client/start-once.ts";
import { explainingTemplate } from "../client/unknown.ts";
import { printJson, printJsonLine, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { oneLine } from "../print/text.ts";
import { collect, serverOf, withServer, type ServerOptions } from "../options.ts";

export interface ValueOptions extends ServerOptions {
  values?: string;
  set?: string[];
  secret?: string[];
  overrides?: string;
  follow?: boolean;
}

/** The options --values, --set, --secret and --overrides of every command that fills in a template. */
export const withValues = (command: Command): Command =>
  withServer(command)
    .option(
      "--values <yaml>",
      "values of the parameters, a map in YAML or JSON; @<file> reads it from a file",
    )
    .option("--set <name=value>", "one value, read as YAML; repeatable", collect)
    .option(
      "--secret <name>",
      "a secret whose value stands in the environment variable of that name; repeatable",
      collect,
    )
    .option("--overrides <yaml>", "values by environment; @<file> reads them from a file");

export function defineInstantiate(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("instantiate")
    .summary("instantiate a template")
    .description("Starts a task and prints its id, or with --follow its log and its output.")
    .argument("<template>", "reference of the template: [<namespace>/]<name>")
    .option("--follow", "print the log until the end; ends with 1 unless the task has completed");
  withValues(command).action((ref: string, options: ValueOptions) =>
    run(() => instantiate(cli, ref, options)),
  );
}

export async function instantiate(cli: Cli, ref: string, options: ValueOptions): Promise<number> {
  const server = serverOf(cli, options);
  const asked = { templateRef: ref, ...(await readValues(cli, options)) };
  const { body } = await explainingTemplate(server, ref, () =>
    startOnce<{ id: string }>(server, {
      method: "POST",
      path: "/api/builder/templates/instantiate",
      body: asked,
    }),
  );
  if (options.follow) {
    // Whatever ends the following, nobody has to start a second task to know how this one ended.
    printLines(cli.err, [`The task is ${oneLine(body.id)}.`]);
    return follow(cli, server, { id: body.id, json: options.json ?? false });
  }
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, [body.id]);
  return 0;
}

interface TaskEventData {
  message: string;
  stepId?: string;
  status?: string;
  output?: Record<string, unknown>;
}

async function follow(
  cli: Cli,
  server: Server,
  { id, json }: { id: string; json: boolean },
): Promise<number> {
  const { good, bad } = cli.out.styles;
  const events = followStream(server, {
    path: `/api/builder/templates/tasks/${encodeURIComponent(id)}/eventstream`,
    isLast: ({ type }) => type === "completion",
    broken: {
      message: "The event stream of the task breaks off again and again; the task itself goes on.",
      solution: `Ask for it again: GET /api/builder/templates/tasks/${id}.`,
    },
  });
  for await (const { type, data } of events) {
    const event = JSON.parse(data) as TaskEventData;
    if (json) printJsonLine(cli.out, { taskId: id, type, ...event });
    else
      printLines(cli.out, [
        `${event.stepId === undefined ? "" : `[${oneLine(event.stepId)}] `}${oneLine(event.message)}`,
      ]);
    if (type !== "completion") continue;
    const isDone = event.status === "completed";
    if (!json)
      printLines(cli.out, [
        `${(isDone ? good : bad)(oneLine(event.status ?? ""))} ${id}`,
        ...outputLines(event.output),
      ]);
    return isDone ? 0 : 1;
  }
  return 1;
}

export const outputLines = (output: Record<string, unknown> = {}): string[] =>
  Object.entries(output).map(([name, value]) => `${oneLine(name)}: ${oneLine(JSON.stringify(value))}`);

/** The part of a request that a person fills in. */
export async function readValues(cli: Cli, options: ValueOptions): Promise<object> {
  const values = options.values === undefined ? {} : await readMap(cli, options.values, "--values");
  for (const pair of options.set ?? []) {
    const at = pair.indexOf("=");
    if (at < 1) throw inputFailure(`It must be <name>=<value>: ${pair}`, { where: "--set" });
    values[pair.slice(0, at)] = parseYaml(pair.slice(at + 1), "--set");
  }
  const secrets: Record<string, string> = {};
  for (const name of options.secret ?? []) {
    const value = cli.env[name];
    if (value === undefined)
      throw inputFailure(`There is no environment variable ${name}.`, { where: "--secret" });
    secrets[name] = value;
  }
  const overrides =
    options.overrides === undefined ? undefined : await readMap(cli, options.overrides, "--overrides");
  return {
    values,
    ...(options.secret === undefined ? {} : { secrets }),
    ...(overrides === undefined ? {} : { environmentOverrides: overrides }),
  };
}

async function readMap(cli: Cli, given: string, where: string): Promise<Record<string, unknown>> {
  const text = given.startsWith("@") ? await readText(cli, given.slice(1), where) : given;
  const value = parseYaml(text, where);
  if (isRecord(value)) return { ...value };
  throw inputFailure("It must be a map.", { where });
}

async function readText(cli: Cli, file: string, where: string): Promise<string> {
  return readFile(resolve(cli.cwd, file), "utf8").catch((cause: unknown) => {
    throw inputFailure(`The file ${file} can't be read.`, { where, cause });
  });
}

export function parseYaml(text: string, where: string): unknown {
  try {
    return load(text);
  } catch (cause) {
    throw inputFailure("It is neither YAML nor JSON.", { where, cause });
  }
}
