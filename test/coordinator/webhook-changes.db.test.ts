/** Webhooks that are added and removed: where a new one begins, and what becomes of deliveries to one that is gone. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readWatchingNumbers } from "../../src/coordinator/watching/metrics-store.ts";
import { endRemovedWebhooks } from "../../src/coordinator/watching/webhooks/end-removed.ts";
import { pruneOutgoing } from "../../src/coordinator/watching/webhooks/source-store.ts";
import { startOutgoing } from "../../src/coordinator/watching/webhooks/worker.ts";
import type { WebhookSettings } from "../../src/platform/config/schema/schema-watching.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { secret } from "./webhook-receiver.ts";

let test: TestDatabase;
/** What each webhook has received: the numbers of the events. */
let received: Record<string, number[]>;
/** Webhooks that answer 500. */
const failing = new Set<string>();
beforeEach(async () => {
  test = await testDatabase();
  received = { a: [], b: [] };
  failing.clear();
});
afterEach(() => test.drop());

const hook = (name: string): WebhookSettings => ({
  name,
  url: `http://127.0.0.1:1/${name}`,
  secrets: [secret],
  timeoutMs: 500,
  parallel: 4,
  retryDelaysMs: [60_000],
});

const outbound = {
  async request({ url, body }: { url: string; body: string }) {
    const name = url.slice(-1);
    if (failing.has(name)) return { status: 500, headers: {} };
    received[name]!.push(JSON.parse(body).data.n);
    return { status: 204, headers: {} };
  },
} as any;

/** The outgoing events of a process with these webhooks; answers how it is stopped. */
async function run(...names: string[]): Promise<() => Promise<void>> {
  const worker = await startOutgoing({
    database: test.database,
    outbound,
    log: silentLogger,
    now: () => new Date(),
    workerId: newId(),
    source: "/api/coordinator",
    webhooks: names.map(hook),
    secretsOf: () => [secret],
    rootProvisioning: false,
  });
  let isOpen = true;
  const stop = async (): Promise<void> => {
    if (isOpen) await worker.close(1_000);
    isOpen = false;
  };
  onTestFinished(stop);
  return stop;
}

const append = (n: number) =>
  test.database.pool.query(
    `insert into events (stream, type, at, data) values ('unit:development:urn:dmb:dp:sea:hooks:0', 'outcome', now(),
      json_build_object('n', $1::int, 'deploymentUnitId', 'urn:dmb:dp:sea:hooks:0', 'environment', 'development'))`,
    [n],
  );
const receives = (name: string, ...numbers: number[]) =>
  eventually(`${name} has what is its own`, () => {
    if (received[name]!.length < numbers.length) return false;
    expect(received[name]).toEqual(numbers);
    return true;
  });

describe("a new webhook", () => {
  it("gets nothing of what happened before its first start while no webhook was configured", async () => {
    const stop = await run("a");
    await append(1);
    await receives("a", 1);
    await stop();
    await append(2);
    await append(3);
    await run("b");
    await append(4);
    await receives("b", 4);
  });

  it("gets nothing of what another webhook that comes back has missed", async () => {
    const stop = await run("a");
    await append(1);
    await receives("a", 1);
    await stop();
    await append(2);
    await run("a", "b");
    await append(3);
    await receives("b", 3);
    await receives("a", 1, 2, 3);
  });

  it("goes on where it was after a pause", async () => {
    await (
      await run("b")
    )();
    await append(1);
    await run("b");
    await receives("b", 1);
  });
});

describe("deliveries to a webhook that is removed", () => {
  const hourMs = 3_600_000;
  const later = (hours: number): Date => new Date(Date.now() + hours * hourMs);
  const endRemoved = (at: Date, ...names: string[]) =>
    endRemovedWebhooks({
      database: test.database,
      log: silentLogger,
      now: () => at,
      webhooks: names.map(hook),
    });
  const deliveries = async (): Promise<any[]> =>
    (
      await test.database.pool.query(
        "select status, last_error, ended_at from webhook_deliveries order by id",
      )
    ).rows;
  const statuses = async () => (await deliveries()).map(({ status }) => status);
  const counted = async () =>
    (await readWatchingNumbers(test.database.db)).deliveries.map(({ status }) => status);

  beforeEach(async () => {
    failing.add("a");
    const stop = await run("a");
    await append(1);
    await append(2);
    await eventually("both wait", async () => (await statuses()).length === 2);
    await stop();
  });

  it("end a day later with the reason, are counted no more, and are pruned", async () => {
    await endRemoved(later(23));
    expect(await statuses()).toEqual(["PENDING", "PENDING"]);
    expect(await counted()).toEqual(["pending"]);
    const at = later(25);
    await endRemoved(at);
    expect(await deliveries()).toEqual(
      [1, 2].map(() => ({
        status: "DEAD",
        last_error: expect.stringContaining("not in the configuration"),
        ended_at: at,
      })),
    );
    expect(await counted()).toEqual([]);
    await pruneOutgoing(test.database.db, later(26), 100);
    expect(await deliveries()).toEqual([]);
  });

  it("stay while the process itself, or another one, has the webhook", async () => {
    await endRemoved(later(48), "a");
    expect(await statuses()).toEqual(["PENDING", "PENDING"]);
    await test.database.pool.query("update webhooks set configured_at = now() - interval '3 days'");
    const stop = await run("a");
    await endRemoved(later(1));
    await stop();
    expect(await statuses()).toEqual(["PENDING", "PENDING"]);
  });

  it("do not keep it from going on when it comes back", async () => {
    await endRemoved(later(25));
    await append(3);
    failing.clear();
    await run("a");
    await receives("a", 3);
    await expect.poll(statuses).toEqual(["DEAD", "DEAD", "DELIVERED"]);
    expect(await counted()).toEqual(["dead"]);
  });
});
