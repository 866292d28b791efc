import type { Command } from "commander";
import { Failure } from "../../platform/errors/failure.ts";
import { readEvents } from "../client/event-stream.ts";
import { followStream } from "../client/follow-stream.ts";
import { callServer, openStreamOf, type Server } from "../client/http.ts";
import { printJsonLine, printLines, type Cli, type Run } from "../context.ts";
import { inputFailure } from "../exit-codes.ts";
import { oneLine, safeText } from "../print/text.ts";
import { serverOf, withServer, type ServerOptions } from "../options.ts";

interface ChatOptions extends ServerOptions {
  agent?: string;
  session?: string;
}

const base = "/api/assistant/v2";

export function defineChat(program: Command, cli: Cli, run: Run): void {
  const chat = program
    .command("chat")
    .summary("talk to the assistant")
    .description(
      "Asks the assistant and prints its answer as it is written; without a message it reads questions until the input ends. " +
        "Before a tool changes something it asks you, and treats every answer but y as no. Ctrl-C cancels the answer.",
    )
    .argument("[message]", "what to ask")
    .option("--agent <name>", "name or id of the agent to ask (default: the server's)")
    .option("--session <id>", "the session to go on with");
  withServer(chat).action((message: string | undefined, options: ChatOptions) =>
    run(() => converse(cli, message, options)),
  );
}

async function converse(cli: Cli, message: string | undefined, options: ChatOptions): Promise<number> {
  const server = serverOf(cli, options);
  const agentId = options.agent === undefined ? undefined : await agentOf(server, options.agent);
  const fixed = { agent_id: agentId };
  if (message !== undefined) {
    await answer({ cli, server, options }, { ...fixed, message, session_id: options.session });
    return 0;
  }
  let sessionId = options.session;
  for (;;) {
    const line = await cli.ask(cli.err.styles.strong("> "));
    if (line === null) break;
    if (line.trim() === "") continue;
    sessionId = await answer({ cli, server, options }, { ...fixed, message: line, session_id: sessionId });
  }
  cli.signal.throwIfAborted();
  printLines(cli.err, [""]);
  return 0;
}

interface ListedAgents {
  data: { id: string; name: string }[];
}

async function agentOf(server: Server, wanted: string): Promise<string> {
  if (/^[0-9a-f-]{36}$/i.test(wanted)) return wanted;
  const { body } = await callServer<ListedAgents>(server, {
    method: "GET",
    path: `${base}/agents`,
    query: { search: wanted, enabled: true, limit: "100" },
  });
  const found = body.data.find(({ name }) => name === wanted);
  if (found) return found.id;
  throw inputFailure(`There is no agent ${wanted}.`, { where: "--agent" });
}

interface Talk {
  cli: Cli;
  server: Server;
  options: ChatOptions;
}

/** Asks one question and prints the answer; returns the session id. */
async function answer(talk: Talk, task: Record<string, unknown>): Promise<string> {
  const { cli, server } = talk;
  const started = await begin(server, task);
  try {
    await follow(talk, started.runId);
  } catch (error) {
    if (cli.signal.aborted) await cancel(talk, started.runId);
    throw error;
  }
  return started.sessionId;
}

interface Started {
  runId: string;
  sessionId: string;
}

async function begin(server: Server, body: Record<string, unknown>): Promise<Started> {
  const stream = await openStreamOf(server, { method: "POST", path: `${base}/task`, body });
  for await (const { type, data } of readEvents(stream)) {
    if (type !== "RUN_STARTED") continue;
    const { runId, threadId } = JSON.parse(data) as { runId: string; threadId: string };
    return { runId, sessionId: threadId };
  }
  throw new Failure({ kind: "upstream", code: "CLI_UNREACHABLE", message: "The server began no answer." });
}

/** Uses a signal of its own, because the command's is aborted already. */
async function cancel({ cli, server }: Talk, runId: string): Promise<void> {
  const signal = AbortSignal.timeout(5_000);
  const call = { method: "POST", path: `${base}/runs/${runId}/cancel` } as const;
  await callServer({ ...server, signal }, call).catch(() => {});
  printLines(cli.err, ["", "Cancelled."]);
}

const isLast = ({ type }: { type: string }): boolean => type === "RUN_FINISHED" || type === "RUN_ERROR";

async function follow(talk: Talk, runId: string): Promise<void> {
  const broken = {
    message: "The stream of the answer breaks off again and again.",
    solution: "The answer goes on without you; read it in its session.",
  };
  const followed = { path: `${base}/runs/${runId}/events`, isLast, broken };
  const { cli, server, options } = talk;
  for await (const { type, data } of followStream(server, followed)) {
    const event = JSON.parse(data) as ChatEvent;
    if (options.json) printJsonLine(cli.out, event);
    else await show(talk, runId, { ...event, type });
    if (type === "RUN_ERROR") {
      const { message = "The run failed.", code = "PLATFORM_INTERNAL" } = event;
      throw new Failure({ kind: "upstream", code, message });
    }
  }
}

interface ChatEvent {
  type: string;
  delta?: string;
  toolCallName?: string;
  name?: string;
  value?: AskedApproval;
  result?: { limited?: boolean };
  message?: string;
  code?: string;
}

interface AskedApproval {
  approval_id: string;
  server: string;
  tool: string;
  arguments: unknown;
}

async function show(talk: Talk, runId: string, event: ChatEvent): Promise<void> {
  const { cli } = talk;
  const { faint, attention } = cli.err.styles;
  if (event.type === "TEXT_MESSAGE_CONTENT") cli.out.write(safeText(event.delta ?? ""));
  else if (event.type === "TEXT_MESSAGE_END") cli.out.write("\n");
  else if (event.type === "TOOL_CALL_START") {
    printLines(cli.err, [faint(`· ${oneLine(event.toolCallName ?? "")}`)]);
  } else if (event.type === "CUSTOM" && event.name === "turn_repeated") {
    cli.out.write("(The answer was interrupted and begins again.)\n");
  } else if (event.type === "CUSTOM" && event.name === "approval_required" && event.value) {
    await approve(talk, runId, event.value);
  } else if (event.type === "RUN_FINISHED" && event.result?.limited === true) {
    printLines(cli.err, [attention("The assistant stopped at a limit.")]);
  }
}

async function approve({ cli, server }: Talk, runId: string, asked: AskedApproval): Promise<void> {
  const what = oneLine(`${asked.server}:${asked.tool} ${JSON.stringify(asked.arguments)}`);
  const reply = await cli.ask(`${cli.err.styles.attention("Allow")} ${what}? [y/N] `);
  cli.signal.throwIfAborted();
  const approved = /^y(?:es)?$/i.test(reply?.trim() ?? "");
  const path = `${base}/runs/${runId}/approvals/${asked.approval_id}`;
  await callServer(server, { method: "POST", path, body: { approved } }).catch((error: unknown) => {
    // Decided meanwhile, in another window or by its time limit: the stream has the decision.
    if (!(error instanceof Failure && error.code === "ASSISTANT_APPROVAL_DECIDED")) throw error;
  });
}
