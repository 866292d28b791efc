/** `plinth reconcile`: plans that repair drift, and the questions about them. */
import type { Command } from "commander";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { statusCell, timeCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList } from "../lists/print-list.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { closedQuery, withClosed, type ClosedOptions } from "../plans/closed.ts";
import { oneLine } from "../print/text.ts";

interface Reconcile {
  id: string;
  deploymentUnitId: string;
  environment: string;
  status: string;
  automatic: boolean;
  planId: string | null;
  reason: string | null;
  createdAt: string;
  expiresAt: string;
  changes?: { componentId: string; action: string; reason: string }[];
  changeCount?: number;
}

const path = "/api/coordinator/v1/reconciles";
const pathOf = (id: string, more = ""): string => `${path}/${encodeURIComponent(id)}${more}`;

export function defineReconcile(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("reconcile")
    .summary("list, approve and refuse plans that repair drift")
    .description(
      "Drift checks may ask whether a plan is to repair what has drifted, or start it by themselves.",
    );
  const list = group
    .command("list")
    .summary("list plans that repair drift")
    .description("Lists those that wait, those that were started and how they ended, the latest first.")
    .option("-e, --environment <name>", "only in this environment")
    .option("--unit <id>", "only of this unit")
    .option("--status <status>", "only with this status, such as ASKED");
  withLimit(list).action((options: ListOptions) => run(() => listReconciles(cli, options)));
  const show = group
    .command("show")
    .summary("show one, with what its plan would do")
    .description("Shows one, with what its plan would do.")
    .argument("<id>", "id from the list");
  withServer(show).action((id: string, options: ServerOptions) => run(() => showReconcile(cli, id, options)));
  const approve = group
    .command("approve")
    .summary("start exactly the plan that was previewed")
    .description("Starts exactly the plan that was previewed; it is refused when the unit has changed since.")
    .argument("<id>", "id from the list");
  withServer(withClosed(approve)).action((id: string, options: ServerOptions & ClosedOptions) =>
    run(() => decide(cli, { id, what: "approve", query: closedQuery(options) }, options)),
  );
  const refuse = group
    .command("refuse")
    .summary("leave it as it is")
    .description("Ends the question. A later check that finds drift asks again.")
    .argument("<id>", "id from the list")
    .requiredOption("--reason <text>", "why; stored in the audit");
  withServer(refuse).action((id: string, options: ServerOptions & { reason: string }) =>
    run(() => decide(cli, { id, what: "refuse", body: { reason: options.reason } }, options)),
  );
}

interface ListOptions extends ServerOptions {
  environment?: string;
  unit?: string;
  status?: string;
  limit: number;
}

async function listReconciles(cli: Cli, options: ListOptions): Promise<number> {
  const { environment, unit, status, limit } = options;
  const query = { environment, "deployment-unit-id": unit, status };
  const next = paging.after;
  const listed = await readList<Reconcile>(serverOf(cli, options), { path, query, limit, next });
  printList(cli, options, {
    listed,
    columns: [
      { title: "ID" },
      { title: "UNIT", shrinks: "middle" },
      { title: "ENVIRONMENT" },
      { title: "STATUS" },
      { title: "SINCE" },
      { title: "WHY", shrinks: true },
    ],
    toRow: (each, styles) => [
      oneLine(each.id),
      oneLine(each.deploymentUnitId),
      oneLine(each.environment),
      statusCell(styles, each.status),
      timeCell(each.createdAt),
      oneLine(each.reason ?? ""),
    ],
  });
  return exitCodes.ok.code;
}

async function showReconcile(cli: Cli, id: string, options: ServerOptions): Promise<number> {
  const server = serverOf(cli, options);
  const { body } = await callServer<Reconcile>(server, { method: "GET", path: pathOf(id) });
  print(cli, body, options);
  return exitCodes.ok.code;
}

interface Decision {
  id: string;
  what: "approve" | "refuse";
  query?: Record<string, string>;
  body?: object;
}

async function decide(cli: Cli, decision: Decision, options: ServerOptions): Promise<number> {
  const server: Server = serverOf(cli, options);
  const { id, what, query = {}, body: sent } = decision;
  const { body } = await callServer<Reconcile>(server, {
    method: "POST",
    path: pathOf(id, `/${what}`),
    query,
    ...(sent && { body: sent }),
  });
  print(cli, body, options);
  return exitCodes.ok.code;
}

function print(cli: Cli, found: Reconcile, { json }: ServerOptions): void {
  if (json) return printJson(cli.out, found);
  const { deploymentUnitId, environment, status, reason, planId, expiresAt } = found;
  const { changes = [], changeCount = 0 } = found;
  const more = changeCount - changes.length;
  printLines(cli.out, [
    `${oneLine(deploymentUnitId)} in ${oneLine(environment)}: ${oneLine(status)}`,
    ...(reason === null ? [] : [oneLine(reason)]),
    ...(planId === null ? [] : [`Plan ${oneLine(planId)}`]),
    ...(status === "ASKED" ? [`It waits until ${timeCell(expiresAt)}.`] : []),
    ...changes.map(
      (each) => `  ${oneLine(each.action)} ${oneLine(each.componentId)} (${oneLine(each.reason)})`,
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]);
}
