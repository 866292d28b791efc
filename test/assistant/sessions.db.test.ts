/** Sessions over HTTP: whose they are, in which order, their titles and their end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWholeServer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
const own = "0b7d3c9e-1f52-4f4e-9a55-0f6b7c0c1d01";
const older = "0b7d3c9e-1f52-4f4e-9a55-0f6b7c0c1d02";
const foreign = "0b7d3c9e-1f52-4f4e-9a55-0f6b7c0c1d03";
const run = "0b7d3c9e-1f52-4f4e-9a55-0f6b7c0c1d04";

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  const { pool } = server.db.database;
  const rows: [string, string, string][] = [
    [own, "service:default/admin", "2026-01-02T00:00:00Z"],
    [older, "service:default/admin", "2026-01-01T00:00:00Z"],
    [foreign, "service:default/developer", "2026-01-03T00:00:00Z"],
  ];
  for (const row of rows) {
    await pool.query(
      "insert into assistant_sessions (id, owner, title, created_at, updated_at) values ($1, $2, 'A title', $3, $3)",
      row,
    );
  }
  await pool.query(
    `insert into assistant_runs (id, session_id, owner, actor, request_id, request_hash, message, status, created_at)
     values ($1, $2, 'service:default/admin', '{}', 'r1', 'h', 'Hello', 'completed', now())`,
    [run, own],
  );
  await pool.query(
    `insert into assistant_messages (session_id, run_id, role, content, created_at)
     values ($1, $2, 'user', 'Hello', now()), ($1, $2, 'assistant', 'Good morning', now())`,
    [own, run],
  );
});
afterAll(() => server.close());

it("lists the caller's own, the one used last first, page by page", async () => {
  const first = await server.assistant({ path: "/sessions?limit=1" });
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    data: [
      {
        id: own,
        title: "A title",
        agent_id: null,
        created_at: "2026-01-02T00:00:00.000Z",
        updated_at: "2026-01-02T00:00:00.000Z",
        waiting: null,
      },
    ],
    meta: { pagination: { total: 2, limit: 1, offset: 0 } },
  });
  const second = await server.assistant({ path: "/sessions?limit=1&offset=1" });
  expect(second.body.data.map((session: { id: string }) => session.id)).toEqual([older]);
});

it("lists the messages in the order in which they were said", async () => {
  const { body } = await server.assistant({ path: `/sessions/${own}/messages` });
  expect(body.data.map(({ role, content, run_id }: any) => [role, content, run_id])).toEqual([
    ["user", "Hello", run],
    ["assistant", "Good morning", run],
  ]);
  expect(body.meta.pagination).toEqual({ total: 2, limit: 25, offset: 0 });
});

describe("searchSessions", () => {
  const search = async (query: string, as: "admin" | "developer" = "admin"): Promise<any> => {
    const { status, body, text } = await server.assistant({ path: `/sessions/search?${query}`, as });
    expect(status, text).toBe(200);
    return body;
  };
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it("finds one's own by the beginnings of words of a message", async () => {
    expect(await search("q=morn%20GOO")).toEqual({
      data: [
        {
          session_id: own,
          title: "A title",
          matches: "message",
          message_id: expect.stringMatching(/^\d+$/),
          role: "assistant",
          excerpt: "Good morning",
          at,
        },
      ],
      meta: { limit: 20, more: false },
    });
    // Not the middle of a word, and not the words of two messages together.
    expect((await search("q=orning")).data).toEqual([]);
    expect((await search("q=hello%20morning")).data).toEqual([]);
    expect((await search("q=morning", "developer")).data).toEqual([]);
  });

  it("finds titles first and says when there are more", async () => {
    const found = await search("q=titl&limit=1");
    expect(found).toEqual({
      data: [
        {
          session_id: own,
          title: "A title",
          matches: "title",
          message_id: null,
          role: null,
          excerpt: "A title",
          at: "2026-01-02T00:00:00.000Z",
        },
      ],
      meta: { limit: 1, more: true },
    });
    const all = await search("q=titl");
    expect(all.data.map((each: any) => each.session_id)).toEqual([own, older]);
  });

  it.each([["!!!"], ["'; drop table x; --"], ["a & | b"], [":*"], ["0x1e5 1e5 1.5"]])(
    "takes nothing for an operator: %s",
    async (text) => {
      expect(await search(`q=${encodeURIComponent(text)}`)).toMatchObject({
        data: [],
        meta: { more: false },
      });
    },
  );

  it.each([["q="], ["q=a&limit=51"], ["limit=2"], [`q=${"a".repeat(201)}`]])("refuses %s", async (query) => {
    expect((await server.assistant({ path: `/sessions/search?${query}` })).status).toBe(422);
  });
});

describe.each([
  ["somebody else's", foreign],
  ["no", "0b7d3c9e-1f52-4f4e-9a55-0f6b7c0c1d09"],
  ["none of ours, by its id,", "zebra"],
])("%s session", (_, id) => {
  it.each([
    ["GET", `/sessions/${id}/messages`, undefined],
    ["PATCH", `/sessions/${id}/title`, { title: "Mine" }],
    ["DELETE", `/sessions/${id}`, undefined],
  ])("%s %s is not found", async (method, path, body) => {
    const answer = await server.assistant({ method, path, body });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      detail: "There is no such session.",
      code: "ASSISTANT_UNKNOWN_SESSION",
    });
  });
});

it("takes a title from the owner and answers null", async () => {
  const answer = await server.assistant({
    method: "PATCH",
    path: `/sessions/${older}/title`,
    body: { title: "Zoë's plan" },
  });
  expect([answer.status, answer.text]).toEqual([200, "null"]);
  const { rows } = await server.db.database.pool.query(
    "select title, title_by from assistant_sessions where id = $1",
    [older],
  );
  expect(rows).toEqual([{ title: "Zoë's plan", title_by: "owner" }]);
});

it.each([
  ["without a title", {}, "missing"],
  ["too long", { title: "x".repeat(1_001) }, "string_too_long"],
])("refuses a title body %s", async (_, body, type) => {
  const answer = await server.assistant({ method: "PATCH", path: `/sessions/${own}/title`, body });
  expect(answer.status).toBe(422);
  expect(answer.body.detail[0]).toMatchObject({ loc: ["body", "title"], type });
});

it("deletes a session with all that belongs to it", async () => {
  const answer = await server.assistant({ method: "DELETE", path: `/sessions/${own}` });
  expect([answer.status, answer.text]).toEqual([204, ""]);
  const { rows } = await server.db.database.pool.query("select count(*)::int as n from assistant_messages");
  expect(rows).toEqual([{ n: 0 }]);
  expect((await server.assistant({ path: `/sessions/${own}/messages` })).status).toBe(404);
});
