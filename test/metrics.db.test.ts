/** What /metrics counts of work that was done, and what it says while a database is away. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { start, ended, ships } from "./coordinator/ships.ts";
import { openWire, type Wire } from "./faults/wire.ts";
import {
  mockAdapterId,
  registerAdapter,
  send,
  startWholeServer,
  type WholeServer,
} from "./support/server.ts";
import { sql } from "../src/platform/db/sql.ts";

let server: WholeServer;
/** Between the server and its databases: the coordinator's, governance's. */
let wires: Wire[];

beforeAll(async () => {
  server = await startWholeServer({
    async configure(config) {
      const { coordinator, governance } = config.database;
      wires = await Promise.all([1, 2].map(() => openWire(coordinator.host ?? "", coordinator.port)));
      coordinator.host = "127.0.0.1";
      coordinator.port = wires[0]!.port;
      governance.host = "127.0.0.1";
      governance.port = wires[1]!.port;
      config.metrics.databaseWaitMs = 1_000;
      Object.assign(config.coordinator.execution, { retryDelayMs: 5_000, connectRetryMs: 600_000 });
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  for (const wire of wires) wire.close();
});

/** All series by their text. */
async function scrape(): Promise<Map<string, number>> {
  const { status, text } = await send(server.url, { path: "/metrics", as: "viewer" });
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const series = (name: string) => async () => (await scrape()).get(name);

it("counts plans, tasks and calls by adapter and outcome", async () => {
  const plan = await start(server, ships("urn:dmb:dp:sea:counted:0"));
  expect(await ended(server, plan)).toBe("COMPLETED");
  const adapter = `adapter="${mockAdapterId}"`;
  await expect.poll(series('plinth_plans_ended_total{kind="provisioning",outcome="completed"}')).toBe(1);
  const found = await scrape();
  const expected = {
    'plinth_plan_claims_total{how="new"}': 1,
    'plinth_plan_duration_seconds_count{kind="provisioning"}': 1,
    [`plinth_tasks_ended_total{action="provision",${adapter},outcome="completed"}`]: 3,
    [`plinth_task_duration_seconds_count{action="provision",${adapter}}`]: 3,
    [`plinth_adapter_calls_total{${adapter},call="provision",outcome="done"}`]: 3,
    [`plinth_adapter_calls_total{${adapter},call="validate",outcome="validated"}`]: 3,
    'plinth_plans_active{state="driven"}': 0,
    'plinth_plans_waiting{reason="worker"}': 0,
    'plinth_tasks_open{waits_for="adapter"}': 0,
    'plinth_workers{state="alive"}': 1,
    plinth_worker_lease_held: 1,
    plinth_plans_driven: 0,
    plinth_plans_overdue: 0,
    'plinth_database_pool_waiting{pool="coordinator"}': 0,
    'plinth_instantiations_open{status="open"}': 0,
    'plinth_assistant_runs_open{status="queued"}': 0,
    'plinth_jobs{queue="execution-plan",state="active"}': expect.any(Number),
    plinth_policy_exceptions_pending: 0,
  };
  // A source that a busy machine answers late is left out of one scrape.
  await expect.poll(async () => Object.fromEntries(await scrape())).toMatchObject(expected);
  expect(Math.abs(found.get("plinth_clock_skew_seconds") ?? NaN)).toBeLessThan(60);
  expect(found.get("plinth_plan_write_duration_seconds_count")).toBeGreaterThan(0);
  expect([...found.keys()].find((name) => name.startsWith("plinth_build_info{version="))).toBeDefined();
  expect([...found.keys()].filter((name) => name.includes("urn:dmb:dp:"))).toEqual([]);
});

it("says what plans and tasks wait for", async () => {
  server.mock.setBehaviours({ default: { mode: "async", runningMs: 600_000 } });
  const first = await start(server, ships("urn:dmb:dp:sea:waiting:0"));
  // The slot is the process's own number, the rest is counted in the database a moment before.
  const shown = async () => Object.fromEntries(await scrape());
  await expect.poll(shown).toMatchObject({
    'plinth_tasks_open{waits_for="adapter"}': 1,
    'plinth_tasks_open{waits_for="predecessors"}': expect.toSatisfy((count: number) => count > 0),
    plinth_plans_driven: 1,
    plinth_task_slots_used: 1,
  });
  server.mock.setBehaviours({});
  server.mock.finish();
  expect(await ended(server, first)).toBe("COMPLETED");
});

it("counts the attempts to call an adapter that nobody runs, and its tasks as waiting for the next one", async () => {
  const gone = { id: "urn:dmb:itm:gone:1", url: "http://127.0.0.1:9" };
  await registerAdapter(server, gone);
  const unit = ships("urn:dmb:dp:sea:gone:0");
  for (const part of unit.components) part.infrastructureTemplateId = gone.id;
  const plan = await start(server, unit);
  await expect.poll(series('plinth_tasks_open{waits_for="retry"}')).toBe(3);
  const calls = `plinth_adapter_calls_total{adapter="${gone.id}",call="validate",outcome="connect"}`;
  const names = [...(await scrape()).keys()].filter((name) => name.includes(gone.id));
  expect(names).toContain(calls);
  await sql`update execution_plans set deadline_at = now() - interval '2 minutes' where id = ${plan}`.execute(
    server.db.database.db,
  );
  await expect.poll(series("plinth_plans_overdue")).toBe(1);
  const path = `/v1/execution-plans/${plan}/terminate?mode=forced`;
  expect((await server.coordinator({ method: "POST", path })).status).toBe(202);
});

it("is ready without governance's database, says so, and leaves its numbers out", async () => {
  wires[1]!.cut();
  const ready = () => send(server.url, { path: "/readyz", as: null });
  await expect.poll(series('plinth_metrics_source_up{source="governance"}')).toBe(0);
  const answer = await ready();
  expect(answer.status).toBe(200);
  expect(answer.body.checks.find(({ name }: { name: string }) => name === "governance database")).toEqual({
    name: "governance database",
    ok: false,
    reason: expect.stringContaining("policies"),
  });
  expect(await series("plinth_policy_exceptions_pending")()).toBeUndefined();
  await expect.poll(series('plinth_plans_waiting{reason="worker"}')).toBe(0);
  await wires[1]!.mend();
  await expect.poll(series('plinth_metrics_source_up{source="governance"}')).toBe(1);
  await expect.poll(async () => (await ready()).body.checks.at(-1)).toMatchObject({ ok: true });
});

it("answers in part while its own database is away", async () => {
  wires[0]!.cut();
  await expect.poll(series('plinth_metrics_source_up{source="coordinator"}')).toBe(0);
  const found = await scrape();
  expect(found.get('plinth_plans_waiting{reason="worker"}')).toBeUndefined();
  expect(found.get('plinth_metrics_source_up{source="database"}')).toBe(0);
  expect(found.get('plinth_plan_claims_total{how="new"}')).toBeGreaterThan(0);
  expect((await send(server.url, { path: "/readyz", as: null })).status).toBe(503);
  await wires[0]!.mend();
  await expect.poll(series('plinth_plans_waiting{reason="worker"}')).toBe(0);
});
