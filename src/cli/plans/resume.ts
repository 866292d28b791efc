import type { Command } from "commander";
import { startOnce } from "../client/start-once.ts";
import { explainingPlan } from "../client/unknown.ts";
import { printLines, type Cli, type Run } from "../context.ts";
import { oneLine } from "../print/text.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { closedQuery, withClosed, type ClosedOptions } from "./closed.ts";
import { goOnWith } from "./follow.ts";

type ResumeOptions = ServerOptions & ClosedOptions & { detach?: boolean };

export function defineResume(program: Command, cli: Cli, run: Run): void {
  const command = program
    .command("resume")
    .summary("resume a plan that failed or was terminated")
    .description(
      "Starts a new plan for the tasks that a failed or terminated plan did not complete, and watches it to its end. With --json " +
        "it prints one line for each event, the first with the token.",
    )
    .argument("<token>", "token of the execution plan to resume")
    .option("--detach", "print the token and do not wait for the end");
  withServer(withClosed(command)).action((token: string, options: ResumeOptions) =>
    run(() => resume(cli, token, options)),
  );
}

async function resume(cli: Cli, origin: string, options: ResumeOptions): Promise<number> {
  const server = serverOf(cli, options);
  const startedAt = cli.now();
  const query = closedQuery(options);
  const path = `/api/coordinator/v1/execution-plans/${encodeURIComponent(origin)}/resume`;
  const { body: token } = await explainingPlan(server, origin, () =>
    startOnce<string>(server, { method: "POST", path, query }),
  );
  if (!options.json) printLines(cli.out, [`Goes on from ${oneLine(origin)}.`]);
  return goOnWith(cli, { server, token, startedAt }, options);
}
