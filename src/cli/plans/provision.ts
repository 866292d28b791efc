import type { Command } from "commander";
import { printLines, type Cli, type Run } from "../context.ts";
import { planTable } from "../print/plan-table.ts";
import { readDescriptor } from "../descriptor-file.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { previewPlan, requestOf, startPlan, withTargets, type TargetOptions } from "./targets.ts";
import { closedQuery, withClosed, type ClosedOptions } from "./closed.ts";
import { goOnWith } from "./follow.ts";

type ProvisionOptions = ServerOptions & TargetOptions & ClosedOptions & { detach?: boolean; queue?: boolean };

export function defineProvision(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("provision")
    .summary("deploy or undeploy a unit and watch it")
    .description(
      "Starts what `plan` shows and watches it to its end. Ctrl-C ends the watching, not the plan. With --json it prints " +
        "one line for each event, the first with the token.",
    )
    .argument("<descriptor>", "file of the descriptor, YAML or JSON; - for standard input")
    .option("--queue", "queue the start when the unit has an active operation")
    .option("--detach", "print the token and do not wait for the end");
  withServer(withTargets(withClosed(command))).action((file: string, options: ProvisionOptions) =>
    run(() => provision(cli, file, options)),
  );
}

async function provision(cli: Cli, file: string, options: ProvisionOptions): Promise<number> {
  const server = serverOf(cli, options);
  const { out } = cli;
  const startedAt = cli.now();
  const whenClosed = closedQuery(options);
  const request = requestOf(await readDescriptor(cli, file), options);
  const preview = await previewPlan(server, request);
  if (!options.json) printLines(out, planTable(preview, { styles: out.styles, width: out.size()?.columns }));
  // The server refuses it too, but its message repeats what the table shows.
  if (preview.outcome === "KO" && !options.json) return 1;
  const token = await startPlan(server, { ...request, queue: options.queue ?? false, whenClosed }, preview);
  return goOnWith(cli, { server, token, startedAt }, options);
}
