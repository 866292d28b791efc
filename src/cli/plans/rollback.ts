import type { Command } from "commander";
import { callServer } from "../client/http.ts";
import type { ProvisioningPlan } from "../client/wire.ts";
import { explainingUnit } from "../client/unknown.ts";
import { startOnce } from "../client/start-once.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes, inputFailure } from "../exit-codes.ts";
import { planTable } from "../print/plan-table.ts";
import { collect, environmentOption, serverOf, withServer, type ServerOptions } from "../options.ts";
import { provisioningPath } from "./targets.ts";
import { closedQuery, withClosed, type ClosedOptions } from "./closed.ts";
import { goOnWith } from "./follow.ts";

interface RollbackOptions extends ServerOptions, ClosedOptions {
  environment?: string;
  to?: string;
  removeData?: boolean;
  confirmDataRemoval?: string[];
  preview?: boolean;
  queue?: boolean;
  detach?: boolean;
}

export function defineRollback(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("rollback")
    .summary("restore a unit to the state of an earlier operation")
    .description(
      "Starts a unit with the descriptor and the statuses of an earlier operation that succeeded, and watches it. Shows " +
        "first what will happen; with --preview only that.",
    )
    .argument("<unit>", "id of the deployment unit")
    .addOption(environmentOption("environment of the unit"))
    .option("--to <token>", "execution plan of the earlier operation")
    .option("--remove-data", "let undeployments remove data too")
    .option("--confirm-data-removal <id>", "a protected component whose data may go; repeatable", collect)
    .option("--preview", "only show what would happen")
    .option("--queue", "queue the start when the unit has an active operation")
    .option("--detach", "print the token and do not wait for the end");
  withServer(withClosed(command)).action((unit: string, options: RollbackOptions) =>
    run(() => rollBack(cli, unit, options)),
  );
}

async function rollBack(cli: Cli, unit: string, options: RollbackOptions): Promise<number> {
  const { environment, to } = options;
  const whenClosed = closedQuery(options);
  if (environment === undefined) {
    throw inputFailure("A rollback needs the environment of the unit.", { where: "--environment" });
  }
  if (to === undefined) {
    throw inputFailure("An earlier operation has to be named.", {
      where: "--to",
      solutions: [
        "Name the execution plan of an operation that succeeded: `plinth list operations --unit <id> --status SUCCEEDED`.",
      ],
    });
  }
  const server = serverOf(cli, options);
  const { out } = cli;
  const startedAt = cli.now();
  const path = `${provisioningPath(unit)}/rollback`;
  const wanted = {
    executionPlanId: to,
    removeData: options.removeData ?? false,
    ...(options.confirmDataRemoval && { confirmDataRemoval: options.confirmDataRemoval }),
  };
  const call = { method: "POST", path: `${path}/preview`, query: { environment }, body: wanted } as const;
  const { body: preview } = await explainingUnit(server, { unit, environments: [environment] }, () =>
    callServer<ProvisioningPlan>(server, call),
  );
  if (!options.json) printLines(out, planTable(preview, { styles: out.styles, width: out.size()?.columns }));
  else if (options.preview) printJson(out, preview);
  if (options.preview) return preview.outcome === "OK" ? exitCodes.ok.code : exitCodes.findings.code;
  const { body: token } = await startOnce<string>(server, {
    method: "POST",
    path,
    query: { environment, ...(options.queue && { queue: true }), ...whenClosed },
    // Exactly the shown plan is carried out: the server refuses when the state has changed since.
    body: { ...wanted, ...(options.queue ? {} : { planHash: preview.planHash }) },
  });
  return goOnWith(cli, { server, token, startedAt }, options);
}
