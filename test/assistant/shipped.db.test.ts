/** What is shipped comes in at the start, once, and over what users have made of the release before. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { findRootAgent, loadRunAgent } from "../../src/assistant/agents/run-agent.ts";
import {
  readShipped,
  type Shipped,
  installShipped,
} from "../../src/assistant/agents/transfer/shipped-service.ts";
import { systemActor } from "../../src/platform/lib/actor.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const ctx = {
  actor: systemActor,
  now: () => new Date(),
  log: silentLogger,
  signal: new AbortController().signal,
  requestId: "start",
  traceparent: "",
};
const install = (shipped?: Shipped): Promise<void> => installShipped(ctx, db.database, shipped);
const rows = async (table: string): Promise<unknown[]> =>
  (await sql`select * from ${sql.raw(table)} order by 1`.execute(db.database.db)).rows;
const everything = async (): Promise<unknown[]> => {
  const tables = [
    "assistant_skills",
    "assistant_agents",
    "assistant_agent_skills",
    "assistant_agent_subagents",
    "audit",
  ];
  return Promise.all(tables.map(rows));
};

it("processes that start together bring each record once, and a later start changes nothing", async () => {
  await Promise.all([install(), install(), install()]);
  const first = await everything();
  const { skills, agents } = await readShipped();
  expect(agents.map(({ key }) => key).toSorted()).toEqual([
    "access",
    "builder",
    "governance",
    "orchestrator",
    "provisioning",
  ]);
  expect(skills.length).toBeGreaterThanOrEqual(8);
  expect(first.map((each) => (each as unknown[]).length)).toEqual([skills.length, 5, 17, 4, 1]);
  await install();
  expect(await everything()).toEqual(first);
});

it("every skill of an agent and every sub-agent is shipped as well", async () => {
  const { skills, agents } = await readShipped();
  const skillKeys = new Set(skills.map(({ key }) => key));
  const agentKeys = new Set(agents.map(({ key }) => key));
  expect(agents.flatMap((agent) => agent.skills).filter((key) => !skillKeys.has(key))).toEqual([]);
  expect(agents.flatMap((agent) => agent.subagents).filter((key) => !agentKeys.has(key))).toEqual([]);
  const used = new Set(agents.flatMap((agent) => agent.skills));
  expect([...skillKeys].filter((key) => !used.has(key))).toEqual([]);
});

it("a new release keeps what users added and does not bring back what they took out", async () => {
  const pool = db.database.db;
  const { orchestrator } = await findRootAgent(pool);
  const before = await readShipped();
  await sql`update assistant_agents set enabled = false where platform_key = 'access'`.execute(pool);
  await sql`update assistant_agents set mcp_tools = '[{"server":"mine","name":"tool"}]' where id = ${orchestrator}`.execute(
    pool,
  );
  await sql`delete from assistant_agent_skills l using assistant_skills s
    where s.id = l.skill_id and l.agent_id = ${orchestrator} and s.platform_key = 'find-template'`.execute(
    pool,
  );
  const next = structuredClone(before);
  const root = next.agents.find(({ key }) => key === "orchestrator")!;
  root.instructions = "New words.";
  root.mcp_tools = [{ server: "platform", name: "new" }];
  root.skills = ["find-template", "request-access"];
  root.subagents = ["builder"];
  await install(next);
  const agent = await loadRunAgent(pool, orchestrator);
  expect(agent).toMatchObject({ instructions: "New words." });
  expect(agent?.mcpTools).toEqual([
    { server: "mine", name: "tool" },
    { server: "platform", name: "new" },
  ]);
  expect(agent?.skills.map(({ name }) => name)).toEqual(["Request access to data"]);
  expect(agent?.subagents.map(({ name }) => name)).toEqual(["builder"]);
  const { rows: access } =
    await sql`select enabled from assistant_agents where platform_key = 'access'`.execute(pool);
  expect(access).toEqual([{ enabled: false }]);
});
