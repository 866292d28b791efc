import type { Command } from "commander";
import { explainingPlan } from "../client/unknown.ts";
import type { Cli, Run } from "../context.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { followToEnd } from "./follow.ts";

export function defineWatch(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("watch")
    .summary("watch a plan until it has ended")
    .description(
      "Shows the tasks of a plan and why each of them waits: a table that is redrawn on a terminal, else a line for each change. Goes " +
        "on when the connection breaks, and ends as the plan ends: with 0 when it has completed, else with 1. Ctrl-C ends the watching, " +
        "not the plan. With --json it prints one line for each event.",
    )
    .argument("<token>", "token of the execution plan");
  withServer(command).action((token: string, options: ServerOptions) =>
    run(() => watch(cli, token, options)),
  );
}

async function watch(cli: Cli, token: string, options: ServerOptions): Promise<number> {
  const server = serverOf(cli, options);
  return explainingPlan(server, token, () => followToEnd(cli, { server, token }, options));
}
