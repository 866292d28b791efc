/** Clients of MCP, of both generations of its SDK, and of A2A. */
import { randomUUID } from "node:crypto";
import { Role, TaskState, type Task } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  type Client as A2aClient,
} from "@a2a-js/sdk/client";
import { connectMcp, generations, type Generation, type McpClient } from "../assistant/mcp/clients.ts";
import type { ClientKind } from "./client-kind.ts";
import { expectText, untilStopped, type World } from "./world.ts";

const askedByClient =
  "a client of MCP asks its user itself, before it calls a tool that is marked as destructive";

const within =
  (generation: Generation, work: (client: McpClient) => Promise<void>) =>
  async ({ url, token }: World): Promise<void> => {
    const client = await connectMcp(`${url}/mcp`, generation, "admin", token);
    try {
      await work(client);
    } finally {
      await client.close();
    }
  };

const mcp = (generation: Generation): ClientKind => ({
  name: `MCP SDK, ${generation}`,
  steps: {
    question: within(generation, async (client) => {
      expectText((await client.prompts()).map(({ name }) => name).join(), /explain-plan/);
      expectText((await client.resources()).map(({ uri }) => uri).join(), /SKILL\.md/);
    }),
    tool: within(generation, async (client) => {
      const { isError, value } = await client.call("search_templates");
      if (isError || value === undefined) throw new Error("The tool has refused.");
    }),
    approved: within(generation, async (client) => {
      const tools = await client.tools();
      const marked = tools.find(({ name }) => name === "terminate_provisioning")?.annotations;
      if (marked?.destructiveHint !== true) throw new Error("The tool is not marked as destructive.");
      const unit = { deploymentUnitId: "urn:dmb:cmp:none:none:0", environment: "development" };
      expectText((await client.call("terminate_provisioning", unit)).text, /refused this/);
    }),
    refused: askedByClient,
    stop: "every call is one short request",
    error: within(generation, async (client) => {
      const said = await client.call("no_such_tool").then(
        () => "no error",
        (error: unknown) => (error instanceof Error ? error.message : ""),
      );
      expectText(said, /no_such_tool/);
    }),
  },
});

export const mcpClients: readonly ClientKind[] = generations.map(mcp);

const connect = ({ url, headers }: World): Promise<A2aClient> => {
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } });
  return new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  }).createFromUrl(`${url}/`);
};

const messageOf = (
  content: { $case: "text"; value: string } | { $case: "data"; value: unknown },
  taskId = "",
) => ({
  tenant: "",
  message: {
    messageId: randomUUID(),
    contextId: "",
    taskId,
    role: Role.ROLE_USER,
    parts: [{ content, metadata: undefined, filename: "", mediaType: "" }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});

const text = (value: string) => messageOf({ $case: "text", value });

async function send(client: A2aClient, message: ReturnType<typeof messageOf>): Promise<Task> {
  const answer = await client.sendMessage(message);
  if (!("artifacts" in answer)) throw new Error("A message came instead of a task.");
  return answer;
}

const answerOf = ({ artifacts }: Task): string =>
  artifacts
    .flatMap(({ parts }) => parts)
    .map(({ content }) => (content?.$case === "text" ? content.value : ""))
    .join("");

const decide =
  (approved: boolean, wanted: RegExp) =>
  async (world: World): Promise<void> => {
    const client = await connect(world);
    const task = await send(client, text("remove it"));
    if (task.status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED)
      throw new Error(`The task does not ask: ${JSON.stringify(task.status)}`);
    const said = JSON.stringify(task.status);
    const approvalId = /"approval_id":"([0-9a-f-]{36})"/.exec(said)?.[1];
    const data = { approval_id: approvalId, approved };
    expectText(answerOf(await send(client, messageOf({ $case: "data", value: data }, task.id))), wanted);
  };

export const a2a: ClientKind = {
  name: "A2A SDK",
  steps: {
    question: async (world) =>
      expectText(answerOf(await send(await connect(world), text("Hello"))), /Good morning/),
    tool: async (world) =>
      expectText(answerOf(await send(await connect(world), text("look"))), /It was called/),
    approved: decide(true, /It was called/),
    refused: decide(false, /Then not/),
    async stop(world) {
      const before = world.model.requests.length;
      const client = await connect(world);
      for await (const { payload } of client.sendMessageStream(text("endless"))) {
        if (payload?.$case !== "artifactUpdate") continue;
        await client.cancelTask({ tenant: "", id: payload.value.taskId, metadata: undefined });
      }
      await untilStopped(world, before);
    },
    async error(world) {
      const task = await send(await connect(world), text("break"));
      if (task.status?.state !== TaskState.TASK_STATE_FAILED) throw new Error(JSON.stringify(task.status));
    },
  },
};
