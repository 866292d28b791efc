/** `plinth approvals`: what waits for a decision, what it is about, and the decision. */
import type { Command } from "commander";
import { callServer } from "../client/http.ts";
import type { HookDetails } from "../client/wire.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { listApprovals } from "../lists/approvals.ts";
import { withLimit } from "../lists/command.ts";
import type { ListOptions } from "../lists/print-list.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { oneLine } from "../print/text.ts";
import { approvalLines } from "./print-approval.ts";

interface DecideOptions extends ServerOptions {
  approve?: boolean;
  reject?: boolean;
  reason?: string;
}

export function defineApprovals(program: Command, cli: Cli, run: Run): void {
  const group = program
    .command("approvals")
    .summary("see and decide what waits for approval")
    .description("Deployments and other actions that go on once somebody else has agreed.");
  const list = group
    .command("list")
    .summary("list what waits for a decision")
    .description("The same as `plinth list approvals`: what waits for a decision, the oldest first.");
  withLimit(list).action((options: ListOptions) => run(() => listApprovals(cli, options)));
  const show = group
    .command("show")
    .summary("show what is to be decided")
    .description(
      "Shows who asks for what: of a deployment its unit and environment, what changes, and what the policies say.",
    )
    .argument("<approval>", "id of the hook, as the list shows it");
  withServer(show).action((id: string, options: ServerOptions) => run(() => showApproval(cli, id, options)));
  const decide = group
    .command("decide")
    .summary("approve or reject")
    .description(
      "Decides what somebody else has requested. An approved plan begins; a rejected one ends with the reason.",
    )
    .argument("<approval>", "id of the hook, as the list shows it")
    .option("--approve", "agree")
    .option("--reject", "refuse")
    .option("--reason <text>", "for the requester; a rejection needs one");
  withServer(decide).action((id: string, options: DecideOptions) =>
    run(() => decideApproval(cli, id, options)),
  );
}

const pathOf = (id: string): string => `/api/builder/hooks/${encodeURIComponent(id)}`;

async function showApproval(cli: Cli, id: string, options: ServerOptions): Promise<number> {
  const { body } = await callServer<HookDetails>(serverOf(cli, options), { method: "GET", path: pathOf(id) });
  if (options.json) printJson(cli.out, body);
  else printLines(cli.out, approvalLines(body, { styles: cli.out.styles, width: cli.out.size()?.columns }));
  return 0;
}

async function decideApproval(cli: Cli, id: string, options: DecideOptions): Promise<number> {
  const { approve = false, reject = false, reason } = options;
  if (approve === reject) throw inputFailure("Give either --approve or --reject.");
  if (reject && !reason) throw inputFailure("A rejection needs a reason.", { where: "--reason" });
  const { body } = await callServer<HookDetails>(serverOf(cli, options), {
    method: "POST",
    path: `${pathOf(id)}/answer`,
    body: { status: approve ? "OK" : "KO", reason },
  });
  if (options.json) printJson(cli.out, body);
  else {
    const { deployment } = body;
    const word = approve ? "Approved" : "Rejected";
    printLines(cli.out, [
      deployment === undefined
        ? `${word}.`
        : `${word}: the plan ${oneLine(deployment.planId)} ${approve ? "begins once all who are asked have agreed" : "ends"}.`,
    ]);
  }
  return 0;
}
