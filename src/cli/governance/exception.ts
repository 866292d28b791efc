/** `plinth exception`: exceptions from policies, requested by one and decided by another. */
import type { Command } from "commander";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { idColumn, timeCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { collect, repeatableChoice, serverOf, withServer, type ServerOptions } from "../options.ts";
import { oneLine } from "../print/text.ts";
import { paintOfWord } from "./print-results.ts";
import { parseUntil } from "./until.ts";
import { base, type PolicyException } from "./wire.ts";

interface ListOptions extends ServerOptions {
  limit: number;
  status?: string[];
  policy?: string;
  resource?: string;
}

interface RequestOptions extends ServerOptions {
  resource?: string[];
  select?: string;
  environment?: string[];
  reason: string;
  until: string;
}

interface DecideOptions extends ServerOptions {
  approve?: boolean;
  reject?: boolean;
  reason: string;
}

const path = `${base}/exceptions`;
const statuses = ["pending", "approved", "rejected", "revoked", "expired"];

export function defineException(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("exception")
    .summary("request and decide exceptions from policies")
    .description(
      "Exceptions: a resource that a policy does not stop until a date, because somebody else agreed.",
    );
  const list = group
    .command("list")
    .summary("list exceptions")
    .description("Lists exceptions, the newest first.")
    .addOption(repeatableChoice("--status <status>", "only with this status", statuses))
    .option("--policy <id>", "only from this policy")
    .option("--resource <id>", "only those that name this resource");
  withLimit(list).action((options: ListOptions) => run(() => listExceptions(cli, options)));
  const request = group
    .command("request")
    .summary("request an exception")
    .description("Requests that a policy does not stop resources until a date. Somebody else decides.")
    .argument("<policy>", "id of the policy")
    .option("--resource <id>", "a unit or component to be excused; repeatable", collect)
    .option("--select <expression>", "instead: those for which this expression over `resource` is true")
    .option("-e, --environment <name>", "only there; repeatable (default: every environment)", collect)
    .requiredOption("--reason <text>", "for who decides, and for the audit")
    .requiredOption("--until <time>", "its end: a date, a time, or days as 90d");
  withServer(request).action((policyId: string, options: RequestOptions) =>
    run(() => requestException(cli, policyId, options)),
  );
  const decide = group
    .command("decide")
    .summary("approve or reject an exception")
    .description("Decides an exception that somebody else requested.")
    .argument("<exception>", "id of the exception")
    .option("--approve", "agree")
    .option("--reject", "refuse")
    .requiredOption("--reason <text>", "for the requester, and for the audit");
  withServer(decide).action((id: string, options: DecideOptions) =>
    run(() => decideException(cli, id, options)),
  );
  const revoke = group
    .command("revoke")
    .summary("revoke an exception")
    .description(
      "Ends an exception before its time. What is deployed stays; the next deployment is checked without it.",
    )
    .argument("<exception>", "id of the exception");
  withServer(revoke).action((id: string, options: ServerOptions) =>
    run(() => revokeException(cli, id, options)),
  );
}

async function listExceptions(cli: Cli, options: ListOptions): Promise<number> {
  const { limit, status, policy, resource } = options;
  const query = { status: status?.join(","), policy, resource };
  const listed = await readList<PolicyException>(serverOf(cli, options), {
    path,
    query,
    limit,
    next: paging.offset,
  });
  printList(cli, options, {
    listed,
    columns: [
      { title: "ID" },
      { title: "STATUS" },
      idColumn("POLICY"),
      { title: "FOR", shrinks: true },
      { title: "UNTIL" },
      { title: "REQUESTED BY" },
      { title: "DECIDED BY" },
      { title: "REASON", shrinks: true },
    ],
    toRow: (each, styles) => [
      oneLine(each.id),
      { text: oneLine(each.status), paint: paintOfWord(styles, each.status) },
      oneLine(each.policyId),
      subjectOf(each),
      timeCell(each.until),
      oneLine(each.requestedBy),
      oneLine(each.decidedBy ?? ""),
      oneLine(each.reason),
    ],
  });
  return 0;
}

function subjectOf({ resourceIds, select, environments }: PolicyException): string {
  const subject = select ?? resourceIds.join(", ");
  return oneLine(environments.length > 0 ? `${subject} in ${environments.join(", ")}` : subject);
}

async function requestException(cli: Cli, policyId: string, options: RequestOptions): Promise<number> {
  const { resource: resourceIds, select, environment: environments, reason } = options;
  if ((resourceIds === undefined) === (select === undefined))
    throw inputFailure("Give either --resource, once or more often, or --select.");
  const until = parseUntil(options.until, new Date());
  const { body } = await callServer<PolicyException>(serverOf(cli, options), {
    method: "POST",
    path,
    body: { policyId, resourceIds, select, environments, reason, until },
  });
  if (options.json) printJson(cli.out, body);
  else
    printLines(cli.out, [
      `The exception ${oneLine(body.id)} is ${oneLine(body.status)}, until ${timeCell(body.until)}.`,
      cli.out.styles.faint(
        `Somebody else decides it: plinth exception decide ${oneLine(body.id)} --approve --reason …`,
      ),
    ]);
  return 0;
}

async function decideException(cli: Cli, id: string, options: DecideOptions): Promise<number> {
  const { approve = false, reject = false, reason } = options;
  if (approve === reject) throw inputFailure("Give either --approve or --reject.");
  const { body } = await callServer<PolicyException>(serverOf(cli, options), {
    method: "POST",
    path: `${path}/${encodeURIComponent(id)}/decision`,
    body: { approve, reason },
  });
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, [`The exception ${oneLine(body.id)} is ${oneLine(body.status)}.`]);
  return 0;
}

async function revokeException(cli: Cli, id: string, options: ServerOptions): Promise<number> {
  await callServer(serverOf(cli, options), { method: "DELETE", path: `${path}/${encodeURIComponent(id)}` });
  if (options.json) printJson(cli.out, { id, status: "revoked" });
  else printLines(cli.out, [`The exception ${oneLine(id)} is revoked.`]);
  return 0;
}
