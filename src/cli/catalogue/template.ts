import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { isRecord } from "../../platform/lib/is-record.ts";
import { callServer } from "../client/http.ts";
import { explainingTemplate } from "../client/unknown.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { readEntities } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { oneLine } from "../print/text.ts";
import {
  instantiate,
  outputLines,
  parseYaml,
  readValues,
  withValues,
  type ValueOptions,
} from "./instantiate.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

interface RunOptions extends ValueOptions {
  dryRun?: boolean;
}

interface ListOptions extends ServerOptions {
  limit: number;
}

export function defineTemplate(program: Command, cli: Cli, run: Run): void {
  const template = program
    .command("template")
    .summary("templates of the catalogue, and template files")
    .description("Lists templates, checks a template file, and tries a template without effects outside.");
  const list = template
    .command("list")
    .summary("list templates")
    .description("The templates of the catalogue, by their references.");
  withLimit(list).action((options: ListOptions) => run(() => listTemplates(cli, options)));
  const validate = template
    .command("validate")
    .summary("check a template file")
    .description(
      "Reports everything in the file that the server would refuse, with its position. Ends with 5 when there is something.",
    )
    .argument("<file>", "template file, YAML or JSON");
  withServer(validate).action((file: string, options: ServerOptions) =>
    run(() => validateTemplate(cli, file, options)),
  );
  const runs = template
    .command("run")
    .summary("run a template and print its log")
    .description(
      "Runs a template of the catalogue, or with --dry-run a template or a file with what lies next to it, without effects " +
        "outside.",
    )
    .argument("<template>", "reference of a template, or with --dry-run also a file")
    .option("--dry-run", "without effects outside");
  withValues(runs).action((subject: string, options: RunOptions) =>
    run(() => runTemplate(cli, subject, options)),
  );
}

interface ListedEntity {
  metadata: { name: string; namespace?: string; title?: string; description?: string };
  spec?: { type?: string };
}

async function listTemplates(cli: Cli, options: ListOptions): Promise<number> {
  const server = serverOf(cli, options);
  const path = "/api/catalog/entities";
  const listed = await readEntities(async (page) => {
    const query = { filter: "kind=template", ...page };
    return (await callServer<ListedEntity[]>(server, { method: "GET", path, query })).body;
  }, options.limit);
  printList(cli, options, {
    listed,
    columns: [{ title: "TEMPLATE", shrinks: "middle" }, { title: "TYPE" }, { title: "TITLE", shrinks: true }],
    toRow: ({ metadata, spec }) => [
      oneLine(`${metadata.namespace ?? "default"}/${metadata.name}`),
      oneLine(spec?.type ?? ""),
      oneLine(metadata.title ?? metadata.description ?? ""),
    ],
  });
  return 0;
}

interface Problem {
  where: string;
  message: string;
}

async function validateTemplate(cli: Cli, file: string, options: ServerOptions): Promise<number> {
  const { body } = await callServer<{ problems: Problem[] }>(serverOf(cli, options), {
    method: "POST",
    path: "/api/builder/templates/validate",
    body: { template: await readTemplate(cli, file) },
  });
  const { good, bad } = cli.out.styles;
  if (options.json) printJson(cli.out, body);
  else if (body.problems.length === 0) printLines(cli.out, [`${good("valid")} ${file}`]);
  else
    printLines(
      cli.out,
      body.problems.map(({ where, message }) => `${bad(oneLine(where))} ${oneLine(message)}`),
    );
  return body.problems.length === 0 ? exitCodes.ok.code : exitCodes.findings.code;
}

async function readTemplate(cli: Cli, file: string): Promise<unknown> {
  const text = await readFile(resolve(cli.cwd, file), "utf8").catch((cause: unknown) => {
    throw inputFailure(`The file ${file} can't be read.`, { where: file, cause });
  });
  const value = parseYaml(text, file);
  if (isRecord(value)) return value;
  throw inputFailure("A template is a map.", { where: file });
}

async function runTemplate(cli: Cli, subject: string, options: RunOptions): Promise<number> {
  if (!options.dryRun) return instantiate(cli, subject, { ...options, follow: true });
  const path = resolve(cli.cwd, subject);
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  const what = isFile
    ? { template: await readTemplate(cli, subject), directoryContents: await filesNextTo(path) }
    : { templateRef: subject };
  const server = serverOf(cli, options);
  const asked = { ...what, ...(await readValues(cli, options)) };
  const { body } = await explainingTemplate(server, subject, () =>
    callServer<DryRun>(server, { method: "POST", path: "/api/builder/templates/dry-run", body: asked }),
  );
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, dryRunLines(body, cli));
  return body.status === "completed" ? 0 : 1;
}

interface DryRun {
  status: string;
  log: { body: { message: string; stepId?: string } }[];
  output: Record<string, unknown>;
  error: string | null;
  directoryContents: { path: string }[];
}

function dryRunLines({ status, log, output, error, directoryContents }: DryRun, cli: Cli): string[] {
  const { good, bad } = cli.out.styles;
  return [
    ...log.map(
      ({ body }) =>
        `${body.stepId === undefined ? "" : `[${oneLine(body.stepId)}] `}${oneLine(body.message)}`,
    ),
    status === "completed" ? good("completed") : `${bad("failed")} ${oneLine(error ?? "")}`,
    ...directoryContents.map(({ path }) => `file: ${oneLine(path)}`),
    ...outputLines(output),
  ];
}

const maxFiles = 1_000;

/** The files that relative paths of the template can name: everything in its folder. */
async function filesNextTo(path: string): Promise<{ path: string; base64Content: string }[]> {
  const root = dirname(path);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !relative(root, file)
          .split(/[\\/]/)
          .some((part) => part === ".git" || part === "node_modules"),
    );
  if (files.length > maxFiles) {
    throw inputFailure(`There are more than ${maxFiles} files next to the template.`, { where: root });
  }
  return Promise.all(
    files.map(async (file) => ({
      path: relative(root, file).replaceAll("\\", "/"),
      base64Content: (await readFile(file)).toString("base64"),
    })),
  );
}
