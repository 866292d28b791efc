/** Input at and beyond its limits, over HTTP, with the bodies of the refusals as they are. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ScriptedModel } from "../../support/scripted-model/server.ts";
import { until, type Answer, type WholeServer } from "../../support/server.ts";
import { allOf, openStream, readUntil } from "../runs/stream.ts";
import { offerTools } from "../offered-tools.ts";
import { startModelServer } from "../model-server.ts";

let server: WholeServer;
let model: ScriptedModel;
beforeAll(async () => {
  ({ server, model } = await startModelServer([]));
});
afterAll(() => server.close());
beforeEach(() => {
  model.follow([{ turn: { text: "Yes" } }]);
});

const post = (path: string, body: unknown): Promise<Answer> =>
  server.assistant({ method: "POST", path, body });
const sync = (body: object): Promise<Answer> => post("/task/sync", body);
const unknownId = "0e2f4c1e-5f0b-4a53-9c0e-1d2b3c4d5e6f";

/** Outside `/v2`, where other clients are. */
async function compat(path: string, body: object): Promise<{ status: number; body: any }> {
  const stream = await openStream(`${server.url}/api/assistant${path}`, { body });
  await allOf(stream);
  return stream;
}

const astral = "🦑";

describe("a message", () => {
  const entrances: [string, (message: string) => Promise<{ status: number; body: any }>][] = [
    ["of Task Sync", (message) => sync({ message })],
    ["of Task", (message) => compat("/v2/task", { message })],
    [
      "of a chat completion",
      (content) =>
        compat("/v1/chat/completions", { model: "orchestrator", messages: [{ role: "user", content }] }),
    ],
    ["of a response", (input) => compat("/v1/responses", { model: "orchestrator", input })],
    [
      "of AG-UI",
      (content) => {
        const ids = { threadId: crypto.randomUUID(), runId: crypto.randomUUID() };
        return compat("/agui", { ...ids, messages: [{ role: "user", content }] });
      },
    ],
    [
      "of A2A",
      async (text) => {
        const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
        const { body } = await openStream(`${server.url}/api/assistant/a2a`, {
          body: { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
          headers: { "a2a-version": "1.0" },
        });
        return { status: body.error?.code === -32_602 ? 422 : 200, body };
      },
    ],
    [
      "of a chat window",
      (text) =>
        compat("/chat", {
          id: crypto.randomUUID(),
          messages: [{ role: "user", parts: [{ type: "text", text }] }],
        }),
    ],
  ];

  it.each(entrances)("%s has 1 to 10,000 characters, whatever these take", async (_name, send) => {
    for (const message of ["x", astral, "x".repeat(10_000), astral.repeat(10_000)])
      expect((await send(message)).status).toBe(200);
    for (const message of ["", "x".repeat(10_001), astral.repeat(10_001)])
      expect([400, 422]).toContain((await send(message)).status);
  });

  it("of 0 and of 10,001 characters is refused with these bodies", async () => {
    expect((await sync({ message: "" })).body).toEqual({
      detail: [
        {
          loc: ["body", "message"],
          msg: "must not be empty",
          type: "string_too_short",
          input: "",
          ctx: { min_length: 1 },
        },
      ],
    });
    expect((await sync({ message: "x".repeat(10_001) })).body).toEqual({
      detail: [
        {
          loc: ["body", "message"],
          msg: "must have at most 10000 characters",
          type: "string_too_long",
          input: `${"x".repeat(500)}…`,
          ctx: { max_length: 10_000 },
        },
      ],
    });
  });

  it("that no database could hold is refused", async () => {
    for (const message of ["a\0b", "half a pair \udc00"]) {
      const { status, body } = await sync({ message });
      expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
        422,
        ["body", "message"],
        "value_error",
      ]);
    }
  });
});

describe("an agent", () => {
  it("that is unknown, no uuid or disabled is refused with these bodies", async () => {
    const made = await post("/agents", { name: "off", label: "Off", enabled: false });
    const refusal = (input: string, msg: string): object => ({
      detail: [{ loc: ["body", "agent_id"], msg, type: "value_error", input }],
    });
    for (const [id, msg] of [
      [unknownId, "is no agent"],
      ["main", "is no agent"],
      [made.body.id, "is an agent that is disabled"],
    ] as const) {
      const answer = await sync({ message: "x", agent_id: id });
      expect([answer.status, answer.body]).toEqual([422, refusal(id, msg)]);
    }
  });

  it("that is disabled later is not asked any more: its session goes on with the one where runs begin", async () => {
    const { body: own } = await post("/agents", {
      name: "fleeting",
      label: "Fleeting",
      instructions: "You are fleeting.",
    });
    const first = await sync({ message: "x", agent_id: own.id });
    await server.assistant({ method: "PATCH", path: `/agents/${own.id}`, body: { enabled: false } });
    const second = await sync({ message: "y", session_id: first.body.session_id });
    expect([first.status, second.status]).toEqual([200, 200]);
    const [before, after] = model.requests.slice(-2).map(({ body }) => body.messages[0]?.content ?? "");
    expect(before).toContain("You are fleeting.");
    expect(after).not.toContain("You are fleeting.");
  });

  it("that a model asks although it was disabled meanwhile says that it is not there", async () => {
    const { body: helper } = await post("/agents", { name: "gone", label: "Gone" });
    const { body: boss } = await post("/agents", { name: "boss", label: "Boss", subagent_ids: [helper.id] });
    await server.assistant({ method: "PATCH", path: `/agents/${helper.id}`, body: { enabled: false } });
    model.follow([
      // The result is a user's message too: a request without tools has no messages of tools.
      { role: "user", times: 1, turn: { calls: [{ name: "ask_gone", arguments: { task: "Help" } }] } },
      { turn: { text: "So be it." } },
    ]);
    const { body } = await sync({ message: "x", agent_id: boss.id });
    expect(body.message).toBe("So be it.");
    expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toMatch(/not available|no tool/);
  });
});

describe("what belongs to somebody else", () => {
  it("is not there: neither the session nor its runs", async () => {
    model.follow([{ turn: { text: "on", endless: true, tokenMs: 10 } }]);
    const stream = await openStream(`${server.url}/api/assistant/v2/task`, { body: { message: "x" } });
    const { data } = await readUntil(stream, ({ event }) => event === "RUN_STARTED");
    const { runId, threadId } = data;
    const as = "developer" as const;
    const session = { detail: "There is no such session.", code: "ASSISTANT_UNKNOWN_SESSION" };
    const run = { detail: "There is no such run.", code: "ASSISTANT_UNKNOWN_RUN" };
    const approved = { approved: true };
    const calls: [string, string, unknown, object][] = [
      ["POST", "/task/sync", { message: "x", session_id: threadId }, session],
      ["POST", "/task", { message: "x", session_id: threadId }, session],
      ["GET", `/sessions/${threadId}/messages`, undefined, session],
      ["PATCH", `/sessions/${threadId}/title`, { title: "mine" }, session],
      ["DELETE", `/sessions/${threadId}`, undefined, session],
      ["GET", `/runs/${runId}`, undefined, run],
      ["GET", `/runs/${runId}/events`, undefined, run],
      ["POST", `/runs/${runId}/cancel`, undefined, run],
      ["POST", `/runs/${runId}/approvals/${unknownId}`, approved, run],
    ];
    for (const [method, path, body, expected] of calls) {
      const answer = await server.assistant({ method, path, as, ...(body === undefined ? {} : { body }) });
      expect([method, path, answer.status, answer.body]).toEqual([method, path, 404, expected]);
    }
    // A thread of the same name is another session for each user, and an answer of others is none to go on from.
    const response = { model: "orchestrator", input: "x", previous_response_id: `resp_${runId}` };
    const foreign = await openStream(`${server.url}/api/assistant/v1/responses`, { body: response, as });
    expect([foreign.status, foreign.body.error.param]).toEqual([400, "previous_response_id"]);
    expect((await server.assistant({ path: `/runs/${runId}` })).body.status).toBe("running");
    await server.assistant({ method: "POST", path: `/runs/${runId}/cancel` });
    stream.close();
  });
});

describe("lists of 1,000 and of 1,001", () => {
  const tools = (count: number): object[] =>
    Array.from({ length: count }, (_, n) => ({ server: "yard", name: `t${n}` }));
  const ids = (count: number): string[] => Array.from({ length: count }, () => unknownId);
  const tooLong = (field: string): object => ({
    loc: ["body", field],
    msg: "must have at most 1000 items",
    type: "too_long",
    input: expect.any(String),
    ctx: { max_length: 1_000 },
  });

  it("tools of a skill and of an agent", async () => {
    await offerTools(
      server,
      "yard",
      Array.from({ length: 1_000 }, (_, n) => `t${n}`),
    );
    await offerTools(server, "a", ["b"]);
    const make = (path: string, mcp_tools: object[]): Promise<Answer> =>
      post(path, { name: `many ${mcp_tools.length}`, label: "Many", content: "x", mcp_tools });
    for (const path of ["/skills", "/agents"]) {
      const most = await make(path, tools(1_000));
      expect(most.status).toBe(201);
      const more = await make(path, tools(1_001));
      expect([more.status, more.body]).toEqual([422, { detail: [tooLong("mcp_tools")] }]);
    }
    const { body: agent } = await make("/agents", tools(999));
    const add = (count: number): Promise<Answer> =>
      post(`/agents/${agent.id}/mcp-tools`, { mcp_tools: tools(count) });
    expect((await add(1_000)).status).toBe(200);
    const beyond = await post(`/agents/${agent.id}/mcp-tools`, { mcp_tools: [{ server: "a", name: "b" }] });
    expect([beyond.status, beyond.body.detail]).toEqual([
      422,
      [
        {
          loc: ["body", "mcp_tools"],
          msg: "would give the agent more than 1000 tools",
          type: "value_error",
          input: [{ server: "a", name: "b" }],
        },
      ],
    ]);
  });

  it.each(["skill_ids", "subagent_ids"])("%s of an agent", async (field) => {
    const make = (count: number): Promise<Answer> =>
      post("/agents", { name: "a", label: "A", [field]: ids(count) });
    const most = await make(1_000);
    // As many as may be named are looked up, and each unknown one is reported, up to a hundred.
    expect([most.status, most.body.detail.length, most.body.detail[0].type]).toEqual([
      422,
      100,
      "value_error",
    ]);
    const more = await make(1_001);
    expect([more.status, more.body]).toEqual([422, { detail: [tooLong(field)] }]);
  });

  it("ids to look up", async () => {
    const lookUp = (count: number): Promise<Answer> =>
      post("/mcp-tools/lookup", { ids: Array.from({ length: count }, (_, n) => `yard:${n}`) });
    const most = await lookUp(1_000);
    expect([most.status, most.body]).toEqual([200, []]);
    const more = await lookUp(1_001);
    expect([more.status, more.body]).toMatchObject([422, { detail: [tooLong("ids")] }]);
  });

  it("messages of other clients", async () => {
    const chat = (count: number) =>
      compat("/v1/chat/completions", {
        model: "orchestrator",
        messages: Array.from({ length: count }, () => ({ role: "user", content: "x" })),
      });
    expect((await chat(1_000)).status).toBe(200);
    expect((await chat(1_001)).status).toBe(400);
  });
});

it("of two new agents that both want to be the default, and of two changes, one is", async () => {
  const make = (name: string): Promise<Answer> => post("/agents", { name, label: name, is_default: true });
  const made = await Promise.all(["left", "right", "middle"].map(make));
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  const defaults = async (): Promise<string[]> => {
    const { body } = await until(
      () => server.assistant({ path: "/agents?limit=100" }),
      ({ status }) => status === 200,
    );
    return body.data.filter((agent: any) => agent.is_default).map(({ id }: any) => id);
  };
  expect(await defaults()).toHaveLength(1);
  const changes = made.map(({ body }) =>
    server.assistant({ method: "PATCH", path: `/agents/${body.id}`, body: { is_default: true } }),
  );
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await defaults()).toHaveLength(1);
});
