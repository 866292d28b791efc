/** Stop means stop: clients whose protocol says so cancel their run by leaving; the run of others goes on. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { AbstractChat, DefaultChatTransport, type ChatState, type UIMessage } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { inTransaction } from "../../../src/platform/db/database.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { eventually } from "../../support/eventually.ts";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { tokenOf, type WholeServer } from "../../support/server.ts";
import { startModelServer } from "../model-server.ts";
import { testTools } from "./agents.ts";
import { openStream, readUntil } from "./stream.ts";

let server: WholeServer;
let model: ScriptedModel;

beforeAll(async () => {
  ({ server, model } = await startModelServer([], { tools: testTools() }));
});
afterAll(() => server.close());
beforeEach(() => {
  model.follow([{ turn: { text: "word ", endless: true, tokenMs: 20 } }]);
});

const headers = { authorization: `Bearer ${tokenOf("admin")}`, "content-type": "application/json" };
const at = (path: string): string => `${server.url}/api/assistant${path}`;
const openai = (): OpenAI => new OpenAI({ baseURL: at("/v1"), apiKey: tokenOf("admin"), maxRetries: 0 });
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Talk" }];

const statusOf = async (runId: string): Promise<string> =>
  (await server.assistant({ path: `/runs/${runId}` })).body.status;

const statusOfLast = async (): Promise<string> => {
  const last = "select status from assistant_runs order by created_at desc, id desc limit 1";
  return (await server.db.database.pool.query<{ status: string }>(last)).rows[0]?.status ?? "none";
};

/** The number of requests to the model that go on; each of these runs has one. */
const talking = (): number => model.requests.filter(({ isCut }) => !isCut).length;
const begun = (before: number): Promise<void> =>
  expect.poll(() => model.requests.length).toBeGreaterThan(before);

/** The model would go on for ever, and at a limit its run would end otherwise: it was cancelled. */
async function expectStopped(runId?: string): Promise<void> {
  await expect.poll(() => (runId === undefined ? statusOfLast() : statusOf(runId))).toBe("cancelled");
  await expect.poll(talking).toBe(0);
}

const countRuns = async (): Promise<number> => {
  const { rows } = await server.db.database.pool.query("select 1 from assistant_runs");
  return rows.length;
};

const cancel = (runId: string) => server.assistant({ method: "POST", path: `/runs/${runId}/cancel` });

it("openai's abort of a streamed chat cancels the run", async () => {
  const stream = await openai().chat.completions.create({ model: "main", messages, stream: true });
  let runId = "";
  for await (const { id, choices } of stream) {
    runId = id.replace("chatcmpl-", "");
    if ((choices[0]?.delta.content ?? "") !== "") break;
  }
  stream.controller.abort();
  await expectStopped(runId);
});

it("so does leaving an answer that is not streamed, and a response", async () => {
  for (const ask of [
    (signal: AbortSignal) => openai().chat.completions.create({ model: "main", messages }, { signal }),
    (signal: AbortSignal) => openai().responses.create({ model: "main", input: "Talk" }, { signal }),
    (signal: AbortSignal) =>
      openai().responses.create({ model: "main", input: "Talk", stream: true }, { signal }),
  ]) {
    const before = model.requests.length;
    const stop = new AbortController();
    const asked = Promise.resolve(ask(stop.signal)).catch(() => null);
    await begun(before);
    stop.abort();
    await asked;
    await expectStopped();
  }
});

it("so does a connection that is cut before the first byte of the answer", async () => {
  const body = JSON.stringify({ model: "main", messages, stream: true });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const head = [
    "POST /api/assistant/v1/chat/completions HTTP/1.1",
    `host: ${hostname}`,
    `authorization: ${headers.authorization}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ];
  const { database } = server.db;
  const before = model.requests.length;
  const runs = await countRuns();
  // The run is about to be stored when its client leaves.
  await inTransaction(database, async (tx) => {
    await sql`lock table assistant_sessions in share mode`.execute(tx);
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    await eventually("the request", async () => {
      const { rows } = await sql`select 1 from pg_locks
        where relation = 'assistant_sessions'::regclass and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(
        database.db,
      );
      return rows.length > 0;
    });
    socket.destroy();
    await once(socket, "close");
  });
  await expect.poll(countRuns).toBe(runs + 1);
  await expectStopped();
  const open = "select status from assistant_runs where status in ('queued', 'running')";
  await expect.poll(async () => (await server.db.database.pool.query(open)).rows).toEqual([]);
  expect(model.requests.length - before).toBeLessThanOrEqual(1);
});

class Chat extends AbstractChat<UIMessage> {}

it("so does the stop of useChat", async () => {
  const state: ChatState<UIMessage> = {
    status: "ready",
    error: undefined,
    messages: [],
    pushMessage: (message) => void state.messages.push(message),
    popMessage: () => void state.messages.pop(),
    replaceMessage: (index, message) => void (state.messages[index] = message),
    snapshot: (thing) => structuredClone(thing),
  };
  const { authorization } = headers;
  const transport = new DefaultChatTransport({ api: at("/chat"), headers: { authorization } });
  const ui = new Chat({ id: randomUUID(), state, transport });
  const sending = ui.sendMessage({ text: "Talk" });
  await expect.poll(() => JSON.stringify(ui.messages)).toContain("word");
  await ui.stop();
  await sending;
  await expectStopped(ui.messages.at(-1)?.id);
});

it.each([
  ["/v1/chat/completions?resume=true", { model: "main", messages, stream: true }],
  [
    "/chat?resume=true",
    { id: randomUUID(), messages: [{ role: "user", parts: [{ type: "text", text: "Talk" }] }] },
  ],
  ["/v2/task", { message: "Talk" }],
  ["/agui", { threadId: randomUUID(), runId: randomUUID(), messages: [{ role: "user", content: "Talk" }] }],
  [
    "/a2a",
    {
      jsonrpc: "2.0",
      id: 1,
      method: "message/stream",
      params: { message: { messageId: randomUUID(), role: "user", parts: [{ kind: "text", text: "Talk" }] } },
    },
  ],
])("leaving %s does not", async (path, body) => {
  const before = model.requests.length;
  const stream = await openStream(at(path), { body });
  await begun(before);
  stream.close();
  await pause(700);
  expect(talking()).toBe(1);
  const { rows } = await server.db.database.pool.query(
    "select id from assistant_runs where status = 'running'",
  );
  expect(rows).toHaveLength(1);
  await cancel(rows[0].id);
  await expectStopped();
});

it("leaving cancels also a run that another request has followed, and leaving that one does not", async () => {
  const stream = await openStream(at("/v1/chat/completions"), {
    body: { model: "main", messages, stream: true },
  });
  const { data } = await readUntil(stream, ({ data: { id } }) => id !== undefined);
  const runId = data.id.replace("chatcmpl-", "");
  const { body } = await server.assistant({ path: `/runs/${runId}` });
  const task = { message: "Talk", request_id: body.request_id, agent_id: null };
  // It joins by the id of the request, or by that of the run.
  expect((await server.assistant({ method: "POST", path: "/task", body: task })).status).toBe(422);
  const other = await openStream(at(`/v2/runs/${runId}/events`), { method: "GET" });
  other.close();
  await pause(700);
  expect(await statusOf(runId)).toBe("running");
  const watching = await openStream(at(`/v2/runs/${runId}/events`), { method: "GET" });
  stream.close();
  await expectStopped(runId);
  await readUntil(watching, ({ event }) => event === "RUN_ERROR");
});
