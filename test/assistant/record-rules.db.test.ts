/** Rules of agents and skills: one name each, known tools only, nothing dropped without a word, 422 with what was given. */
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { installShipped, readShipped } from "../../src/assistant/agents/transfer/shipped-service.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { sql } from "../../src/platform/db/sql.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { migrateToBefore } from "../acl/migrated.ts";
import { emptyTestDatabase } from "../support/database.ts";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";
import { offerTools } from "./offered-tools.ts";
import { expectRefusal } from "./refusals.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  await offerTools(server, "yard", ["knot"]);
});
afterAll(() => server.close());
beforeEach(async () => {
  await sql`delete from assistant_agents where platform_key = ''`.execute(server.db.database.db);
  await sql`delete from assistant_skills where platform_key = ''`.execute(server.db.database.db);
});

const send = (method: string, path: string, body: unknown): Promise<Answer> =>
  server.assistant({ method, path, body, as: "operator" });
const create = async (body: object): Promise<any> => {
  const answer = await send("POST", "/agents", { label: "L", ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};

async function importFiles(files: Record<string, string>): Promise<{ status: number; body: any }> {
  const tar = pack();
  for (const [name, content] of Object.entries(files)) tar.entry({ name }, content);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar as AsyncIterable<Uint8Array>) chunks.push(chunk);
  const form = new FormData();
  form.append("archive", new Blob([new Uint8Array(gzipSync(Buffer.concat(chunks)))]), "x.tar.gz");
  const response = await fetch(`${server.url}/api/assistant/v2/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token("operator")}` },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}
const agentFile = (key: string, title: string, more = ""): string =>
  `---\nname: ${key}\nmetadata:\n  title: ${title}\n${more}---\nx`;

describe("two agents never share a name", () => {
  it("in any case: 409 names the other", async () => {
    const bosun = await create({ name: "Bosun" });
    const mate = await create({ name: "mate" });
    for (const answer of [
      await send("POST", "/agents", { name: "bOSUN", label: "L" }),
      await send("PATCH", `/agents/${mate.id}`, { name: "BOSUN" }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([409, "ASSISTANT_AGENT_NAME_TAKEN"]);
      expect(answer.body.detail).toContain(`The agent Bosun (${bosun.id})`);
    }
    expect((await send("POST", "/agents", { name: "ORCHESTRATOR", label: "L" })).status).toBe(409);
    expect((await send("PATCH", `/agents/${bosun.id}`, { name: "BOSUN" })).body.name).toBe("BOSUN");
  });

  it("not by import either, but two may exchange theirs", async () => {
    const bosun = await create({ name: "bosun" });
    const mate = await create({ name: "mate" });
    const idOf = ({ id }: { id: string }): string => `  id: ${id}\n`;
    const taken = await importFiles({
      "agents/a/AGENT.md": agentFile("a", "Mate", idOf(bosun)),
      "agents/b/AGENT.md": agentFile("b", "orchestrator"),
    });
    expect([taken.status, taken.body.code]).toEqual([409, "ASSISTANT_AGENT_NAME_TAKEN"]);
    expect(taken.body.detail).toContain(`The agent mate (${mate.id}) has the name of agents/a/AGENT.md`);
    const twice = await importFiles({
      "agents/a/AGENT.md": agentFile("a", "cook"),
      "agents/b/AGENT.md": agentFile("b", "Cook"),
    });
    expect(twice.body.detail).toContain("agents/b/AGENT.md has the name of agents/a/AGENT.md");
    const exchanged = await importFiles({
      "agents/a/AGENT.md": agentFile("a", "mate", idOf(bosun)),
      "agents/b/AGENT.md": agentFile("b", "bosun", idOf(mate)),
    });
    expect(exchanged.status).toBe(200);
    expect((await server.assistant({ path: `/agents/${bosun.id}` })).body.name).toBe("mate");
    const updated = await importFiles({ "agents/a/AGENT.md": agentFile("a", "MATE") });
    expect(updated.body.records).toMatchObject([{ id: bosun.id, action: "updated" }]);
  });

  it("an agent of users gives its name to a shipped one that a release brings", async () => {
    const mine = await create({ name: "Harbour" });
    const next = await readShipped();
    const made = structuredClone(next.agents.find(({ key }) => key === "access")!);
    next.agents.push({ ...made, key: "harbour", name: "harbour" });
    const ctx = { actor: { ref: "service:default/plinth" }, now: () => new Date(), requestId: "r" };
    await installShipped(ctx as any, server.db.database, next);
    expect((await server.assistant({ path: `/agents/${mine.id}` })).body.name).toBe("Harbour (2)");
    await sql`delete from assistant_agents where platform_key = 'harbour'`.execute(server.db.database.db);
  });

  it("those that did before keep all but their name, which the audit has", async () => {
    const db = await emptyTestDatabase();
    try {
      const { database } = db;
      await migrateToBefore(database, /_agent_names\.sql$/);
      const ids = Array.from({ length: 4 }, () => newId());
      for (const [n, [name, key]] of [
        ["Bosun", ""],
        ["bosun (2)", ""],
        ["BOSUN", "bosun"],
        ["bosun", ""],
      ].entries())
        await database.pool.query(
          `insert into assistant_agents (id, platform_key, name, label, instructions, created_at, updated_at)
           values ($1, $2, $3, 'L', 'I', now() + $4 * interval '1 s', now())`,
          [ids[n], key, name, n],
        );
      await migrate(database);
      const { rows } = await database.pool.query(
        "select id, name, label, instructions from assistant_agents",
      );
      expect(new Map(rows.map(({ id, name }) => [id, name]))).toEqual(
        new Map([
          [ids[0], "Bosun (3)"],
          [ids[1], "bosun (2)"],
          [ids[2], "BOSUN"],
          [ids[3], "bosun (4)"],
        ]),
      );
      expect(rows.every(({ label, instructions }) => label === "L" && instructions === "I")).toBe(true);
      const audit = await database.pool.query("select detail from audit where operation = 'renameAgent'");
      expect(audit.rows.map(({ detail }) => detail.before)).toEqual(["Bosun", "bosun"]);
    } finally {
      await db.drop();
    }
  });
});

it("PATCH of an agent refuses what only create takes", async () => {
  const { id } = await create({ name: "bosun" });
  const answer = await send("PATCH", `/agents/${id}`, { label: "New", mcp_tools: [], skill_ids: [] });
  expect([answer.status, answer.body.detail.map(({ loc, type, input }: any) => [loc, type, input])]).toEqual([
    422,
    [
      [["body", "mcp_tools"], "extra_forbidden", []],
      [["body", "skill_ids"], "extra_forbidden", []],
    ],
  ]);
  expect(answer.text).toContain("/agents/{agent_id}/mcp-tools");
  expect((await server.assistant({ path: `/agents/${id}` })).body.label).toBe("L");
  expect((await send("PATCH", `/agents/${id}`, { mcp_tools: null, label: "New" })).status).toBe(200);
});

it("unknown tools are refused wherever a record may name them", async () => {
  const knot = { server: "yard", name: "knot" };
  const none = { server: "yard", name: "none" };
  const agent = await create({ name: "bosun", mcp_tools: [knot] });
  const skill = await send("POST", "/skills", { name: "s", content: "c", mcp_tools: [knot] });
  expect(skill.status).toBe(201);
  const bad = { mcp_tools: [knot, none] };
  for (const answer of [
    await send("POST", "/agents", { name: "a", label: "L", ...bad }),
    await send("POST", `/agents/${agent.id}/mcp-tools`, bad),
    await send("POST", "/skills", { name: "a", content: "c", ...bad }),
    await send("PATCH", `/skills/${skill.body.id}`, bad),
  ]) {
    expectRefusal(answer, { status: 422, type: "value_error", loc: ["body", "mcp_tools", "1"] });
    expect(answer.body.detail[0].input).toEqual(none);
  }
  const tools = "  mcp-tools: ['yard:knot', 'yard:none']\n";
  const imported = await importFiles({
    "agents/a/AGENT.md": agentFile("a", "a", tools),
    "skills/s/SKILL.md": agentFile("s", "s", tools),
  });
  expect([imported.status, imported.body.detail.map(({ loc }: any) => loc.join(" "))]).toEqual([
    422,
    ["body skills/s/SKILL.md mcp-tools 1", "body agents/a/AGENT.md mcp-tools 1"],
  ]);
  // What a record has already may stay when its server has withdrawn it.
  await sql`update mcp_tools set state = 'gone' where server = 'yard'`.execute(server.db.database.db);
  expect((await send("PATCH", `/skills/${skill.body.id}`, { mcp_tools: [knot] })).status).toBe(200);
  expect((await send("POST", "/skills", { name: "t", content: "c", mcp_tools: [knot] })).status).toBe(422);
  await sql`update mcp_tools set state = 'approved' where server = 'yard'`.execute(server.db.database.db);
  const outside = { name: "Harbour", description: "", endpoint: "http://127.0.0.1:9" };
  const { body: external } = await send("POST", "/agent-catalog", outside);
  const ask = { server: "agents", name: `harbour_${external.id}` };
  expect((await send("POST", `/agents/${agent.id}/mcp-tools`, { mcp_tools: [ask] })).status).toBe(200);
});

it("names, labels and titles that nobody could see are refused", async () => {
  const blank = " \t";
  const { id } = await create({ name: "bosun" });
  for (const [answer, field] of [
    [await send("POST", "/agents", { name: blank, label: "L" }), "name"],
    [await send("PATCH", `/agents/${id}`, { label: blank }), "label"],
    [await send("POST", "/skills", { name: blank, content: "c" }), "name"],
    [await send("POST", "/agent-catalog", { name: blank, description: "", endpoint: "http://x" }), "name"],
    [await send("PATCH", `/sessions/${newId()}/title`, { title: blank }), "title"],
  ] as const)
    expectRefusal(answer, { status: 422, type: "string_pattern_mismatch", loc: ["body", field] });
  expectRefusal(await send("PATCH", `/sessions/${newId()}/title`, { title: "" }), {
    status: 422,
    type: "string_too_short",
    loc: ["body", "title"],
  });
  const imported = await importFiles({ "skills/s/SKILL.md": agentFile("s", "''") });
  expect([imported.status, imported.body.detail[0].type]).toEqual([422, "string_too_short"]);
});

it("every detail of a 422 has its input, as pydantic gives it, and no secret", async () => {
  const given = { label: "L", api_key: "hush" };
  const missing = await send("POST", "/agents", given);
  const shown = { label: "L", api_key: "***" };
  expect(missing.body.detail).toMatchObject([
    { loc: ["body", "name"], msg: "is required", type: "missing", input: shown },
  ]);
  const inputsOf = async (method: string, path: string, body?: unknown): Promise<unknown[]> => {
    const answer = await send(method, path, body);
    expect(answer.status, answer.text).toBe(422);
    return answer.body.detail.map((detail: object) => Reflect.get(detail, "input"));
  };
  expect(await inputsOf("GET", "/agents?limit=ten")).toEqual(["ten"]);
  expect(await inputsOf("DELETE", `/agents/${newId()}/mcp-tools`)).toEqual([null, null]);
  expect(await inputsOf("POST", "/llm/config", { provider: "openai", api_key: 7 })).toEqual(["***"]);
  expect(await inputsOf("POST", "/llm/config", { provider: "openai", endpoint: "ftp://me:hush@x" })).toEqual([
    "***",
  ]);
  const malformed = await fetch(`${server.url}/api/assistant/v2/agents`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token("operator")}`, "content-type": "application/json" },
    body: "{",
  });
  expect(((await malformed.json()) as any).detail).toMatchObject([{ type: "json_invalid", input: {} }]);
});

it("costs have at most nine digits after the point", async () => {
  const { db } = server.db.database;
  for (const cost of [0.1, 0.2, 0.000_000_000_4])
    await sql`insert into assistant_usage (at, owner, session_id, run_id, agent, model, input_tokens, output_tokens,
        cached_tokens, cost)
      values (now(), 'service:default/operator', ${newId()}, ${newId()}, 'a', 'm', 1, 1, 0, ${cost})`.execute(
      db,
    );
  const { body } = await server.assistant({ path: "/usage", as: "operator" });
  expect([body.data[0].cost, body.meta.total.cost]).toEqual([0.3, 0.3]);
});
