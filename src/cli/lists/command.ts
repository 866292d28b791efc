/** `plinth list`: what a server has, as tables. */
import { InvalidArgumentError, type Command } from "commander";
import type { Server } from "../client/http.ts";
import type { Cli, Run } from "../context.ts";
import { collect, serverOf, withServer } from "../options.ts";
import { listApprovals } from "./approvals.ts";
import { kinds, type Filters, type ListKind } from "./kinds.ts";
import { maxLimit, mergeLists, readList, type Listed } from "./pages.ts";
import { listPlans } from "./plans.ts";
import { printList, type ListOptions } from "./print-list.ts";

export function defineList(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("list")
    .summary("list units, plans, operations, adapters, …")
    .description(
      "Lists what a server has. Ids are printed whole, except where the terminal is too narrow for them.",
    );
  for (const [name, kind] of Object.entries(kinds)) {
    const command = group.command(name).summary(kind.summary).description(kind.description);
    addFilters(command, kind.filters);
    withLimit(command).action((options: ListOptions) => run(() => list(cli, kind, options)));
  }
  const plans = group
    .command("plans")
    .summary("list the plans of a unit")
    .description(
      "Lists the execution plans of a unit, the newest first, with the states of their tasks: deployments, undeployments and " +
        "changes of access.",
    )
    .argument("<unit>", "id of the deployment unit");
  addFilters(plans, ["environment"]);
  withLimit(plans).action((unit: string, options: ListOptions) => run(() => listPlans(cli, unit, options)));
  const approvals = group
    .command("approvals")
    .summary("list what waits for a decision")
    .description(
      "Lists what waits for a decision, the oldest first: hooks, access requests, exceptions from policies, plans that would repair " +
        "drift, and tool calls of your runs of the assistant. Marks what you may decide.",
    );
  withLimit(approvals).action((options: ListOptions) => run(() => listApprovals(cli, options)));
}

const flags = {
  environment: "-e, --environment <name>",
  status: "--status <status>",
  unit: "--unit <id>",
  search: "--search <text>",
  settled: "--settled",
} as const;

function addFilters(command: Command, filters: ListKind["filters"]): void {
  for (const filter of filters) {
    const flag = flags[filter];
    if (filter === "environment") command.option(flag, "only of this environment; repeatable", collect);
    else if (filter === "status") command.option(flag, "only with this status; repeatable", collect);
    else if (filter === "unit") command.option(flag, "only of this deployment unit");
    else if (filter === "search") command.option(flag, "only those with this text in their id or name");
    else command.option(flag, "those that are settled instead of those that are open");
  }
}

/** The options of every command that lists. */
export const withLimit = (command: Command): Command =>
  withServer(command.option("--limit <number>", "at most that many", parseLimit, 50));

function parseLimit(value: string): number {
  const limit = Number(value);
  if (/^\d{1,5}$/.test(value) && limit >= 1 && limit <= maxLimit) return limit;
  throw new InvalidArgumentError(`It must be from 1 to ${maxLimit}.`);
}

async function list(cli: Cli, kind: ListKind, options: ListOptions): Promise<number> {
  const listed = await readKind(serverOf(cli, options), kind, options);
  printList(cli, options, { listed, columns: kind.columns, toRow: kind.toRow });
  return 0;
}

async function readKind(server: Server, kind: ListKind, options: ListOptions): Promise<Listed<never>> {
  const { path, next, toQuery, hasOneEnvironment = false } = kind;
  const { limit } = options;
  const read = (filters: Filters): Promise<Listed<never>> =>
    readList<never>(server, { path, next, query: toQuery(filters), limit });
  const environments = [...new Set(options.environment)];
  if (!hasOneEnvironment || environments.length < 2) return read(options);
  return mergeLists(
    await Promise.all(environments.map((each) => read({ ...options, environment: [each] }))),
    limit,
  );
}
