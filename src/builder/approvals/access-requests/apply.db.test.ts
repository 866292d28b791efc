/** Approved requests against a coordinator that fails in the server itself, and workers that were stopped for long. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { sql } from "../../../platform/db/sql.ts";
import { systemActor } from "../../../platform/lib/actor.ts";
import { newId, newTraceparent } from "../../../platform/lib/ids.ts";
import { silentLogger } from "../../../platform/lib/logger.ts";
import { testDatabase, type TestDatabase } from "../../../../test/support/database.ts";
import type { AccessCoordinator } from "../../ports.ts";
import type { HookContext } from "../handlers.ts";
import { applyRequest } from "./apply.ts";
import { changeStatus, insertRequest, readRequest, renewPorts } from "./store.ts";

let database: TestDatabase;
let clock: Date;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  clock = new Date("2026-11-28T10:00:00.000Z");
});

const hours = (count: number): void => {
  clock = new Date(clock.getTime() + count * 3_600_000);
};

const context = (more: object = {}): HookContext =>
  ({
    builder: { database: { ...database.database, ...more }, settings: {} },
    actor: systemActor,
    now: () => clock,
    log: silentLogger,
    requestId: newId(),
    traceparent: newTraceparent(),
    signal: new AbortController().signal,
  }) as unknown as HookContext;

const fails = (): Promise<never> => Promise.reject(new Error("the database has refused it"));
const coordinator = (more: Partial<AccessCoordinator>): AccessCoordinator => ({
  describe: fails,
  change: fails,
  readEnd: fails,
  ...more,
});

/** Takes one step of each open port, as the worker does. Returns the milliseconds until the next; null when the request has ended. */
const apply = (id: string, access: AccessCoordinator, ctx = context()): Promise<number | null> =>
  applyRequest({ access, contextOf: () => ctx }, { ctx, id });

const changeTo = (id: string, from: "PENDING" | "FAILED" | "APPROVED", to: "APPROVED" | "APPLYING") =>
  changeStatus(database.database.db, id, {
    from: [from],
    to,
    message: null,
    by: "user:default/eve",
    at: clock,
    nextLookAt: clock,
  });

async function approved(...urns: string[]): Promise<string> {
  const id = newId();
  await insertRequest(database.database.db, {
    id,
    operation: "GRANT",
    unitId: "urn:unit",
    environment: "development",
    identities: ["user:ada"],
    reason: "",
    fields: null,
    templateRef: null,
    requester: "user:default/ada",
    owners: [],
    idempotencyKey: null,
    bodyHash: "",
    origin: { httpRequestId: newId(), clientAddress: null },
    traceparent: "",
    at: clock,
    ports: urns.map((urn) => ({ urn, name: null })),
  });
  await changeTo(id, "PENDING", "APPROVED");
  return id;
}

const portsOf = async (id: string) => {
  const row = await readRequest(database.database.db, id);
  return row!.ports.map(({ status, waiting, message }) => [status, waiting ?? message]);
};
const statusOf = async (id: string) => (await readRequest(database.database.db, id))?.status;

const tried = "A step of it failed and is tried again; the reason is in the log of the server.";
const given = "A step of it has failed for too long; the log of the server says why.";

it("a step that fails says so on its port, holds up no other port, and is tried less and less often", async () => {
  const id = await approved("urn:bad", "urn:good");
  const access = coordinator({
    change: async (_ctx, { outputPortUrn }) => (outputPortUrn === "urn:bad" ? fails() : { planId: "p" }),
    readEnd: async () => ({ isCompleted: true, message: null }),
  });
  await apply(id, access);
  await apply(id, access);
  expect(await portsOf(id)).toEqual([
    ["WAITING", tried],
    ["DONE", null],
  ]);
  let pauseMs: number | null = 0;
  for (let look = 0; look < 20; look += 1) pauseMs = await apply(id, access);
  expect(pauseMs).toBe(60_000);
});

it("a step that fails does not make others wait for longer than without it", async () => {
  const good = coordinator({
    change: async (_ctx, { outputPortUrn }) => {
      if (outputPortUrn === "urn:bad") return fails();
      return outputPortUrn === "urn:good" ? { planId: "p" } : { waitsFor: "another one" };
    },
    readEnd: async () => null,
  });
  const longest = async (...urns: string[]): Promise<number | null> => {
    const id = await approved(...urns);
    let pauseMs: number | null = 0;
    for (let look = 0; look < 20; look += 1) pauseMs = await apply(id, good);
    return pauseMs;
  };
  expect(await longest("urn:bad", "urn:good")).toBe(2_000);
  expect(await longest("urn:bad", "urn:waiting")).toBe(5_000);
  expect(await longest("urn:bad", "urn:bad")).toBe(60_000);
});

it("a step that has failed for 48 hours ends its port, however late it began to, and the request can be tried again", async () => {
  const id = await approved("urn:bad");
  hours(60);
  await apply(id, coordinator({}));
  expect(await portsOf(id)).toEqual([["WAITING", tried]]);
  hours(47);
  await apply(id, coordinator({}));
  expect(await portsOf(id)).toEqual([["WAITING", tried]]);
  hours(1);
  expect(await apply(id, coordinator({}))).toBe(null);
  expect([await statusOf(id), await portsOf(id)]).toEqual(["FAILED", [["FAILED", given]]]);
});

it("a plan may take longer than that: an end that can't be read counts from its first failure", async () => {
  const id = await approved("urn:slow");
  await apply(id, coordinator({ change: async () => ({ planId: "p" }) }));
  hours(60);
  await apply(id, coordinator({}));
  expect(await portsOf(id)).toEqual([["APPLYING", tried]]);
  await apply(id, coordinator({ readEnd: async () => null }));
  expect(await portsOf(id)).toEqual([["APPLYING", null]]);
  await apply(id, coordinator({}));
  hours(47);
  await apply(id, coordinator({}));
  expect(await portsOf(id)).toEqual([["APPLYING", tried]]);
  hours(1);
  await apply(id, coordinator({}));
  expect([await statusOf(id), await portsOf(id)]).toEqual(["FAILED", [["FAILED", given]]]);
});

it("a worker that was stopped before it wrote the end does not end a later attempt", async () => {
  const id = await approved("urn:port");
  await apply(id, coordinator({ change: async () => ({ planId: "p" }) }));
  const { db, pool } = database.database;
  // While this worker is paused, another one ends the request, and a retry begins the next attempt.
  const others = async (): Promise<void> => {
    await apply(id, coordinator({}));
    expect(await changeTo(id, "FAILED", "APPROVED")).toBe(true);
    await renewPorts(db, id);
    await changeTo(id, "APPROVED", "APPLYING");
  };
  const stopped = Object.assign(Object.create(pool) as typeof pool, {
    connect: async () => {
      await others();
      return pool.connect();
    },
  });
  const end = coordinator({ readEnd: async () => ({ isCompleted: false, message: "It failed." }) });
  await apply(id, end, context({ pool: stopped }));
  const row = await readRequest(db, id);
  expect([row?.attempt, row?.status]).toEqual([2, "APPLYING"]);
  const { rows } = await sql`select 1 from audit where operation = 'endAccessRequest'
    and subject = ${`access-request:${id}`}`.execute(db);
  expect(rows).toHaveLength(1);
});
