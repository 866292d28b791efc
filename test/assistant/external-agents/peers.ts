/** Agents elsewhere: of A2A by the protocol's own toolkit, and of the other protocols as they are written down. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Role, TaskState, type AgentCard, type Message } from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  type AgentExecutor,
} from "@a2a-js/sdk/server";
import { startHttpPeer } from "../../support/http-peer.ts";

export interface Peer {
  url: string;
  /** Method, path, authorization and parsed body of each request. */
  seen: { method: string; path: string; authorization: string | undefined; body: any }[];
  close(): Promise<void>;
}

type Handle = (request: { path: string; body: any }, response: ServerResponse) => void | Promise<void>;

export async function startPeer(handle: Handle): Promise<Peer> {
  const seen: Peer["seen"] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const { method = "", url: path = "", headers } = request;
    const body: unknown = text === "" ? null : JSON.parse(text);
    seen.push({ method, path, authorization: headers.authorization, body });
    await handle({ path, body }, response);
  };
  const peer = await startHttpPeer((request, response) => void answer(request, response));
  return {
    url: peer.url,
    seen,
    close: peer.close,
  };
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const textPart = (text: string) => ({
  content: { $case: "text" as const, value: text },
  metadata: undefined,
  filename: "",
  mediaType: "",
});

const reply = (text: string, contextId: string): Message => ({
  messageId: `reply-${contextId}`,
  contextId,
  taskId: "",
  role: Role.ROLE_AGENT,
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** Repeats the question: at once, or by a task that takes a while, or fails when the question says so. */
const executor: AgentExecutor = {
  async execute({ userMessage, taskId, contextId }, bus) {
    const [part] = userMessage.parts;
    const question = part?.content?.$case === "text" ? part.content.value : "";
    if (!question.startsWith("task")) {
      bus.publish(AgentEvent.message(reply(`You said: ${question}`, contextId)));
      return bus.finished();
    }
    const status = (state: TaskState) => ({ state, message: undefined, timestamp: undefined });
    const task = { id: taskId, contextId, history: [], metadata: undefined };
    const begun = { ...task, status: status(TaskState.TASK_STATE_WORKING), artifacts: [] };
    bus.publish(AgentEvent.task(begun));
    await new Promise((done) => setTimeout(done, 100));
    const failed = question.includes("fail");
    const artifact = {
      artifactId: "1",
      name: "answer",
      description: "",
      parts: [textPart(`Done: ${question}`)],
      metadata: undefined,
      extensions: [],
    };
    const state = failed ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_COMPLETED;
    bus.publish(AgentEvent.task({ ...task, status: status(state), artifacts: failed ? [] : [artifact] }));
    bus.finished();
  },
  cancelTask: async () => undefined,
};

/** An agent of that revision of A2A. */
export async function startA2aPeer(version: "1.0" | "0.3"): Promise<Peer> {
  const holder: { handler?: JsonRpcTransportHandler | LegacyJsonRpcTransportHandler } = {};
  const peer = await startPeer(async ({ path, body }, response) => {
    if (path === "/.well-known/agent-card.json") return sendJson(response, cards[version](peer.url));
    if (path !== "/a2a" || holder.handler === undefined) return sendJson(response, {}, 404);
    const context = new ServerCallContext({ requestedVersion: version });
    sendJson(response, await holder.handler.handle(body, context));
  });
  const card = cards["1.0"](peer.url) as unknown as AgentCard;
  const requests = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  holder.handler =
    version === "1.0" ? new JsonRpcTransportHandler(requests) : new LegacyJsonRpcTransportHandler(requests);
  return peer;
}

const about = {
  name: "Echo",
  description: "Says what it was told.",
  version: "1",
  capabilities: { streaming: false },
  defaultInputModes: ["text"],
  defaultOutputModes: ["text"],
  skills: [],
};

const cards = {
  "1.0": (url: string): object => ({
    ...about,
    supportedInterfaces: [
      { url: `${url}/grpc`, protocolBinding: "GRPC", protocolVersion: "1.0" },
      { url: `${url}/a2a`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
  }),
  "0.3": (url: string): object => ({
    ...about,
    url: `${url}/a2a`,
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
  }),
};
