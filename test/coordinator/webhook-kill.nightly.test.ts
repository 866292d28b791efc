/** Workers as processes of their own, killed while a call of a webhook is under way. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openProcessStage, type ProcessStage } from "../support/process-stage.ts";
import { secret, startReceiver, type Receiver } from "./webhook-receiver.ts";
import { eventually } from "../support/eventually.ts";

let stage: ProcessStage;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  const hook = { name: "all", url: receiver.url, secrets: [secret], parallel: 2, timeoutMs: 60_000 };
  stage = await openProcessStage({ settings: () => ({ coordinator: { webhooks: [hook] } }) });
});
afterAll(async () => {
  await stage.close();
  await receiver.close();
});

const units = ["a", "b"];
const perUnit = 15;

async function insertEvent(unit: string, n: number): Promise<void> {
  const data = JSON.stringify({ n, deploymentUnitId: unit, environment: "development" });
  await stage.db.database.pool.query(
    "insert into events (stream, type, at, data) values ($1, 'outcome', now(), $2::json)",
    [`unit:development:${unit}`, data],
  );
}

it("whoever goes on sends what was under way again, under the same id, and nothing is lost", async () => {
  stage.startWorker();
  // The first call of each unit's event 5 and 10 hangs, and the process that made it dies meanwhile.
  const hung = new Set<string>();
  receiver.answer((event) => {
    const key = `${event.subject} ${event.data.n}`;
    if (![5, 10].includes(event.data.n) || hung.has(key)) return 204;
    hung.add(key);
    return null;
  });
  const isReady = async (): Promise<boolean> =>
    (await stage.db.database.pool.query("select 1 from webhooks")).rows.length === 1;
  await eventually("the first worker", () => isReady().catch(() => false));
  for (let n = 1; n <= perUnit; n++) for (const unit of units) await insertEvent(unit, n);
  for (const calls of [2, 4]) {
    await eventually(`${calls} hanging calls`, () => hung.size === calls);
    await stage.killWorkers();
    stage.startWorker();
  }
  const delivered = (unit: string): number[] =>
    receiver.received
      .filter(({ subject, status }) => subject === `development/${unit}` && status === 204)
      .map(({ event }) => event.data.n);
  const all = Array.from({ length: perUnit }, (_, index) => index + 1);
  await eventually("all events", () => units.every((unit) => new Set(delivered(unit)).size === perUnit));
  for (const unit of units) {
    // In order, and twice only where the death came between the answer and its row.
    expect([...new Set(delivered(unit))]).toEqual(all);
    for (const n of [5, 10]) {
      const ids = receiver.received.filter(
        ({ event }) => event.subject.endsWith(`/${unit}`) && event.data.n === n,
      );
      expect(ids.length).toBeGreaterThan(1);
      expect(new Set(ids.map(({ id }) => id)).size).toBe(1);
    }
  }
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(units.length * perUnit);
  await eventually("the rows", async () => {
    const { rows } = await stage.db.database.pool.query(
      "select 1 from webhook_deliveries where status <> 'DELIVERED'",
    );
    return rows.length === 0;
  });
});
