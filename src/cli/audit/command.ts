/** `plinth audit`: who did what on a server, and whether that is still what was written. */
import { Option, type Command } from "commander";
import { auditAreas } from "../../platform/lib/audit-areas.ts";
import { openBody, readWhole } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { timeCell } from "../lists/kinds.ts";
import { paging, readList, type Query } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { writeOutputFile } from "../output-file.ts";
import { oneLine } from "../print/text.ts";
import { verifyChains, type VerifyOptions } from "./verify.ts";

interface Filters extends ServerOptions {
  actor?: string;
  action?: string;
  resource?: string;
  area?: string;
  requestId?: string;
  from?: string;
  to?: string;
}

interface AuditRecord {
  at: string;
  actor: string;
  action: string;
  resource: string;
  clientAddress: string | null;
  requestId: string | null;
}

const path = "/api/coordinator/v1/audit";

export function defineAudit(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("audit")
    .summary("read, export and verify who did what")
    .description("Reads, exports and verifies who did what, in all areas of a server.");
  const list = group
    .command("list")
    .summary("list who did what")
    .description("Lists changes that people and services asked for, the latest first.")
    .option("--limit <n>", "at most so many", readLimit, 50);
  withFilters(list).action((options: Filters & { limit: number }) => run(() => listRecords(cli, options)));
  const download = group
    .command("export")
    .summary("export who did what as JSON lines")
    .description("Writes one JSON object a line, with the hash that `audit verify --file` checks.")
    .option("-o, --output <file>", "the file to write (default: standard output)");
  withFilters(download).action((options: Filters & { output?: string }) =>
    run(() => exportRecords(cli, options)),
  );
  const verify = group
    .command("verify")
    .summary("verify that nothing of it was changed")
    .description(
      "Has the server compare its audit with the chain of hashes, or checks the lines of an export, and prints what was changed, " +
        "deleted or inserted. Ends with 5 when something was.",
    )
    .option("--file <file>", "check an export instead, without a server")
    .option(
      "--anchor <chain:seq:hash>",
      "a place and its hash that were noted elsewhere, such as platform:1200:9f86…: whether the chain still has it",
    );
  withServer(verify).action((options: VerifyOptions) => run(() => verifyChains(cli, options)));
}

const withFilters = (command: Command): Command =>
  withServer(
    command
      .option("--actor <ref>", "by this user or service, such as user:default/ada")
      .option("--action <name>", "this operation, such as deletePolicy")
      .option(
        "--resource <name>",
        "on this, such as unit:fleet@production; with * at its end, all that begin so",
      )
      .addOption(new Option("--area <area>", "in this area").choices(auditAreas))
      .option("--request-id <id>", "for this request")
      .option("--from <time>", "at this time or later, such as 2026-11-23T00:00:00Z")
      .option("--to <time>", "before this time"),
  );

const queryOf = ({ actor, action, resource, area, requestId, from, to }: Filters): Query => ({
  actor,
  action,
  resource,
  area,
  "request-id": requestId,
  from,
  to,
});

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,6}$/.test(text) && limit > 0) return limit;
  throw inputFailure("--limit must be a number above 0.", { where: "--limit" });
}

async function listRecords(cli: Cli, options: Filters & { limit: number }): Promise<number> {
  const listed = await readList<AuditRecord>(serverOf(cli, options), {
    path,
    query: queryOf(options),
    limit: options.limit,
    next: paging.after,
  });
  printList(cli, options, {
    listed,
    columns: [
      { title: "AT" },
      { title: "ACTOR" },
      { title: "ACTION" },
      { title: "RESOURCE", shrinks: "middle" },
      { title: "ADDRESS" },
      { title: "REQUEST" },
    ],
    toRow: (each) => [
      timeCell(each.at),
      oneLine(each.actor),
      oneLine(each.action),
      oneLine(each.resource),
      oneLine(each.clientAddress ?? ""),
      oneLine(each.requestId ?? ""),
    ],
  });
  return exitCodes.ok.code;
}

async function exportRecords(cli: Cli, options: Filters & { output?: string }): Promise<number> {
  const call = { method: "GET", path: `${path}/export`, query: queryOf(options) } as const;
  const server = serverOf(cli, options);
  const body = readWhole(server, await openBody(server, call, { type: "application/x-ndjson" }));
  if (options.output === undefined) {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      cli.out.write(decoder.decode(chunk, { stream: true }));
      await cli.out.drained();
    }
    return exitCodes.ok.code;
  }
  await writeOutputFile(cli, options.output, body);
  if (options.json) printJson(cli.out, { file: options.output });
  else printLines(cli.out, [`${options.output} holds the audit.`]);
  return exitCodes.ok.code;
}
