import type { FastifyReply, FastifyRequest } from "fastify";
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import { streamEvents } from "../../../platform/http/responses/sse.ts";
import { compatBase } from "../compat-routes.ts";
import type { AssistantContext, AssistantExtra } from "../../context.ts";
import { findAgentByName, readCard } from "./card-service.ts";
import { exchange } from "./methods.ts";
import {
  agentCard,
  agentParams,
  rpcAnswer,
  rpcRequest,
  versionHeader,
  versionQuery,
  type RpcAnswer,
  type RpcRequest,
} from "./schema.ts";

const tags = ["A2A"];
const rule = "useAssistant";
const base = compatBase;
const card = "/.well-known/agent-card.json";

/** Where clients look for the card of the default agent. */
export const cardBase = card;

/** Common options of the JSON-RPC operations. */
const rpc = {
  method: "POST",
  base,
  tags,
  rule,
  body: rpcRequest,
  query: versionQuery,
  headers: versionHeader,
  response: { 200: rpcAnswer, 415: rpcAnswer, 422: rpcAnswer },
  mayStream: true,
} as const;

const rpcDescription =
  "JSON-RPC of A2A 1.0 and 0.3. A run is a task, a session is a context. What the protocol refuses is answered with 200 " +
  "and `error`; a body that is not a JSON-RPC request with 422, and one of another charset than UTF-8 with 415, in the " +
  "same form.";

/** Adds the A2A interface of the agents. */
export function addA2aRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    ...rpc,
    id: "a2a",
    path: "/a2a",
    summary: "Send an A2A message to the default agent",
    description: rpcDescription,
    errors: [503],
    handler: (ctx, { body, query, raw, reply }) =>
      answer(ctx, { agentId: null, request: body, version: versionIn(raw, query["A2A-Version"]), reply }),
  });
  route(app, {
    ...rpc,
    id: "a2aOfAgent",
    path: "/a2a/agents/{agent_name}",
    summary: "Send an A2A message to an agent",
    description: rpcDescription,
    params: agentParams,
    errors: [404, 503],
    async handler(ctx, { params, body, query, raw, reply }) {
      const agentId = await findAgentByName(ctx, params.agent_name);
      return answer(ctx, { agentId, request: body, version: versionIn(raw, query["A2A-Version"]), reply });
    },
  });
  addCardRoutes(app);
}

function addCardRoutes(app: AreaApp<AssistantExtra>): void {
  const { version } = app.area;
  const ofDefault = {
    method: "GET",
    summary: "Get the A2A card of the default agent",
    tags,
    rule,
    response: { 200: agentCard },
  } as const;
  const readDefault = (ctx: AssistantContext) =>
    readCard(ctx, { agentId: null, path: `${base}/a2a`, version });
  route(app, {
    ...ofDefault,
    id: "getWellKnownCard",
    base: cardBase,
    path: "",
    errors: [404],
    handler: readDefault,
  });
  route(app, {
    ...ofDefault,
    id: "getA2aCard",
    base,
    path: `/a2a${card}`,
    errors: [404],
    handler: readDefault,
  });
  route(app, {
    id: "getA2aCardOfAgent",
    method: "GET",
    base,
    path: `/a2a/agents/{agent_name}${card}`,
    summary: "Get the A2A card of an agent",
    tags,
    rule,
    params: agentParams,
    response: { 200: agentCard },
    errors: [404],
    async handler(ctx, { params }) {
      const agentId = await findAgentByName(ctx, params.agent_name);
      const path = `${base}/a2a/agents/${encodeURIComponent(params.agent_name)}`;
      return readCard(ctx, { agentId, path, version });
    },
  });
}

function versionIn({ headers }: FastifyRequest, inQuery: string | undefined): string {
  const given = headers["a2a-version"];
  return typeof given === "string" ? given : (inQuery ?? "");
}

interface RpcCall {
  agentId: string | null;
  request: RpcRequest;
  version: string;
  reply: FastifyReply;
}

async function answer(ctx: AssistantContext, { reply, ...call }: RpcCall): Promise<RpcAnswer | undefined> {
  const answered = await exchange(ctx, call);
  if ("body" in answered) return answered.body;
  streamEvents(reply, answered.events);
  return undefined;
}
