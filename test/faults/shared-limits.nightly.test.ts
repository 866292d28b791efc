/** The limit of an adapter, counted by the adapter itself, while workers are killed, frozen, woken and started. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startNarrowAdapter, type NarrowAdapter } from "../../examples/replicas/narrow-adapter.ts";
import { eventually } from "../support/eventually.ts";
import { openProcessStage, type ProcessStage } from "../support/process-stage.ts";

const technology = "urn:example:itm:narrow:1";
const environment = "development";
const limit = 4;

let adapter: NarrowAdapter;
let stage: ProcessStage;

beforeAll(async () => {
  adapter = await startNarrowAdapter();
  const execution = { leaseMs: 2_000, adapters: [{ id: technology, parallelTasks: limit }] };
  stage = await openProcessStage({ settings: () => ({ coordinator: { execution } }) });
  await stage.serve();
  const adapters = "/api/coordinator/v1/tech-adapters";
  const body = { id: technology, version: "1", name: "Narrow" };
  await stage.call({ method: "POST", path: adapters, body });
  const path = `${adapters}/${technology}/deployments/${environment}`;
  await stage.call({ method: "PUT", path, body: { url: adapter.url } });
});
afterAll(async () => {
  await stage.close();
  await adapter.close();
});

async function startPlan(unit: string): Promise<string> {
  const components = Array.from({ length: 6 }, (_, n) => ({
    id: `${unit}:${n}`,
    name: `C${n}`,
    kind: "storage",
    infrastructureTemplateId: technology,
  }));
  const { status, body } = await stage.call({
    method: "POST",
    path: `/api/coordinator/v2/deployment-units/${unit}/provisioning?environment=${environment}`,
    body: {
      descriptor: { id: unit, name: unit, version: "1.0", environment, components },
      targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
    },
  });
  expect(status).toBe(202);
  return body as string;
}

const further = (count: number): Promise<unknown> => {
  const reached = adapter.calls() + count;
  return eventually(`${count} further calls`, () => adapter.calls() >= reached);
};

it("holds for all workers together, whatever happens to one of them", async () => {
  const frozen = stage.startWorker();
  const killed = stage.startWorker();
  const tokens: string[] = [];
  for (let n = 0; n < 30; n++) tokens.push(await startPlan(`urn:example:unit:${n}`));
  await further(20);
  killed.child.process.kill("SIGKILL");
  stage.startWorker();
  await further(20);
  frozen.child.process.kill("SIGSTOP");
  // The others have its share when it is found dead.
  await eventually("its share is free", async () => {
    const { rows } = await stage.db.database.pool.query<{ sum: number }>(
      `select coalesce(sum(s.share), 0)::int as sum from limit_shares s join limit_members m on m.id = s.member_id
        join workers w on w.id = m.worker_id and w.heartbeat_at > now() - interval '2 seconds'`,
    );
    return rows[0]?.sum === limit;
  });
  frozen.child.process.kill("SIGCONT");
  for (const token of tokens) {
    await eventually(`the end of ${token}`, async () => {
      const path = `/api/coordinator/v1/execution-plans/${token}/status`;
      const { body } = await stage.call({ method: "GET", path });
      return body.dag.status === "COMPLETED";
    });
  }
  expect(adapter.mostAtOnce()).toBe(limit);
});
