/** Skills over HTTP: literal shapes, lists, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, type Answer, type Call, type WholeServer } from "../support/server.ts";
import { offerTools } from "./offered-tools.ts";
import { badIds, badPages, expectRefusal, testRefusals } from "./refusals.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());
beforeEach(async () => {
  await offerTools(server, "yard", ["knot", "splice", ...Array.from({ length: 1_001 }, (_, n) => `t${n}`)]);
  await sql`delete from assistant_skills`.execute(server.db.database.db);
});

const post = (body: unknown, as: Call["as"] = "operator"): Call => ({
  method: "POST",
  path: "/skills",
  body,
  as,
});
const patch = (id: string, body: unknown): Call => ({ method: "PATCH", path: `/skills/${id}`, body });
const create = async (body: object): Promise<any> => {
  const answer = await server.assistant(post({ name: "Rigging", content: "# Ropes", ...body }));
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const ship = async (id: string, key = "rigging"): Promise<void> => {
  await sql`update assistant_skills set platform_key = ${key} where id = ${id}`.execute(
    server.db.database.db,
  );
};
const names = ({ body }: Answer): string[] => body.data.map(({ name }: { name: string }) => name);

const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

it("a skill is created, read, changed and deleted", async () => {
  const tools = [
    { server: "yard", name: "splice" },
    { server: "yard", name: "knot" },
  ];
  const made = await create({ mcp_tools: [...tools, tools[0]] });
  expect(made).toEqual({
    id,
    platform_key: "",
    name: "Rigging",
    description: "",
    content: "# Ropes",
    mcp_tools: tools,
    is_platform_provided: false,
    agent_count: 0,
    created_at: time,
    updated_at: time,
  });
  expect((await server.assistant({ path: `/skills/${made.id}`, as: "viewer" })).body).toEqual(made);
  const nothing = { name: null, description: null, content: null, mcp_tools: null };
  const same = await server.assistant(patch(made.id, nothing));
  expect(same.status).toBe(200);
  expect(same.body).toEqual({ ...made, updated_at: time });
  const changed = await server.assistant(
    patch(made.id, { name: "Knots", description: "All of them", mcp_tools: [] }),
  );
  const expected = { ...made, name: "Knots", description: "All of them", mcp_tools: [], updated_at: time };
  expect(changed.body).toEqual(expected);
  expect((await server.assistant({ path: `/skills/${made.id}` })).body).toEqual(changed.body);
  const gone = await server.assistant({ method: "DELETE", path: `/skills/${made.id}` });
  expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: "" });
  expect((await server.assistant({ path: `/skills/${made.id}` })).body).toEqual({
    detail: `There is no skill with the id ${made.id}.`,
    code: "ASSISTANT_UNKNOWN_SKILL",
  });
});

it("a list holds items without their content, and a pagination", async () => {
  const made = await create({
    description: "Knots and splices",
    mcp_tools: [{ server: "yard", name: "knot" }],
  });
  expect((await server.assistant({ path: "/skills", as: "viewer" })).body).toEqual({
    data: [
      {
        id: made.id,
        platform_key: "",
        name: "Rigging",
        description: "Knots and splices",
        is_platform_provided: false,
        agent_count: 0,
        tool_count: 1,
        created_at: made.created_at,
        updated_at: made.updated_at,
      },
    ],
    meta: { pagination: { total: 1, limit: 25, offset: 0 } },
  });
});

it("lists are searched, narrowed, ordered and paged", async () => {
  const tool = (n: number): object[] =>
    Array.from({ length: n }, (_, i) => ({ server: "yard", name: `t${i}` }));
  const bow = await create({ name: "bow", description: "z 100%", mcp_tools: tool(2) });
  const keel = await create({ name: "Keel", description: "y", mcp_tools: tool(3) });
  const aft = await create({ name: "Aft", description: "x_y", mcp_tools: tool(1) });
  await ship(keel.id);
  const list = async (query: string): Promise<string[]> =>
    names(await server.assistant({ path: `/skills?${query}` }));
  expect(await list("")).toEqual(["Aft", "bow", "Keel"]);
  expect(await list("sort-order=desc")).toEqual(["Keel", "bow", "Aft"]);
  expect(await list("sort-by=description")).toEqual(["Aft", "Keel", "bow"]);
  expect(await list("sort-by=tool_count&sort-order=desc")).toEqual(["Keel", "bow", "Aft"]);
  expect(await list("sort-by=type&sort-order=desc")).toEqual(["Keel", "bow", "Aft"]);
  expect(await list("sort-by=agent_count")).toEqual(["Aft", "bow", "Keel"]);
  expect(await list("search=KE")).toEqual(["Keel"]);
  expect(await list("search=%25")).toEqual(["bow"]);
  expect(await list("search=x_")).toEqual(["Aft"]);
  expect(await list("search=")).toHaveLength(3);
  expect(await list("is_platform_provided=true")).toEqual(["Keel"]);
  expect(await list("is_platform_provided=false")).toEqual(["Aft", "bow"]);
  expect(await list(`ids=${bow.id}&ids=${aft.id.toUpperCase()}`)).toEqual(["Aft", "bow"]);
  expect(await list(`ids=${bow.id},${aft.id},nonsense`)).toEqual(["Aft", "bow"]);
  expect(await list("ids=nonsense")).toEqual([]);
  const second = await server.assistant({ path: "/skills?limit=1&offset=1" });
  expect(names(second)).toEqual(["bow"]);
  expect(second.body.meta).toEqual({ pagination: { total: 3, limit: 1, offset: 1 } });
  const beyond = await server.assistant({ path: "/skills?offset=9007199254740991" });
  expect(beyond.body).toEqual({
    data: [],
    meta: { pagination: { total: 3, limit: 25, offset: 9007199254740991 } },
  });
});

it("a skill of the product is extended, and neither rewritten nor deleted", async () => {
  const made = await create({});
  await ship(made.id);
  const renamed = await server.assistant(patch(made.id, { name: "Mine", content: "x" }));
  expectRefusal(renamed, { status: 409, type: "ASSISTANT_PLATFORM_RECORD" });
  expect(renamed.body.detail).toBe(
    "The skill Rigging is shipped with the product: its name, content can't be changed. Copy it under another name and " +
      "change the copy, or take it out of the agents that have it.",
  );
  const deleted = await server.assistant({ method: "DELETE", path: `/skills/${made.id}` });
  expectRefusal(deleted, { status: 409, type: "ASSISTANT_PLATFORM_RECORD" });
  const tools = [{ server: "yard", name: "knot" }];
  const extended = await server.assistant(patch(made.id, { name: "Rigging", mcp_tools: tools }));
  expect(extended.body).toMatchObject({
    mcp_tools: tools,
    platform_key: "rigging",
    is_platform_provided: true,
  });
});

it("operators write, viewers read", async () => {
  for (const as of ["viewer", "developer"] as const)
    expectRefusal(await server.assistant(post({ name: "a", content: "b" }, as)), {
      status: 403,
      type: "PLATFORM_FORBIDDEN",
    });
  expectRefusal(await server.assistant({ path: "/skills", as: null }), {
    status: 401,
    type: "PLATFORM_UNAUTHENTICATED",
  });
});

it("every problem of a body is listed", async () => {
  const { status, body } = await server.assistant(
    post({ name: "", content: 7, mcp_tools: [{ server: "yard" }] }),
  );
  expect(status).toBe(422);
  expect(body).toEqual({
    detail: [
      {
        loc: ["body", "name"],
        msg: "must not be empty",
        type: "string_too_short",
        input: "",
        ctx: { min_length: 1 },
      },
      { loc: ["body", "content"], msg: "must be a string", type: "string_type", input: 7 },
      {
        loc: ["body", "mcp_tools", "0", "name"],
        msg: "is required",
        type: "missing",
        input: { server: "yard" },
      },
    ],
  });
});

describe("creating refuses", () => {
  const but = (more: object): Call => post({ name: "a", content: "b", ...more });
  const tool = { server: "yard", name: "knot" };
  testRefusals(
    () => server,
    [
      ["no body", post(undefined), 422, "missing", ["body"]],
      ["an empty text", post(""), 422, "missing", ["body"]],
      ["malformed JSON", post('{"name": "a",}'), 422, "json_invalid", ["body"]],
      [
        "another type",
        { ...post("a"), headers: { "content-type": "text/plain" } },
        422,
        "json_invalid",
        ["body"],
      ],
      ["a list", post([]), 422, "model_attributes_type", ["body"]],
      ["an empty object", post({}), 422, "missing", ["body", "name"]],
      ["no content", post({ name: "a" }), 422, "missing", ["body", "content"]],
      ["an empty content", but({ content: "" }), 422, "string_too_short", ["body", "content"]],
      ["a name that is null", but({ name: null }), 422, "string_type", ["body", "name"]],
      ["a name of 256 characters", but({ name: "船".repeat(256) }), 422, "string_too_long", ["body", "name"]],
      ["a description that is null", but({ description: null }), 422, "string_type", ["body", "description"]],
      ["tools that are null", but({ mcp_tools: null }), 422, "list_type", ["body", "mcp_tools"]],
      ["tools that are no list", but({ mcp_tools: tool }), 422, "list_type", ["body", "mcp_tools"]],
      ["a tool that is a text", but({ mcp_tools: ["a:b"] }), 422, "dict_type", ["body", "mcp_tools", "0"]],
      [
        "a tool without a name",
        but({ mcp_tools: [tool, { ...tool, name: "" }] }),
        422,
        "string_too_short",
        ["body", "mcp_tools", "1", "name"],
      ],
      [
        "1,001 tools",
        but({ mcp_tools: Array.from({ length: 1_001 }, () => tool) }),
        422,
        "too_long",
        ["body", "mcp_tools"],
      ],
      ["NUL in the name", but({ name: "a\0" }), 422, "value_error", ["body", "name"]],
      ["half a surrogate pair", but({ content: "\udc00" }), 422, "value_error", ["body", "content"]],
    ],
  );
});

describe("lists refuse", () => {
  testRefusals(
    () => server,
    [
      ...badPages("/skills"),
      ["an unknown sort key", { path: "/skills?sort-by=content" }, 422, "enum", ["query", "sort-by"]],
      ["an unknown order", { path: "/skills?sort-order=up" }, 422, "enum", ["query", "sort-order"]],
      [
        "half a truth",
        { path: "/skills?is_platform_provided=maybe" },
        422,
        "bool_parsing",
        ["query", "is_platform_provided"],
      ],
    ],
  );
});

describe.each([
  ["reading", (at: string): Call => ({ path: `/skills/${at}` })],
  ["updating", (at: string): Call => patch(at, {})],
  ["deleting", (at: string): Call => ({ method: "DELETE", path: `/skills/${at}` })],
])("%s refuses", (_what, request) => {
  testRefusals(() => server, badIds("skill_id", request, "ASSISTANT_UNKNOWN_SKILL"));
});

describe("updating refuses", () => {
  const but = (body: unknown): Call => patch("0e2f4c1e-5f0b-4a53-9c0e-1d2b3c4d5e6f", body);
  testRefusals(
    () => server,
    [
      ["no body", but(undefined), 422, "missing", ["body"]],
      ["an empty name", but({ name: "" }), 422, "string_too_short", ["body", "name"]],
      ["a name that is a number", but({ name: 1 }), 422, "string_type", ["body", "name"]],
      ["an empty content", but({ content: "" }), 422, "string_too_short", ["body", "content"]],
      ["tools that are no list", but({ mcp_tools: true }), 422, "list_type", ["body", "mcp_tools"]],
    ],
  );
});
