import type { Command } from "commander";
import { callServer } from "../client/http.ts";
import { explainingPlan, explainingUnit } from "../client/unknown.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { oneLine } from "../print/text.ts";
import {
  environmentOption,
  serverOf,
  terminateModeOption,
  withServer,
  type ServerOptions,
} from "../options.ts";

interface TerminateOptions extends ServerOptions {
  unit?: string;
  environment?: string;
  mode: "safe" | "forced";
}

export function defineTerminate(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("terminate")
    .summary("terminate a plan")
    .description("Terminates an execution plan, or the active plan of a unit in an environment.")
    .argument("[token]", "token of the execution plan")
    .option("--unit <id>", "the active plan of this unit instead; needs --environment")
    .addOption(environmentOption("environment of the unit"))
    .addOption(terminateModeOption);
  withServer(command).action((token: string | undefined, options: TerminateOptions) =>
    run(() => terminate(cli, token, options)),
  );
}

async function terminate(cli: Cli, token: string | undefined, options: TerminateOptions): Promise<number> {
  const server = serverOf(cli, options);
  const { unit, environment, mode } = options;
  if ((token === undefined) === (unit === undefined)) {
    throw inputFailure("Give either the token of a plan, or --unit with --environment.");
  }
  if (unit !== undefined && environment === undefined) {
    throw inputFailure("A unit may have one active plan in each environment.", { where: "--environment" });
  }
  const path =
    token === undefined
      ? `/api/coordinator/v2/deployment-units/${encodeURIComponent(unit!)}/provisioning/terminate`
      : `/api/coordinator/v1/execution-plans/${encodeURIComponent(token)}/terminate`;
  const query = { mode, environment: token ? undefined : environment };
  const terminating = (): Promise<unknown> => callServer(server, { method: "POST", path, query });
  if (token === undefined)
    await explainingUnit(server, { unit: unit!, environments: [environment!] }, terminating);
  else await explainingPlan(server, token, terminating);
  if (options.json) printJson(cli.out, token === undefined ? { unit, environment, mode } : { token, mode });
  else {
    const what = token === undefined ? `The plan of ${unit} in ${environment}` : `The plan ${token}`;
    const how = mode === "safe" ? "once its running tasks are done" : "as soon as the adapters have let go";
    printLines(cli.out, [`${oneLine(what)} ends ${how}.`]);
  }
  return 0;
}
