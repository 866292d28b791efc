/**
 * Secrets of every kind, and peers that repeat them: models, embedders, MCP servers over HTTP and as programs, agents
 * elsewhere. They are found nowhere: not in prompts, answers, events, logs, rows or files.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run as runCli } from "../../../src/cli/testdata.ts";
import { createLogger } from "../../../src/platform/telemetry/logger.ts";
import { dumpDatabase, dumpFiles, expectNone } from "../../support/canaries.ts";
import type { ChatRequest, Turn } from "../../support/scripted-model/script.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startRecorder, type Recorder } from "../../support/recorder.ts";
import {
  startWholeServer,
  testRoles,
  testSecretKey,
  until,
  type Answer,
  type Call,
  type WholeServer,
} from "../../support/server.ts";
import { sendJson, startPeer, type Peer } from "../external-agents/peers.ts";
import { mcpServer } from "../mcp/pool-fixture.ts";
import { echoProgram, startEchoIssuer, startEchoMcp, type EchoServer } from "./echo-peers.ts";

const secrets = {
  modelKey: "sk-CaNaRy-model-key-7a1f",
  modelHeader: "CaNaRy-model-header-2b9c",
  embedderKey: "sk-CaNaRy-embedder-key-5d3e",
  fixedToken: "CaNaRy-fixed-token/+0c4a",
  fixedHeader: "CaNaRy-fixed-header-8e2d",
  clientSecret: "CaNaRy client secret %1f6b",
  issuedToken: "CaNaRy-issued-token-9c7d",
  identitySecret: "CaNaRy-identity-secret-of-32-characters-3a",
  programToken: "CaNaRy-program-token-6f1e",
  /** Of an external agent: only those who may edit it see them, and only there. */
  agentPayload: "CaNaRy-payload-secret-4b8a",
  agentHeader: "CaNaRy-agent-header-7e3c",
  agentQuery: "CaNaRy-agent-query-1d5b",
};

const agentPayload = {
  protocol: "http",
  options: { api_key: secrets.agentPayload },
  headers: { Authorization: `Bearer ${secrets.agentHeader}` },
};

let server: WholeServer;
let model: ScriptedModel;
let embedder: Recorder;
let echo: EchoServer;
let issuer: Awaited<ReturnType<typeof startEchoIssuer>>;
let peer: Peer;
let cwd: string;
let logged = "";
const answers: string[] = [];

const turns: Record<string, Turn> = {
  unauthorised: { status: 401, error: { error: { message: `No such key: ${secrets.modelKey}` } } },
  broken: {
    status: 500,
    retryAfter: "0",
    error: {
      error: { message: `authorization: Bearer ${secrets.modelKey}, x-api-token: ${secrets.modelHeader}` },
    },
  },
  limited: { status: 429, retryAfter: "0", error: { message: `${secrets.modelHeader} has had enough` } },
  said: { tokens: ["The key is ", ...secrets.modelKey.match(/.{1,3}/g)!, " and ", secrets.modelHeader, "."] },
  cut: {
    tokens: ["The key is ", secrets.modelKey, " ", secrets.modelKey.slice(0, 9), "x"],
    tokenMs: 30,
    cutAfter: 4,
  },
  called: { calls: [{ name: "fixed__echo", arguments: { key: secrets.modelKey, it: secrets.modelHeader } }] },
};

/** Does what the last text says, and repeats it when it says nothing. */
function followsInstructions({ messages, tools }: ChatRequest): Turn {
  const text = messages.at(-1)?.content ?? "";
  const turn = turns[/TURN (\w+)/.exec(text)?.[1] ?? ""];
  if (turn !== undefined && messages.at(-1)?.role === "user" && !text.startsWith("<data")) return turn;
  const wanted = /^CALL (\w+)/.exec(text)?.[1];
  // The probe offers none at all.
  const names = (tools as ChatRequest["tools"] | undefined)?.map((tool) => tool.function.name) ?? [];
  const name = names.find((each) => wanted && each.startsWith(wanted));
  return name === undefined
    ? { text: `It says: ${text}` }
    : { calls: [{ name, arguments: { message: text } }] };
}

const send = async (call: Call): Promise<Answer> => {
  const answer = await server.assistant(call);
  answers.push(`${JSON.stringify([...answer.headers])} ${answer.text}`);
  return answer;
};

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "plinth-canaries-"));
  model = await startScriptedModel(followsInstructions);
  embedder = await startRecorder();
  const path = "/v1/embeddings";
  embedder.answers.set(path, { status: 401, body: { error: { message: `Bad ${secrets.embedderKey}` } } });
  echo = await startEchoMcp();
  issuer = await startEchoIssuer(secrets.issuedToken);
  peer = await startPeer(({ path: at, body }, response) => {
    if (at.includes("agent-card.json")) return sendJson(response, {}, 404);
    const said = `called at ${at} with ${peer.seen.at(-1)?.authorization} and ${JSON.stringify(body)}`;
    return sendJson(response, { message: said }, /fail/.test(body.message) ? 500 : 200);
  });
  const { fixedToken: token, clientSecret, identitySecret } = secrets;
  const headers = { "X-Api-Key": secrets.fixedHeader };
  const clientCredentials = { tokenUrl: issuer.url, clientId: "plinth", clientSecret };
  const env = { API_TOKEN: secrets.programToken };
  server = await startWholeServer({
    log: createLogger({ level: "trace", pretty: false }, { write: (line) => void (logged += line) }),
    configure({ assistant }) {
      assistant.mcpServers = [
        mcpServer({ name: "fixed", url: echo.url, token, headers }),
        mcpServer({ name: "granted", url: echo.url, clientCredentials }),
        mcpServer({ name: "identified", url: echo.url, userIdentity: { secret: identitySecret } }),
        mcpServer({ name: "program", transport: "stdio", ...echoProgram, env }),
      ];
    },
  });
  const llm = {
    provider: "openai-compatible",
    endpoint: model.url,
    api_key: secrets.modelKey,
    model: "scripted",
    custom_header: `X-Api-Token: ${secrets.modelHeader}`,
  };
  expect((await send({ method: "POST", path: "/llm/config", body: llm })).status).toBe(200);
  const vectors = {
    provider: "openai",
    endpoint: `${embedder.url}/v1`,
    api_key: secrets.embedderKey,
    model: "e",
  };
  expect((await send({ method: "POST", path: "/embedder/config", body: vectors })).status).toBe(200);
  const agent = {
    name: "echo",
    description: "Repeats",
    endpoint: `${peer.url}/ask?code=${secrets.agentQuery}&${secrets.agentQuery}`,
    payload: agentPayload,
  };
  expect((await server.assistant({ method: "POST", path: "/agent-catalog", body: agent })).status).toBe(201);
  const { body: root } = await send({ path: "/agents?search=orchestrator" });
  const id = root.data.find((each: any) => each.is_orchestrator).id;
  const mcp_tools = ["fixed", "granted", "identified", "program"].map((name) => ({
    server: name,
    name: "echo",
  }));
  await until(
    () => send({ path: "/mcp-servers" }),
    ({ body }) => body.data.every(({ status }: any) => status === "connected"),
  );
  expect((await send({ method: "POST", path: `/agents/${id}/mcp-tools`, body: { mcp_tools } })).status).toBe(
    200,
  );
});
afterAll(async () => {
  await server.close();
  await Promise.all([echo, issuer, peer, model, embedder].map((each) => each.close()));
  await rm(cwd, { recursive: true, force: true });
});

/** The stream of a run and the answer for the same request; what the model was told of a call stands in both. */
async function ask(message: string): Promise<{ stream: string; sync: Answer }> {
  const body = { message, request_id: crypto.randomUUID() };
  const response = await fetch(`${server.url}/api/assistant/v2/task`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token("developer")}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const stream = await response.text();
  answers.push(stream);
  return { stream, sync: await send({ method: "POST", path: "/task/sync", body, as: "developer" }) };
}

/** What all peers have been sent until now. */
const gone = (): string[] => {
  const shown = peer.seen.map(({ authorization = "" }) => authorization.replace(/^Bearer /, ""));
  return [...new Set([...Object.values(secrets), ...echo.tokens, ...shown])].filter((each) => each !== "");
};

describe("a model that repeats its key", () => {
  it.each([
    ["in a refusal", "unauthorised", "refused the credentials (401)"],
    ["in an error", "broken", "It said: authorization: Bearer ***, x-api-token: ***"],
    ["in a limit", "limited", "It said: *** has had enough"],
    ["in its answer, in pieces", "said", "The key is *** and ***."],
  ])("%s", async (_where, turn, shown) => {
    const { stream, sync } = await ask(`TURN ${turn}`);
    expect(sync.text).toContain(shown);
    expectNone(stream + sync.text, gone());
  });

  it("in an answer that is cut off", async () => {
    const { stream } = await ask("TURN cut");
    expect(stream).toContain("RUN_ERROR");
    expect(stream).toContain("***");
    expectNone(stream, gone());
  });

  it("in the arguments of a tool", async () => {
    const { stream } = await ask("TURN called");
    expect(stream).toContain(String.raw`{\"key\":\"***\",\"it\":\"***\"}`);
    expectNone(stream, gone());
  });
});

describe("an MCP server that repeats what it was called with", () => {
  const servers = ["fixed", "granted", "identified", "program"];
  const behaviours: EchoServer["behaviour"][] = ["result", "tool error", "error of the protocol", "500"];
  it.each(servers.flatMap((name) => behaviours.map((behaviour) => [name, behaviour] as const)))(
    "%s, as %s",
    async (name, behaviour) => {
      echo.behaviour = behaviour;
      await until(
        () => send({ path: "/mcp-servers" }),
        ({ body }) => body.data.every(({ status }: any) => status === "connected"),
      );
      const { stream, sync } = await ask(`CALL ${name}__echo`);
      expect(sync.body.message).toMatch(/called with|started with|could not be called/);
      expect(sync.body.message).toContain("***");
      expectNone(stream + sync.text, gone());
    },
  );

  it("in what it says of its tools", async () => {
    const { body, text } = await send({ path: "/mcp-tools?search=echo" });
    expect(body.data.map((tool: any) => /called|started/.test(tool.description))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expectNone(text, gone());
  });
});

describe("an external agent that repeats what it was called with", () => {
  it.each(["repeat", "fail"])("to %s", async (what) => {
    const { stream, sync } = await ask(`CALL agents__echo and ${what}`);
    expect(sync.body.message).toContain("***");
    const { path, body } = peer.seen.at(-1)!;
    expect(path).toContain(`?code=${secrets.agentQuery}`);
    expect(body).toMatchObject({ options: agentPayload.options, headers: agentPayload.headers });
    expectNone(stream + sync.text, gone());
  });
});

it("the stored result of a probe does not contain the key that its answer repeats", async () => {
  for (const path of ["/llm/config", "/embedder/config"]) {
    const { body } = await send({ path });
    expect(body.probe.outcome).toBe(path === "/llm/config" ? "ok" : "failed");
  }
});

it("the command line sees none in a suite", async () => {
  const file = join(cwd, "suite.yaml");
  await writeFile(file, "cases: [{name: a, prompt: TURN said}, {name: b, prompt: TURN unauthorised}]");
  const env = { PLINTH_TOKEN: server.token("developer") };
  const { out, err } = await runCli(["assistant", "eval", file, "--url", server.url, "--json"], { cwd, env });
  expect(JSON.parse(out).cases).toHaveLength(2);
  expectNone(out + err, gone());
});

it("they are found nowhere", async () => {
  const callers = testRoles.map((role) => server.token(role));
  const { password } = server.config.database.coordinator;
  const key = Buffer.from(testSecretKey, "base64");
  const others = [...callers, password, key.toString("latin1"), key.toString("hex"), key.toString("base64")];
  const all = [...gone(), ...others.filter((each) => each.length >= 8)];
  expect(gone().length).toBeGreaterThan(Object.keys(secrets).length + 4);
  const { body: sessions } = await send({ path: "/sessions?limit=100", as: "developer" });
  for (const { id } of sessions.data)
    await send({ path: `/sessions/${id}/messages?limit=100`, as: "developer" });
  for (const path of ["/usage?by=run&owner=all", "/agents", "/skills", "/mcp-tools/changed"])
    await send({ path });
  for (const as of ["viewer", "developer"] as const) {
    const { body } = await send({ path: "/agent-catalog", as });
    await send({ path: `/agent-catalog/${body.data[0].id}`, as });
  }
  for (const role of ["viewer", "admin"] as const) {
    const archive = await fetch(`${server.url}/api/assistant/v2/export`, {
      headers: { authorization: `Bearer ${server.token(role)}` },
    });
    answers.push(gunzipSync(Buffer.from(await archive.arrayBuffer())).toString("latin1"));
  }
  const metrics = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${server.token("viewer")}` },
  });
  answers.push(await metrics.text());
  const prompts = JSON.stringify(model.requests.map(({ body }) => body));
  expect(prompts).toContain("***");
  expectNone(prompts, all, "in prompts");
  expectNone(answers.join("\n"), all, "in answers");
  expect(logged).toContain("a call of an MCP server failed");
  expect(logged).toContain("an agent could not be asked");
  expectNone(logged, all, "in the log");
  expectNone(await dumpDatabase(server.db.database), all, "in the database");
  expectNone(await dumpFiles(server.config.dataDir), all, "in files");
});
