/** `plinth admin retention`: which old rows a server deletes when. */
import type { Command } from "commander";
import { callServer } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { timeCell } from "../lists/kinds.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { renderTable } from "../print/table.ts";
import { oneLine } from "../print/text.ts";

interface Rule {
  rule: string;
  setting: string;
  keepDays: number;
  before: string | null;
  wouldDelete: number | null;
  isMore: boolean;
  deleted: number;
  lastPassAt: string | null;
  failure: string | null;
}

export function defineRetention(admin: Command, cli: Cli, run: Run): void {
  const command = admin
    .command("retention")
    .summary("say which old rows are deleted when")
    .description(
      "Lists the rules by which a server deletes old rows: how long each keeps them, and how far it has come.",
    )
    .option("--dry-run", "also count the rows that would go now; nothing is deleted");
  withServer(command).action((options: ServerOptions & { dryRun?: true }) =>
    run(() => showRetention(cli, options)),
  );
}

async function showRetention(cli: Cli, options: ServerOptions & { dryRun?: true }): Promise<number> {
  const isCounted = options.dryRun === true;
  const path = `/api/coordinator/v1/retention${isCounted ? "?counted=true" : ""}`;
  const { body } = await callServer<{ data: Rule[] }>(serverOf(cli, options), { method: "GET", path });
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, linesOf(cli, body.data, isCounted));
  return exitCodes.ok.code;
}

function linesOf(cli: Cli, rules: readonly Rule[], isCounted: boolean): string[] {
  const { styles } = cli.out;
  const columns = [
    { title: "RULE" },
    { title: "KEEPS" },
    ...(isCounted ? [{ title: "WOULD GO" }] : []),
    { title: "DELETED" },
    { title: "LAST PASS" },
    { title: "SETTING", shrinks: true },
  ];
  const rows = rules.map((each) => [
    oneLine(each.rule),
    each.keepDays === 0 ? "for ever" : `${each.keepDays} days`,
    ...(isCounted ? [each.isMore ? `over ${each.wouldDelete}` : String(each.wouldDelete ?? 0)] : []),
    String(each.deleted),
    timeCell(each.lastPassAt),
    oneLine(each.setting),
  ]);
  const failures = rules.flatMap(({ rule, failure }) =>
    failure === null ? [] : [`${oneLine(rule)}: its last batch failed. ${oneLine(failure)}`],
  );
  const table = renderTable(columns, rows, { width: cli.out.size()?.columns, paintTitle: styles.faint });
  return [...table, ...(failures.length > 0 ? ["", ...failures] : [])];
}
