import type { Command } from "commander";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { isStoppedByPolicies, planTable } from "../print/plan-table.ts";
import { readDescriptor } from "../descriptor-file.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { previewPlan, requestOf, withTargets, type TargetOptions } from "./targets.ts";

export function definePlan(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("plan")
    .summary("preview what a provisioning would do")
    .description(
      "Shows what would happen to each component, why, and after which others. Changes nothing. Ends with 5 when the " +
        "request contradicts itself, or policies would stop it.",
    )
    .argument("<descriptor>", "file of the descriptor, YAML or JSON; - for standard input");
  withServer(withTargets(command)).action((file: string, options: ServerOptions & TargetOptions) =>
    run(() => plan(cli, file, options)),
  );
}

async function plan(cli: Cli, file: string, options: ServerOptions & TargetOptions): Promise<number> {
  const server = serverOf(cli, options);
  const request = requestOf(await readDescriptor(cli, file), options);
  const preview = await previewPlan(server, request);
  if (options.json) printJson(cli.out, preview);
  else printLines(cli.out, planTable(preview, { styles: cli.out.styles, width: cli.out.size()?.columns }));
  const isFine = preview.outcome === "OK" && !isStoppedByPolicies(preview);
  return isFine ? exitCodes.ok.code : exitCodes.findings.code;
}
