/** `plinth policy`: policies and metrics of computational governance. */
import { Option, type Command } from "commander";
import { stringify } from "yaml";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { idColumn, timeCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { collect, repeatableChoice, serverOf, withServer, type ServerOptions } from "../options.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";
import { defineApply } from "./apply.ts";
import { contentOf, fileFormOf } from "./content.ts";
import { paintOfWord } from "./print-results.ts";
import { defineTest } from "./test-policies.ts";
import { defineTry } from "./try-policy.ts";
import { parseUntil } from "./until.ts";
import { base, type PolicyRecord, type PolicyVersion } from "./wire.ts";

interface ListOptions extends ServerOptions {
  limit: number;
  status?: string[];
  kind?: string;
  environment?: string[];
  search?: string;
}

interface GetOptions extends ServerOptions {
  at?: string;
  history?: boolean;
}

interface StatusOptions extends ServerOptions {
  until?: string;
  reason: string;
}

const statuses = ["draft", "grace", "enabled", "disabled"];

export function definePolicy(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("policy")
    .summary("list, change, test and try policies")
    .description(
      "Policies and metrics: what deployments must satisfy, as records of the server and as files in git.",
    );
  const list = group
    .command("list")
    .summary("list policies and metrics")
    .description("Lists policies and metrics with their status, by name.")
    .addOption(repeatableChoice("--status <status>", "only with this status", statuses))
    .addOption(new Option("--kind <kind>", "only these").choices(["policy", "metric"]))
    .option("-e, --environment <name>", "only those that count there; repeatable", collect)
    .option("--search <text>", "only those with this text in their name, description or tags");
  withLimit(list).action((options: ListOptions) => run(() => listPolicies(cli, options)));
  const get = group
    .command("get")
    .summary("print a policy as a file")
    .description("Prints a policy in the form in which `plinth policy apply` reads it.")
    .argument("<policy>", "id of the policy or metric")
    .option("--at <version>", "an older version, by its number")
    .option("--history", "list its versions instead");
  withServer(get).action((id: string, options: GetOptions) => run(() => getPolicy(cli, id, options)));
  defineApply(group, cli, run);
  const status = group
    .command("status")
    .summary("enable, disable or give grace to a policy")
    .description(
      "Changes the status: a draft counts nowhere, in grace a violation warns, enabled it blocks. Only drafts can be deleted.",
    )
    .argument("<policy>", "id of the policy or metric")
    .argument("<status>", `one of ${statuses.join(", ")}`)
    .option("--until <time>", "end of the grace: a date, a time, or days as 90d")
    .requiredOption("--reason <text>", "for the audit");
  withServer(status).action((id: string, to: string, options: StatusOptions) =>
    run(() => setStatus(cli, { id, to }, options)),
  );
  defineTest(group, cli, run);
  defineTry(group, cli, run);
}

async function listPolicies(cli: Cli, options: ListOptions): Promise<number> {
  const { limit, status, kind, environment, search } = options;
  const query = { status: status?.join(","), kind, env: environment?.join(","), text: search };
  const path = `${base}/policies`;
  const listed = await readList<PolicyRecord>(serverOf(cli, options), {
    path,
    query,
    limit,
    next: paging.offset,
  });
  printList(cli, options, {
    listed,
    columns: [
      idColumn("POLICY"),
      { title: "KIND" },
      { title: "STATUS" },
      { title: "VERSION", align: "right" },
      { title: "ENGINE" },
      { title: "ABOUT" },
      { title: "NAME", shrinks: true },
    ],
    toRow: (policy, styles) => [
      oneLine(policy.id),
      oneLine(policy.kind),
      { text: statusText(policy), paint: paintOfWord(styles, policy.status) },
      String(policy.version),
      oneLine(policy.engine),
      aboutText(policy),
      oneLine(policy.name),
    ],
  });
  return 0;
}

const statusText = ({ status, graceUntil }: PolicyRecord): string =>
  oneLine(graceUntil === undefined ? status : `${status} until ${graceUntil.slice(0, 10)}`);

const aboutText = ({ resourceType, environments }: PolicyRecord): string =>
  oneLine(
    [
      resourceType ?? "everything",
      ...(environments.length > 0 ? [`in ${environments.join(", ")}`] : []),
    ].join(" "),
  );

async function getPolicy(cli: Cli, id: string, options: GetOptions): Promise<number> {
  const server = serverOf(cli, options);
  const path = `${base}/policies/${encodeURIComponent(id)}`;
  if (options.history === true || options.at !== undefined) {
    const { body } = await callServer<{ data: PolicyVersion[] }>(server, {
      method: "GET",
      path: `${path}/versions`,
    });
    if (options.at === undefined) return printVersions(cli, body.data, options);
    const found = body.data.find(({ version }) => String(version) === options.at);
    if (found === undefined)
      throw inputFailure(`The policy has no version ${options.at}; the last is ${body.data[0]?.version}.`, {
        where: "--at",
      });
    return printFile(cli, { id, ...found }, options);
  }
  const { body } = await callServer<PolicyRecord>(server, { method: "GET", path });
  if (options.json) printJson(cli.out, body);
  else
    printLines(cli.out, [
      `# Version ${body.version}, ${statusText(body)}; changed ${timeCell(body.updatedAt)} by ${oneLine(body.updatedBy)}.`,
      ...fileLines(id, body),
    ]);
  return 0;
}

function printFile(cli: Cli, found: PolicyVersion & { id: string }, options: GetOptions): number {
  if (options.json) printJson(cli.out, found);
  else
    printLines(cli.out, [
      `# Version ${found.version}, made ${timeCell(found.createdAt)} by ${oneLine(found.createdBy)}.`,
      ...fileLines(found.id, found.policy),
    ]);
  return 0;
}

const fileLines = (id: string, policy: Record<string, unknown>): string[] =>
  stringify(fileFormOf(id, contentOf(policy)), { lineWidth: 0 })
    .trimEnd()
    .split("\n");

function printVersions(cli: Cli, versions: readonly PolicyVersion[], { json }: GetOptions): number {
  if (json) printJson(cli.out, { data: versions });
  else {
    const columns = [
      { title: "VERSION", align: "right" as const },
      { title: "MADE" },
      { title: "BY" },
      { title: "NAME" },
    ];
    const rows = versions.map(({ version, createdAt, createdBy, policy }) => [
      String(version),
      timeCell(createdAt),
      oneLine(createdBy),
      oneLine(String(policy["name"])),
    ]);
    printLines(
      cli.out,
      renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: cli.out.styles.faint }),
    );
  }
  return 0;
}

async function setStatus(
  cli: Cli,
  { id, to }: { id: string; to: string },
  options: StatusOptions,
): Promise<number> {
  if (!statuses.includes(to))
    throw inputFailure(`A policy cannot be ${to}.`, {
      where: "<status>",
      solutions: [`Use one of ${statuses.join(", ")}.`],
    });
  if (to === "grace" && options.until === undefined)
    throw inputFailure("A grace needs its end.", {
      where: "--until",
      solutions: ["Give for example --until 90d."],
    });
  const graceUntil = options.until === undefined ? undefined : parseUntil(options.until, new Date());
  const { body } = await callServer<PolicyRecord>(serverOf(cli, options), {
    method: "POST",
    path: `${base}/policies/${encodeURIComponent(id)}/status`,
    body: { status: to, graceUntil, reason: options.reason },
  });
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, [`${oneLine(body.id)} is ${statusText(body)}: ${meanings[to]}`]);
  return 0;
}

const meanings: Record<string, string> = {
  draft: "it counts nowhere.",
  grace: "a violation warns, and blocks after that day.",
  enabled: "a violation stops a deployment.",
  disabled: "it counts nowhere; as a draft it can be deleted or enabled again.",
};
