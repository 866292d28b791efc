/** Agents elsewhere, registered over HTTP and asked as tools. */
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createAgentTools } from "../../../src/assistant/agents/external/agent-tools.ts";
import { readActiveAgents } from "../../../src/assistant/agents/external/store.ts";
import { createSecretBox } from "../../../src/platform/lib/secrets/secret-box.ts";
import { silentLogger } from "../../../src/platform/lib/logger.ts";
import { openOutboundClients } from "../../../src/platform/outbound/outbound-clients.ts";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import type { WholeServer } from "../../support/server.ts";
import { allOf, openStream, readUntil } from "../runs/stream.ts";
import { sendJson, startA2aPeer, startPeer, type Peer } from "./peers.ts";
import { startModelServer } from "../model-server.ts";

let server: WholeServer;
let model: ScriptedModel;
const peers: Peer[] = [];

beforeAll(async () => {
  const configure = (config: Config): void => {
    config.assistant.approvals.rules = [{ tool: "agents:barred_*", decision: "deny" }];
  };
  ({ server, model } = await startModelServer([], { configure }));
});
afterAll(() => server.close());
afterEach(async () => {
  const { body } = await server.assistant({ path: "/agent-catalog" });
  for (const { id } of body.data) await server.assistant({ method: "DELETE", path: `/agent-catalog/${id}` });
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

async function register(peer: Peer, more: object = {}): Promise<string> {
  peers.push(peer);
  const body = { name: "Echo", description: "Says what it was told.", endpoint: peer.url, ...more };
  const answer = await server.assistant({ method: "POST", path: "/agent-catalog", body });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
}

/** A run whose model asks the agent, and says what came back. */
async function askThrough(message: string, as: "viewer" | "developer" = "viewer"): Promise<string> {
  model.follow(({ messages, tools }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: last.content ?? "" };
    const name = tools.map((tool) => tool.function.name).find((each) => each.startsWith("agents__"));
    return name === undefined
      ? { text: "There is no agent." }
      : { calls: [{ name, arguments: { message } }] };
  });
  const answer = await server.assistant({ method: "POST", path: "/task/sync", body: { message: "Go" }, as });
  expect(answer.status).toBe(200);
  return answer.body.message as string;
}

it.each(["1.0", "0.3"] as const)("asks an agent of A2A %s, at once and by a task", async (version) => {
  const peer = await startA2aPeer(version);
  await register(peer, { payload: { protocol: "a2a" } });
  expect(await askThrough("ahoy")).toContain("You said: ahoy");
  expect(await askThrough("task: count")).toContain("Done: task: count");
  expect(await askThrough("task: fail")).toContain("The agent's task is failed");
});

it("finds the protocol by the card, and speaks plainly where there is none", async () => {
  await register(await startA2aPeer("1.0"));
  expect(await askThrough("ahoy")).toContain("You said: ahoy");
  const { body } = await server.assistant({ path: "/agent-catalog" });
  await server.assistant({ method: "DELETE", path: `/agent-catalog/${body.data[0].id}` });
  const plain = await startPeer(({ path, body: given }, response) =>
    path.endsWith("agent-card.json")
      ? sendJson(response, {}, 404)
      : sendJson(response, { answer: `${given.mode}: ${given.message}` }),
  );
  await register(plain, { payload: { mode: "brief" } });
  expect(await askThrough("ahoy")).toContain("brief: ahoy");
});

const events = (list: object[]): string => list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

it("asks an agent by AG-UI and takes its text", async () => {
  const said = [
    { type: "RUN_STARTED" },
    { type: "TEXT_MESSAGE_START", messageId: "1", role: "assistant" },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "1", delta: "Ahoy, " },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "1", delta: "sailor" },
    { type: "TEXT_MESSAGE_END", messageId: "1" },
  ];
  const endings: Record<string, object[]> = {
    good: [{ type: "RUN_FINISHED" }],
    bad: [{ type: "RUN_ERROR", message: "No wind." }],
    cut: [],
  };
  const peer = await startPeer(({ body }, response) => {
    const { content } = body.messages[0];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(events([...said, ...(endings[content] ?? [])]));
  });
  await register(peer, { payload: { protocol: "agui", forwardedProps: { deck: 2 } } });
  expect(await askThrough("good")).toContain("Ahoy, sailor");
  expect(peer.seen[0]?.body).toMatchObject({ forwardedProps: { deck: 2 }, threadId: expect.any(String) });
  expect(await askThrough("bad")).toContain("No wind.");
  expect(await askThrough("cut")).toContain("broke off");
});

it("asks an agent by Chat Completions", async () => {
  const peer = await startPeer(({ path, body }, response) =>
    path === "/v1/chat/completions"
      ? sendJson(response, {
          choices: [{ message: { content: `${body.model}: ${body.messages[0].content}` } }],
        })
      : sendJson(response, {}, 404),
  );
  await register(peer, { endpoint: `${peer.url}/v1`, payload: { protocol: "openai", model: "navigator" } });
  expect(await askThrough("where to")).toContain("navigator: where to");
});

it("tells the agent who asks, by a token that anybody can check and this platform does not take", async () => {
  const peer = await startPeer((_request, response) => sendJson(response, { message: "ok" }));
  const id = await register(peer, { payload: { protocol: "http" } });
  await askThrough("who am I", "developer");
  const token = peer.seen[0]?.authorization?.replace("Bearer ", "") ?? "";
  const keys = createRemoteJWKSet(new URL(`${server.url}/api/assistant/v2/keys`));
  const { payload } = await jwtVerify(token, keys, { audience: peer.url });
  expect(payload).toMatchObject({ sub: "service:default/developer", roles: ["developer"] });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
  const taken = await fetch(`${server.url}/api/assistant/v2/agents`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(taken.status).toBe(401);
  const body = { need_authentication: false };
  await server.assistant({ method: "PATCH", path: `/agent-catalog/${id}`, body });
  await askThrough("who am I");
  expect(peer.seen.at(-1)?.authorization).toBeUndefined();
});

it("sends no token to an address that only the card names", async () => {
  const other = await startPeer((_request, response) =>
    sendJson(response, { jsonrpc: "2.0", id: 1, result: { kind: "message", parts: [{ text: "mine now" }] } }),
  );
  const peer = await startPeer((_request, response) =>
    sendJson(response, { name: "x", url: `${other.url}/a2a`, protocolVersion: "0.3.0" }),
  );
  peers.push(other);
  await register(peer, { payload: { protocol: "a2a" } });
  expect(await askThrough("ahoy")).toContain("mine now");
  expect(peer.seen[0]?.authorization).toBeDefined();
  expect(other.seen.map(({ authorization }) => authorization)).toEqual([undefined]);
});

it("calls no private address that only the card names, unless the settings allow it", async () => {
  const other = await startPeer((_request, response) => sendJson(response, {}));
  const peer = await startPeer((_request, response) =>
    sendJson(response, { name: "x", url: `${other.url}/a2a`, protocolVersion: "0.3.0" }),
  );
  peers.push(other);
  await register(peer, { payload: { protocol: "a2a" }, need_authentication: false });
  const { database } = server.db;
  const outbound = { ...server.config.outbound, privateNetworks: { agentCards: false } };
  const { clients: outboundClients, close } = openOutboundClients(outbound, silentLogger);
  const tools = createAgentTools({
    database,
    outbound: outboundClients.agents,
    cardOutbound: outboundClients.agentCards,
    log: silentLogger,
    secrets: createSecretBox(
      Buffer.from(server.config.mesh.builder.instantiations.secretKey ?? "", "base64"),
    ),
    signer: Object.create(null),
    readActive: () => readActiveAgents(database.db, 10),
  });
  const [tool] = await tools.list();
  const call = { name: tool?.name ?? "", arguments: { message: "ahoy" } };
  const limits = { signal: new AbortController().signal, timeoutMs: 5_000 };
  const answer = await tools.call({ ...Object.create(null), traceparent: "" }, call as never, limits);
  await close();
  expect(answer).toMatchObject({
    isError: true,
    text: expect.stringContaining("may not be called from here"),
  });
  expect([peer.seen.length > 0, other.seen]).toEqual([true, []]);
});

it.each([true, false])("asks the user first where it is registered so; approved %s", async (approved) => {
  const peer = await startPeer((_request, response) => sendJson(response, { message: "Sold." }));
  await register(peer, { payload: { protocol: "http", destructive: true, market: "fish" } });
  model.follow(({ messages, tools }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") return { text: last.content ?? "" };
    const name = tools.map((tool) => tool.function.name).find((each) => each.startsWith("agents__")) ?? "";
    return { calls: [{ name, arguments: { message: "Sell it" } }] };
  });
  const as = "developer";
  const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "Go" }, as });
  let runId = "";
  const { data } = await readUntil(stream, ({ event, data: given }) => {
    if (event === "RUN_STARTED") runId = given.runId;
    return given.name === "approval_required";
  });
  expect(data.value).toMatchObject({ server: "agents", arguments: { message: "Sell it" } });
  expect(peer.seen).toEqual([]);
  const path = `/runs/${runId}/approvals/${data.value.approval_id}`;
  await server.assistant({ method: "POST", path, body: { approved }, as });
  const end = (await allOf(stream)).at(-1);
  expect(end?.data.result.message).toContain(approved ? "Sold." : "the user did not allow this call");
  const sent = peer.seen.map(({ body }) => body);
  expect(sent).toEqual(approved ? [{ market: "fish", message: "Sell it" }] : []);
});

it("asks none that a rule denies", async () => {
  const peer = await startPeer((_request, response) => sendJson(response, { message: "Sold." }));
  await register(peer, { name: "Barred", payload: { protocol: "http" } });
  expect(await askThrough("ahoy")).toBe("Error: the platform's policy does not allow this tool.");
  expect(peer.seen).toEqual([]);
});

it("offers none that is not active, and says why one could not be asked", async () => {
  const peer = await startPeer((_request, response) => sendJson(response, { oops: true }, 500));
  const id = await register(peer, { payload: { protocol: "http" } });
  expect(await askThrough("ahoy")).toContain("The agent answered 500");
  await server.assistant({ method: "PATCH", path: `/agent-catalog/${id}`, body: { active: false } });
  expect(await askThrough("ahoy")).toBe("There is no agent.");
});
