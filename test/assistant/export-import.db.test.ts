/** Export and import over HTTP: from one installation to another, twice, changed, broken and hostile. */
import { gunzipSync, gzipSync } from "node:zlib";
import { extract, pack, type Header } from "tar-stream";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startWholeServer, type Answer, type TestRole, type WholeServer } from "../support/server.ts";
import { offerTools } from "./offered-tools.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());
const clear = async (): Promise<void> => {
  const { db } = server.db.database;
  await sql`delete from assistant_agents where platform_key = ''`.execute(db);
  await sql`delete from assistant_skills where platform_key = ''`.execute(db);
  await sql`delete from external_agents`.execute(db);
};
beforeEach(clear);
beforeAll(async () => {
  await offerTools(server, "almanac", ["tide"]);
  await offerTools(server, "yard", ["haul"]);
});

type Entry = Partial<Header> & { name: string; content?: string };

async function archiveOf(entries: Entry[] | Record<string, string>): Promise<Buffer> {
  const tar = pack();
  const list = Array.isArray(entries)
    ? entries
    : Object.entries(entries).map(([name, content]) => ({ name, content }));
  for (const { content = "", ...header } of list) tar.entry(header, content);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return gzipSync(Buffer.concat(chunks));
}

async function filesOf(archive: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const entries = extract();
  entries.end(gunzipSync(archive));
  for await (const entry of entries) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
    files[entry.header.name] = Buffer.concat(chunks).toString();
  }
  return files;
}

async function exported(): Promise<Buffer> {
  const response = await fetch(`${server.url}/api/assistant/v2/export`, {
    headers: { authorization: `Bearer ${server.token("viewer")}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/gzip");
  return Buffer.from(await response.arrayBuffer());
}

async function imported(
  archive: Buffer,
  { query = "", as = "operator" }: { query?: string; as?: TestRole } = {},
): Promise<Pick<Answer, "status" | "body">> {
  const form = new FormData();
  form.append("archive", new Blob([new Uint8Array(archive)]), "x.tar.gz");
  const response = await fetch(`${server.url}/api/assistant/v2/import${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token(as)}` },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

const make = async (path: string, body: object): Promise<any> => {
  const answer = await server.assistant({ method: "POST", path, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
};

const rows = async (): Promise<unknown[]> =>
  Promise.all(
    ["assistant_skills", "assistant_agents", "external_agents"].map(
      async (table) =>
        (await sql`select * from ${sql.raw(table)} order by id`.execute(server.db.database.db)).rows,
    ),
  );

const links = async (): Promise<unknown> =>
  (
    await sql`select a.name, array(select s.name from assistant_agent_skills l join assistant_skills s
        on s.id = l.skill_id where l.agent_id = a.id order by l.position) as skills,
      array(select c.name from assistant_agent_subagents l join assistant_agents c
        on c.id = l.subagent_id where l.agent_id = a.id order by l.position) as subagents
    from assistant_agents a order by a.name`.execute(server.db.database.db)
  ).rows;

/** Two agents of which one calls the other, a skill that a shipped agent has, and an external agent with secrets. */
async function fill(): Promise<void> {
  const tides = await make("/skills", {
    name: "Tides & winds",
    description: "When: to sail",
    content: "# Tides\n\n---\nlow\n",
    mcp_tools: [{ server: "almanac", name: "tide" }],
  });
  const { body: shipped } = await server.assistant({ path: "/skills?search=find-template&limit=1" });
  const { body: all } = await server.assistant({ path: "/skills?is_platform_provided=true&limit=1" });
  const pilot = await make("/agents", { name: "pilot", label: "Pilot", skill_ids: [tides.id] });
  const bosun = await make("/agents", {
    name: "bosun",
    label: "Bosun",
    instructions: "Haul.",
    skill_ids: [(shipped.data[0] ?? all.data[0]).id, tides.id],
    subagent_ids: [pilot.id],
    mcp_tools: [{ server: "yard", name: "haul" }],
  });
  const { body: agents } = await server.assistant({ path: "/agents?limit=100" });
  const root = agents.data.find(({ is_orchestrator: isRoot }: any) => isRoot);
  const { body: before } = await server.assistant({ path: `/agents/${root.id}` });
  const patched = await server.assistant({
    method: "PATCH",
    path: `/agents/${root.id}`,
    body: { subagent_ids: [...before.subagent_ids, bosun.id] },
  });
  expect(patched.status, patched.text).toBe(200);
  const builder = agents.data.find(({ platform_key: key }: any) => key === "builder");
  await server.assistant({
    method: "POST",
    path: `/agents/${builder.id}/skills`,
    body: { skill_ids: [tides.id] },
  });
  await make("/agent-catalog", {
    name: "harbour",
    description: "Knows berths",
    endpoint: "http://127.0.0.1:9/ask?api_key=canary-1",
    payload: { protocol: "http", headers: { authorization: "canary-2" }, ids: [12] },
  });
}

it("an export has all that users made, no secrets, and the same bytes each time", async () => {
  await fill();
  const archive = await exported();
  expect(await exported()).toEqual(archive);
  const files = await filesOf(archive);
  expect(Object.keys(files).toSorted()).toEqual([
    "agents/bosun/AGENT.md",
    "agents/pilot/AGENT.md",
    "external-agents/harbour.json",
    "skills/tides-winds/SKILL.md",
  ]);
  expect(Object.values(files).join("")).not.toContain("canary");
  expect(files["skills/tides-winds/SKILL.md"]).toMatch(
    /^---\nname: tides-winds\ndescription: 'When: to sail'\nmetadata:\n {2}id: [0-9a-f-]{36}\n {2}title: Tides & winds\n {2}mcp-tools:\n {4}- almanac:tide\n {2}agents:\n {4}- builder\n---\n\n# Tides\n\n---\nlow\n$/,
  );
  expect(JSON.parse(files["external-agents/harbour.json"] ?? "")).toMatchObject({
    endpoint: "http://127.0.0.1:9/ask?api_key=********",
    payload: { protocol: "http", headers: { authorization: "********" }, ids: [12] },
  });
});

it("an import into the installation that it is from changes nothing", async () => {
  await fill();
  const before = [await rows(), await links()];
  const { status, body } = await imported(await exported());
  expect(status).toBe(200);
  expect(body.records.map(({ action }: any) => action)).toEqual(Array(4).fill("unchanged"));
  expect(body.notes).toEqual([]);
  expect([await rows(), await links()]).toEqual(before);
});

it("an import elsewhere makes the same records, and a second one finds them", async () => {
  await fill();
  const [before, linked] = [await exported(), await links()];
  await clear();
  const dry = await imported(before, { query: "?dry_run=true" });
  expect((await filesOf(await exported()))["agents/bosun/AGENT.md"]).toBeUndefined();
  const first = await imported(before);
  expect(first.body).toEqual({ ...dry.body, dry_run: false });
  expect(first.body).toMatchObject({
    records: [
      { kind: "skill", path: "skills/tides-winds/SKILL.md", name: "Tides & winds", action: "created" },
      { kind: "agent", name: "bosun", action: "created" },
      { kind: "agent", name: "pilot", action: "created" },
      { kind: "external_agent", name: "harbour", action: "created" },
    ],
    notes: [
      "external-agents/harbour.json: payload.headers.authorization is masked and was left out; set it.",
      "external-agents/harbour.json: the endpoint has a masked value; set it.",
    ],
  });
  expect(await links()).toEqual(linked);
  const { "external-agents/harbour.json": _, ...files } = await filesOf(before);
  expect(await filesOf(await exported())).toMatchObject(files);
  const second = await imported(before);
  expect(second.body.records.map(({ action }: any) => action)).toEqual(Array(4).fill("unchanged"));
  const { rows: audited } = await sql<{ n: number }>`select count(*)::integer as n from audit
    where operation = 'importRecords'`.execute(server.db.database.db);
  expect(audited[0]?.n).toBeGreaterThanOrEqual(2);
});

it("imports at the same time make each record once", async () => {
  const archive = await archiveOf({ "skills/knots/SKILL.md": "---\nname: knots\n---\n# Knots" });
  const answers = await Promise.all([1, 2, 3].map(() => imported(archive)));
  const actions = answers.map(({ body }) => String(body.records[0].action)).toSorted();
  expect(actions).toEqual(["created", "unchanged", "unchanged"]);
});

it("a stored secret does not go to another address", async () => {
  await fill();
  const files = await filesOf(await exported());
  const moved = (files["external-agents/harbour.json"] ?? "").replace("127.0.0.1:9", "127.0.0.1:10");
  const { body } = await imported(await archiveOf({ "external-agents/harbour.json": moved }));
  expect(body.notes).toHaveLength(2);
  const { body: list } = await server.assistant({ path: "/agent-catalog" });
  expect(JSON.stringify(list)).not.toContain("canary");
});

it("all problems are reported at once, and nothing is written", async () => {
  const agent = (more: string): string => `---\nname: a\nmetadata:\n${more}---\n`;
  const archive = await archiveOf({
    "skills/knots/SKILL.md": "# no front matter",
    "skills/Knots/SKILL.md": "---\nname: Knots\n---\n",
    "skills/find-template/SKILL.md": "---\nname: mine\n---\nx",
    "skills/nul/SKILL.md": '---\nname: "a\\0"\n---\nx',
    "agents/a/AGENT.md": agent(
      "  title: a\n  subagents: [b, nobody, orchestrator]\n  skills: [knots, none]\n",
    ),
    "agents/b/AGENT.md": agent("  title: b\n  subagents: [a]\n  agents: [nobody]\n"),
    "agents/c/AGENT.md": agent("  id: 7\n"),
    "external-agents/x.json": '{"name": "x", "endpoint": "ftp://x", "payload": {"protocol": "smoke"}}',
    "external-agents/y.json": "{",
  });
  const before = await rows();
  const { status, body } = await imported(archive);
  expect(status).toBe(422);
  expect(body.detail.map(({ loc, type }: any) => `${loc.slice(1).join(" ")} ${type}`).toSorted()).toEqual([
    "agents/a/AGENT.md skills 1 value_error",
    "agents/a/AGENT.md subagents 1 value_error",
    "agents/a/AGENT.md subagents value_error",
    "agents/a/AGENT.md subagents value_error",
    "agents/b/AGENT.md agents 0 value_error",
    "agents/b/AGENT.md subagents value_error",
    "agents/c/AGENT.md id string_type",
    "external-agents/x.json description missing",
    "external-agents/x.json payload protocol enum",
    "external-agents/y.json json_invalid",
    "skills/Knots/SKILL.md content string_too_short",
    "skills/Knots/SKILL.md key string_pattern_mismatch",
    "skills/find-template/SKILL.md value_error",
    "skills/knots/SKILL.md value_error",
    "skills/nul/SKILL.md value_error",
  ]);
  expect(await rows()).toEqual(before);
});

it("which of two with one name is meant has to be said", async () => {
  for (const n of [1, 2]) await make("/skills", { name: "knots", content: `${n}` });
  const { status, body } = await imported(
    await archiveOf({ "skills/knots/SKILL.md": "---\nname: knots\n---\nx" }),
  );
  expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining("could be any of 2")]);
});

const skill = "skills/knots/SKILL.md";
it.each<[string, () => Promise<Buffer>, string]>([
  ["no gzip", async () => Buffer.from("PK"), "is not a whole .tar.gz file"],
  ["half an archive", async () => (await archiveOf({ [skill]: "x" })).subarray(0, 60), "is not a whole .tar"],
  ["no tar", async () => gzipSync("x".repeat(600)), "is not a whole tar file"],
  ["nothing of ours", () => archiveOf({ "readme.md": "x" }), "has no skills/"],
  ["a link", () => archiveOf([{ name: skill, type: "symlink", linkname: "/etc/passwd" }]), "must be a file"],
  ["a bomb", async () => gzipSync(Buffer.alloc(41 * 1024 * 1024)), "unpacks to more than"],
  ["a climb", () => archiveOf({ "skills/../SKILL.md": "---\nname: x\n---\nx" }), "must match the pattern"],
  ["a large file", () => archiveOf({ [skill]: "x".repeat(3 * 1024 * 1024 + 1) }), "is larger than"],
  [
    "a file twice",
    () => archiveOf([1, 2].map(() => ({ name: skill, content: "---\nname: x\n---\nx" }))),
    "is in the archive twice",
  ],
])("%s is refused", async (...[, archive, message]) => {
  const { status, body } = await imported(await archive());
  expect([status, body.detail?.[0].msg]).toEqual([422, expect.stringContaining(message)]);
});

it("forms that are none, archives that are too large, and callers who may not", async () => {
  const post = (body: string | FormData, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/assistant/v2/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token("operator")}`, ...headers },
      body,
    });
  const empty = new FormData();
  empty.append("archive", "text");
  const other = new FormData();
  other.append("other", new Blob(["x".repeat(300_000)]), "x.tar.gz");
  other.append("archive", new Blob(["x".repeat(300_000)]), "x.tar.gz");
  other.append("archive", new Blob(["x".repeat(300_000)]), "x.tar.gz");
  const answers = [
    await post(other),
    await post("{}", { "content-type": "application/json" }),
    await post("x", { "content-type": "multipart/form-data" }),
    await post("--x\r\n", { "content-type": "multipart/form-data; boundary=x" }),
    await post(empty),
    await post(new FormData()),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422]);
  expect((await imported(Buffer.alloc(10 * 1024 * 1024 + 1))).status).toBe(413);
  expect((await imported(Buffer.from("x"), { as: "developer" })).status).toBe(403);
});
