/** Agents over HTTP: literal shapes, the default, the graph, what they are equipped with, and what is refused. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { findRootAgent, loadRunAgent } from "../../src/assistant/agents/run-agent.ts";
import { startWholeServer, type Answer, type Call, type WholeServer } from "../support/server.ts";
import { offerTools } from "./offered-tools.ts";
import { badIds, badPages, expectRefusal, unknownId, testRefusals } from "./refusals.ts";

let server: WholeServer;
let orchestrator: any;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  const { body } = await server.assistant({ path: "/agents?search=orchestrator" });
  orchestrator = body.data.find(({ is_orchestrator }: any) => is_orchestrator);
});
afterAll(() => server.close());
beforeEach(async () => {
  await offerTools(server, "yard", ["knot", "splice", ...Array.from({ length: 1_001 }, (_, n) => `t${n}`)]);
  await offerTools(server, "almanac", ["tide"]);
  await sql`delete from assistant_agents where platform_key = ''`.execute(server.db.database.db);
  await sql`delete from assistant_skills where platform_key = ''`.execute(server.db.database.db);
});

const post = (path: string, body: unknown, as: Call["as"] = "operator"): Call => ({
  method: "POST",
  path,
  body,
  as,
});
const patch = (id: string, body: unknown): Call => ({
  method: "PATCH",
  path: `/agents/${id}`,
  body,
  as: "operator",
});
const create = async (body: object = {}): Promise<any> => {
  const answer = await server.assistant(post("/agents", { name: "bosun", label: "Bosun", ...body }));
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};
const createSkill = async (name: string, tools: object[] = []): Promise<any> => {
  const answer = await server.assistant(
    post("/skills", { name, description: `${name}!`, content: "c", mcp_tools: tools }),
  );
  return answer.body;
};
const own = async (query = ""): Promise<any[]> => {
  const { body } = await server.assistant({ path: `/agents?is_platform_provided=false&limit=100&${query}` });
  return body.data;
};

const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const knotTool = { server: "yard", name: "knot" };
const splice = { server: "yard", name: "splice" };

it("an agent is created, read, changed and deleted", async () => {
  const made = await create();
  expect(made).toEqual({
    id,
    platform_key: "",
    name: "bosun",
    label: "Bosun",
    description: "",
    instructions: "",
    enabled: true,
    is_default: false,
    is_orchestrator: false,
    is_platform_provided: false,
    display_order: 0,
    subagent_ids: [],
    created_at: time,
    updated_at: time,
  });
  expect((await server.assistant({ path: `/agents/${made.id}`, as: "viewer" })).body).toEqual(made);
  const nothing = Object.fromEntries(
    [
      "name",
      "label",
      "description",
      "instructions",
      "enabled",
      "is_default",
      "display_order",
      "subagent_ids",
    ].map((field) => [field, null]),
  );
  expect((await server.assistant(patch(made.id, nothing))).body).toEqual({ ...made, updated_at: time });
  const mate = await create({ name: "mate", label: "Mate" });
  const change = {
    label: "B",
    instructions: "Pull.",
    enabled: false,
    display_order: -3,
    subagent_ids: [mate.id, mate.id],
  };
  const changed = await server.assistant(patch(made.id, change));
  expect(changed.body).toEqual({ ...made, ...change, subagent_ids: [mate.id], updated_at: time });
  const gone = await server.assistant({ method: "DELETE", path: `/agents/${mate.id}` });
  expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: "" });
  expect((await server.assistant({ path: `/agents/${made.id}` })).body.subagent_ids).toEqual([]);
  expect((await server.assistant({ path: `/agents/${mate.id}` })).body).toEqual({
    detail: `There is no agent with the id ${mate.id}.`,
    code: "ASSISTANT_UNKNOWN_AGENT",
  });
});

it("a list holds items with counts and without instructions", async () => {
  const skill = await createSkill("Rigging", [knotTool]);
  const made = await create({
    skill_ids: [skill.id, skill.id],
    mcp_tools: [knotTool, splice, knotTool],
    instructions: "x",
  });
  expect(await own()).toEqual([
    {
      id: made.id,
      platform_key: "",
      name: "bosun",
      label: "Bosun",
      description: "",
      enabled: true,
      is_default: false,
      is_orchestrator: false,
      is_platform_provided: false,
      display_order: 0,
      skill_count: 1,
      tool_count: 2,
      created_at: made.created_at,
      updated_at: made.updated_at,
    },
  ]);
  const { body } = await server.assistant({ path: `/skills/${skill.id}` });
  expect(body.agent_count).toBe(1);
});

it("lists are searched, narrowed, ordered and paged", async () => {
  await create({ name: "a", label: "cook", description: "z", mcp_tools: [knotTool] });
  await create({ name: "b", label: "Bosun", description: "y", enabled: false });
  await create({ name: "c", label: "mate", description: "x", skill_ids: [(await createSkill("s")).id] });
  const labels = async (query: string): Promise<string[]> => (await own(query)).map(({ label }) => label);
  expect(await labels("")).toEqual(["Bosun", "cook", "mate"]);
  expect(await labels("sort-by=description")).toEqual(["mate", "Bosun", "cook"]);
  expect(await labels("sort-by=enabled")).toEqual(["Bosun", "cook", "mate"]);
  expect(await labels("sort-by=skill_count&sort-order=desc")).toEqual(["mate", "cook", "Bosun"]);
  expect(await labels("sort-by=tool_count&sort-order=desc")).toEqual(["cook", "mate", "Bosun"]);
  expect(await labels("sort-by=type&sort-order=desc")).toEqual(["mate", "cook", "Bosun"]);
  expect(await labels("search=COOK")).toEqual(["cook"]);
  expect(await labels("enabled=false")).toEqual(["Bosun"]);
  const { body } = await server.assistant({ path: "/agents?is_platform_provided=true&limit=2&offset=1" });
  expect(body.data).toHaveLength(2);
  expect(body.meta).toEqual({ pagination: { total: 5, limit: 2, offset: 1 } });
});

it("one agent at most is the default, whoever says so at the same time", async () => {
  const agents = await Promise.all(
    Array.from({ length: 10 }, (_, n) => create({ name: `n${n}`, label: `n${n}` })),
  );
  const switches = Array.from({ length: 100 }, (_, n) => patch(agents[n % 10].id, { is_default: true }));
  const answers = await Promise.all(switches.map((call) => server.assistant(call)));
  expect(answers.map(({ status }) => status)).toEqual(switches.map(() => 200));
  expect(answers.every(({ body }) => body.is_default)).toBe(true);
  expect((await own()).filter(({ is_default }) => is_default)).toHaveLength(1);
  const next = await create({ name: "next", is_default: true });
  expect((await own()).filter(({ is_default }) => is_default)).toMatchObject([{ id: next.id }]);
  const db = server.db.database.db;
  expect(await findRootAgent(db)).toEqual({ default: next.id, orchestrator: orchestrator.id });
  await server.assistant(patch(next.id, { enabled: false }));
  expect(await findRootAgent(db)).toEqual({ default: null, orchestrator: orchestrator.id });
  await server.assistant(patch(next.id, { is_default: false }));
  expect((await own()).filter(({ is_default }) => is_default)).toEqual([]);
});

it("the graph has no cycles", async () => {
  const parent = await create({ name: "cook" });
  const mate = await create({ name: "mate", subagent_ids: [parent.id] });
  const master = await create({ name: "master", subagent_ids: [mate.id, parent.id] });
  const cycle = (answer: Answer): unknown => {
    expectRefusal(answer, { status: 422, type: "value_error", loc: answer.body.detail[0].loc });
    return answer.body.detail[0];
  };
  expect(cycle(await server.assistant(patch(parent.id, { subagent_ids: [master.id] })))).toEqual({
    loc: ["body", "subagent_ids", "0"],
    msg: "would make a cycle: cook → master → cook",
    type: "value_error",
    input: master.id,
  });
  expect(cycle(await server.assistant(patch(parent.id, { subagent_ids: [mate.id] })))).toMatchObject({
    msg: "would make a cycle: cook → mate → cook",
  });
  expect(cycle(await server.assistant(patch(parent.id, { subagent_ids: [parent.id] })))).toMatchObject({
    msg: "would make a cycle: cook → cook",
  });
  expect(cycle(await server.assistant(patch(parent.id, { subagent_ids: [orchestrator.id] })))).toMatchObject({
    msg: "is the orchestrator, the root of all agents, which no other agent calls",
  });
  expect((await server.assistant({ path: `/agents/${parent.id}` })).body.subagent_ids).toEqual([]);
});

it("of two changes that would close a cycle together one is refused", async () => {
  const one = await create({ name: "one" });
  const other = await create({ name: "other" });
  const answers = await Promise.all([
    server.assistant(patch(one.id, { subagent_ids: [other.id] })),
    server.assistant(patch(other.id, { subagent_ids: [one.id] })),
  ]);
  expect(answers.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([200, 422]);
});

it("the agents of the product are switched and extended, and neither rewritten nor deleted", async () => {
  const { body } = await server.assistant({ path: "/agents?search=provisioning&is_platform_provided=true" });
  const shipped = body.data.find(({ platform_key }: any) => platform_key === "provisioning");
  for (const change of [{ name: "x" }, { label: "x" }, { description: "x" }, { instructions: "x" }])
    expectRefusal(await server.assistant(patch(shipped.id, change)), {
      status: 409,
      type: "ASSISTANT_PLATFORM_RECORD",
    });
  const off = await server.assistant(
    patch(shipped.id, { name: shipped.name, enabled: false, display_order: 7 }),
  );
  expect(off.body).toMatchObject({ enabled: false, display_order: 7, is_platform_provided: true });
  await server.assistant(patch(shipped.id, { enabled: true, display_order: 20 }));
  const remove = (at: string): Call => ({ method: "DELETE", path: `/agents/${at}` });
  expectRefusal(await server.assistant(remove(shipped.id)), {
    status: 409,
    type: "ASSISTANT_PLATFORM_RECORD",
  });
  expectRefusal(await server.assistant(remove(orchestrator.id)), {
    status: 409,
    type: "ASSISTANT_ORCHESTRATOR",
  });
  expectRefusal(await server.assistant(patch(orchestrator.id, { enabled: false })), {
    status: 409,
    type: "ASSISTANT_ORCHESTRATOR",
  });
});

it("skills and tools are added and removed, and a run gets them", async () => {
  const rigging = await createSkill("Rigging", [knotTool]);
  const parent = await create({ name: "cook", label: "Cook" });
  const off = await create({ name: "off", enabled: false });
  const made = await create({ instructions: "Pull.", subagent_ids: [off.id, parent.id] });
  const given = await server.assistant(
    post(`/agents/${made.id}/skills`, { skill_ids: [rigging.id, rigging.id] }),
  );
  expect(given.status).toBe(200);
  expect(given.body).toEqual({ ...made, updated_at: time });
  const equipped = await server.assistant(
    post(`/agents/${made.id}/mcp-tools`, { mcp_tools: [splice, splice] }),
  );
  expect(equipped.body).toEqual({ ...made, updated_at: time });
  expect(await loadRunAgent(server.db.database.db, made.id)).toEqual({
    id: made.id,
    name: "bosun",
    label: "Bosun",
    description: "",
    instructions: "Pull.",
    enabled: true,
    isOrchestrator: false,
    skills: [
      { id: rigging.id, name: "Rigging", description: "Rigging!", content: "c", mcpTools: [knotTool] },
    ],
    mcpTools: [splice],
    subagents: [{ id: parent.id, name: "cook", label: "Cook", description: "" }],
  });
  const takeTool: Call = { method: "DELETE", path: `/agents/${made.id}/mcp-tools?server=yard&name=splice` };
  const taken = await server.assistant(takeTool);
  expect({ status: taken.status, text: taken.text }).toEqual({ status: 204, text: "" });
  expectRefusal(await server.assistant(takeTool), { status: 404, type: "ASSISTANT_NOT_ATTACHED" });
  const takeSkill: Call = { method: "DELETE", path: `/agents/${made.id}/skills/${rigging.id}` };
  expect((await server.assistant(takeSkill)).status).toBe(204);
  expectRefusal(await server.assistant(takeSkill), { status: 404, type: "ASSISTANT_NOT_ATTACHED" });
  expect(await loadRunAgent(server.db.database.db, unknownId)).toBeNull();
});

it("capabilities are flattened, counted, searched and paged", async () => {
  const rigging = await createSkill("Rigging", [knotTool, splice]);
  const tide = { server: "almanac", name: "tide" };
  const made = await create({ skill_ids: [rigging.id], mcp_tools: [splice, tide] });
  await sql`update mcp_tools set state = 'approved', description = 'Ties'
    where server = 'yard' and name = 'knot'`.execute(server.db.database.db);
  const path = `/agents/${made.id}/capabilities`;
  const { body } = await server.assistant({ path, as: "viewer" });
  const tool = (server_: string, name: string, inherited: boolean, description = ""): object => ({
    id: `${server_}:${name}`,
    display_name: name,
    description,
    kind: "tool",
    server: server_,
    inherited,
  });
  expect(body).toEqual({
    data: [
      { ...tool("yard", "knot", true, "Ties"), name: "knot", children: [] },
      {
        id: rigging.id,
        display_name: "Rigging",
        description: "Rigging!",
        kind: "skill",
        server: "",
        name: "Rigging",
        inherited: false,
        children: [tool("yard", "knot", true, "Ties"), tool("yard", "splice", false)],
      },
      { ...tool("yard", "splice", false), name: "splice", children: [] },
      { ...tool("almanac", "tide", false), name: "tide", children: [] },
    ],
    meta: {
      pagination: { total: 4, limit: 25, offset: 0 },
      summary: {
        skill_count: 1,
        direct_tool_count: 2,
        effective_tool_count: 3,
        inherited_tool_count: 1,
        mcp_server_count: 2,
      },
      mcp_servers: [
        { server: "almanac", tool_count: 1 },
        { server: "yard", tool_count: 2 },
      ],
    },
  });
  const names = async (query: string): Promise<string[]> => {
    const answer = await server.assistant({ path: `${path}?${query}` });
    expect(answer.body.meta.summary).toEqual(body.meta.summary);
    return answer.body.data.map(({ name }: any) => name);
  };
  expect(await names("type=skill")).toEqual(["Rigging"]);
  expect(await names("type=skill&type=tool&sort-order=desc")).toEqual(["tide", "splice", "Rigging", "knot"]);
  expect(await names("type=other")).toEqual([]);
  expect(await names("search=ALMA")).toEqual(["tide"]);
  expect(await names("limit=1&offset=2")).toEqual(["splice"]);
  await sql`delete from mcp_tools`.execute(server.db.database.db);
});

describe("creating refuses", () => {
  const but = (more: object): Call => post("/agents", { name: "a", label: "b", ...more });
  testRefusals(
    () => server,
    [
      ["an empty object", post("/agents", {}), 422, "missing", ["body", "name"]],
      ["no label", post("/agents", { name: "a" }), 422, "missing", ["body", "label"]],
      ["an empty label", but({ label: "" }), 422, "string_too_short", ["body", "label"]],
      ["a long label", but({ label: "x".repeat(256) }), 422, "string_too_long", ["body", "label"]],
      ["a truth in words", but({ enabled: "yes" }), 422, "bool_parsing", ["body", "enabled"]],
      ["a truth that is a list", but({ is_default: [] }), 422, "bool_type", ["body", "is_default"]],
      ["an order in words", but({ display_order: "first" }), 422, "int_parsing", ["body", "display_order"]],
      ["half an order", but({ display_order: 0.5 }), 422, "int_from_float", ["body", "display_order"]],
      ["an order that is null", but({ display_order: null }), 422, "int_type", ["body", "display_order"]],
      ["a huge order", but({ display_order: 2 ** 31 }), 422, "less_than_equal", ["body", "display_order"]],
      ["skills that are no list", but({ skill_ids: unknownId }), 422, "list_type", ["body", "skill_ids"]],
      ["a skill that is no uuid", but({ skill_ids: ["x"] }), 422, "uuid_parsing", ["body", "skill_ids", "0"]],
      ["a skill of nobody", but({ skill_ids: [unknownId] }), 422, "value_error", ["body", "skill_ids", "0"]],
      [
        "an agent of nobody",
        but({ subagent_ids: [unknownId] }),
        422,
        "value_error",
        ["body", "subagent_ids", "0"],
      ],
      [
        "1,001 agents",
        but({ subagent_ids: Array.from({ length: 1_001 }, () => unknownId) }),
        422,
        "too_long",
        ["body", "subagent_ids"],
      ],
      ["a developer", { ...but({}), as: "developer" }, 403, "PLATFORM_FORBIDDEN"],
    ],
  );
});

describe("lists refuse", () => {
  testRefusals(
    () => server,
    [
      ...badPages("/agents"),
      ["an unknown sort key", { path: "/agents?sort-by=name" }, 422, "enum", ["query", "sort-by"]],
      ["half a truth", { path: "/agents?enabled=1.0" }, 422, "bool_parsing", ["query", "enabled"]],
    ],
  );
});

const unknown = "ASSISTANT_UNKNOWN_AGENT";
describe.each<[string, (at: string) => Call]>([
  ["reading", (at) => ({ path: `/agents/${at}` })],
  ["updating", (at) => patch(at, {})],
  ["deleting", (at) => ({ method: "DELETE", path: `/agents/${at}` })],
  ["listing capabilities", (at) => ({ path: `/agents/${at}/capabilities` })],
  ["adding tools", (at) => post(`/agents/${at}/mcp-tools`, { mcp_tools: [knotTool] })],
  ["removing a tool", (at) => ({ method: "DELETE", path: `/agents/${at}/mcp-tools?server=a&name=b` })],
  ["removing a skill", (at) => ({ method: "DELETE", path: `/agents/${at}/skills/${unknownId}` })],
  ["adding skills", (at) => post(`/agents/${at}/skills`, { skill_ids: [unknownId] })],
])("%s refuses", (_what, request) => {
  testRefusals(() => server, badIds("agent_id", request, unknown));
});

describe("equipping refuses", () => {
  const skills = (body: unknown): Call => post(`/agents/${unknownId}/skills`, body);
  const tools = (body: unknown): Call => post(`/agents/${unknownId}/mcp-tools`, body);
  const remove = (query: string): Call => ({
    method: "DELETE",
    path: `/agents/${unknownId}/mcp-tools?${query}`,
  });
  testRefusals(
    () => server,
    [
      ["no skills", skills({}), 422, "missing", ["body", "skill_ids"]],
      ["an empty list of skills", skills({ skill_ids: [] }), 422, "too_short", ["body", "skill_ids"]],
      [
        "a skill that is a number",
        skills({ skill_ids: [1] }),
        422,
        "string_type",
        ["body", "skill_ids", "0"],
      ],
      ["an empty list of tools", tools({ mcp_tools: [] }), 422, "too_short", ["body", "mcp_tools"]],
      [
        "a tool without a server",
        tools({ mcp_tools: [{ name: "a" }] }),
        422,
        "missing",
        ["body", "mcp_tools", "0", "server"],
      ],
      ["no name of a tool", remove("server=a"), 422, "missing", ["query", "name"]],
      ["an empty server", remove("server=&name=b"), 422, "string_too_short", ["query", "server"]],
    ],
  );
});
