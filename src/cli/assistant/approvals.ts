/** `plinth assistant approvals` and `plinth assistant decide`: tool calls of your runs that wait for you. */
import type { Command } from "commander";
import { Failure } from "../../platform/errors/failure.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { callServer, type Server } from "../client/http.ts";
import { printJson, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { withLimit } from "../lists/command.ts";
import { timeCell } from "../lists/kinds.ts";
import { paging, readList } from "../lists/pages.ts";
import { printList, type ListOptions } from "../lists/print-list.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";
import { oneLine } from "../print/text.ts";

const base = "/api/assistant/v2";

interface WaitingCall {
  approval_id: string;
  run_id: string;
  server: string;
  tool: string;
  arguments: Record<string, unknown>;
  since: string;
  expires_at: string;
}

interface DecideOptions extends ServerOptions {
  arguments?: string;
}

export function defineApprovals(assistant: Command, cli: Cli, run: Run): void {
  const command = assistant
    .command("approvals")
    .summary("list the tool calls that wait for you")
    .description("Lists the tool calls of your runs that wait for you to allow them, the oldest first.");
  withLimit(command).action((options: ListOptions) => run(() => list(cli, options)));
}

export function defineDecide(assistant: Command, cli: Cli, run: Run): void {
  const command = assistant
    .command("decide")
    .summary("allow or refuse a tool call that waits")
    .description(
      "Decides a tool call that waits for you; its run goes on at once. The assistant reads the reason of a refusal.",
    )
    .argument("<id>", "id of the approval")
    .argument("<decision>", "approve or refuse")
    .argument("[reason]", "why it is refused")
    .option("--arguments <json>", "call the tool with these arguments instead; - reads them from the input");
  withServer(command).action(
    (id: string, decision: string, reason: string | undefined, options: DecideOptions) =>
      run(() => decide(cli, { id, decision, reason }, options)),
  );
}

async function list(cli: Cli, options: ListOptions): Promise<number> {
  const listed = await readWaiting(serverOf(cli, options), options.limit);
  printList<WaitingCall>(cli, options, {
    listed,
    columns: [
      { title: "ID" },
      { title: "TOOL" },
      { title: "SINCE" },
      { title: "EXPIRES" },
      { title: "ARGUMENTS", shrinks: true },
    ],
    toRow: (call) => [
      oneLine(call.approval_id),
      oneLine(`${call.server}:${call.tool}`),
      timeCell(call.since),
      timeCell(call.expires_at),
      oneLine(JSON.stringify(call.arguments)),
    ],
  });
  const hint = "Decide one: plinth assistant decide <id> approve, or refuse with a reason";
  if (!options.json && listed.items.length > 0) printLines(cli.out, [cli.out.styles.faint(hint)]);
  return 0;
}

const readWaiting = (server: Server, limit: number) =>
  readList<WaitingCall>(server, { path: `${base}/approvals`, query: {}, limit, next: paging.offset });

interface Decided {
  id: string;
  decision: string;
  reason: string | undefined;
}

/** Nobody has more that wait. */
const mostWaiting = 10_000;

async function decide(cli: Cli, { id, decision, reason }: Decided, options: DecideOptions): Promise<number> {
  if (decision !== "approve" && decision !== "refuse") {
    throw inputFailure(`The decision must be approve or refuse, not ${decision}.`, { where: "<decision>" });
  }
  const approved = decision === "approve";
  if (approved && reason !== undefined) {
    throw inputFailure("A reason belongs to a refusal.", { where: "[reason]" });
  }
  const given =
    options.arguments === undefined ? {} : { arguments: await readArguments(cli, options.arguments) };
  if (!approved && options.arguments !== undefined) {
    throw inputFailure("Arguments belong to an approval.", { where: "--arguments" });
  }
  const server = serverOf(cli, options);
  const { items } = await readWaiting(server, mostWaiting);
  const call = items.find((each) => each.approval_id === id);
  if (call === undefined) throw unknownApproval(id, items);
  const path = `${base}/runs/${call.run_id}/approvals/${id}`;
  const body = { approved, ...(reason === undefined ? {} : { reason }), ...given };
  const answer = await callServer<{ id: string; status: string }>(server, { method: "POST", path, body });
  if (options.json) printJson(cli.out, answer.body);
  else printLines(cli.out, [`${oneLine(call.server)}:${oneLine(call.tool)} is ${answer.body.status}.`]);
  return 0;
}

async function readArguments(cli: Cli, given: string): Promise<Record<string, unknown>> {
  const text = given === "-" ? await cli.readInput() : given;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (cause) {
    throw inputFailure("The arguments are no JSON.", { where: "--arguments", cause: cause as Error });
  }
  throw inputFailure("The arguments must be a JSON object.", { where: "--arguments" });
}

const unknownApproval = (id: string, waiting: readonly WaitingCall[]): Failure =>
  new Failure({
    kind: "not_found",
    code: "CLI_UNKNOWN_APPROVAL",
    message: `No tool call ${id} waits for you.`,
    solutions:
      waiting.length === 0
        ? ["Nothing waits for you: it was decided, or its time is over."]
        : [
            `These wait: ${waiting
              .slice(0, 5)
              .map((each) => each.approval_id)
              .join(", ")}.`,
          ],
  });
