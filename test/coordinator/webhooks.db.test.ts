/** Outgoing events from a change to a receiver that verifies them, through every way a receiver can fail. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { WebhookSettings } from "../../src/platform/config/schema/schema-watching.ts";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";
import { testRefusals, type Refusal } from "./refusals.ts";
import { ended, hullId, ships, start } from "./ships.ts";
import { secret, startReceiver, type Receiver } from "./webhook-receiver.ts";
import { eventually } from "../support/eventually.ts";

let server: WholeServer;
const receivers: Record<string, Receiver> = {};
let count = 0;

const hook = (name: string, more: Partial<WebhookSettings> = {}): WebhookSettings => ({
  name,
  url: receivers[name]?.url ?? "",
  secrets: [`whsec_${Buffer.alloc(32, 1).toString("base64")}`, secret],
  timeoutMs: 30_000,
  parallel: 4,
  retryDelaysMs: [10, 20, 40],
  ...more,
});

beforeAll(async () => {
  for (const name of ["all", "units", "production", "faulty", "gone"])
    receivers[name] = await startReceiver();
  server = await startWholeServer({
    configure: (config) => {
      config.server.baseUrl = "https://plinth.example/";
      config.coordinator.webhooks = [
        hook("all"),
        hook("units", { events: ["plinth.unit.status-changed"] }),
        hook("production", { environments: ["production"] }),
        // Some tests wait until it has not answered in time.
        hook("faulty", { events: ["plinth.plan.status-changed"], timeoutMs: 2_000 }),
        hook("gone", { events: ["plinth.plan.status-changed"] }),
      ];
    },
  });
  await server.registerMock();
  server.mock.setBehaviours({ default: { logs: { lines: 0, style: "new" } } });
});
afterAll(async () => {
  await server.close();
  for (const receiver of Object.values(receivers)) await receiver.close();
});
afterEach(() => receivers["faulty"]?.answer(() => 204));

const receiver = (name: string): Receiver => receivers[name]!;
const of = (name: string, unit: { id: string }) =>
  receiver(name).received.filter(({ subject }) => subject === `development/${unit.id}`);
const freshUnit = () => ships(`urn:dmb:dp:sea:told${++count}:0`);
const deliveries = async (query: string): Promise<any[]> => {
  const { status, body, text } = await server.coordinator({ path: `/v1/webhook-deliveries?${query}` });
  expect(status, text).toBe(200);
  return body.data;
};
const replay = (body: object): Promise<Answer> =>
  server.coordinator({ method: "POST", path: "/v1/webhook-deliveries/replay", body });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const ran = async (unit = freshUnit()): Promise<{ unit: ReturnType<typeof ships>; plan: string }> => {
  const plan = await start(server, unit);
  expect(await ended(server, plan)).toBe("COMPLETED");
  return { unit, plan };
};
const isLast = (unit: { id: string }) => () =>
  of("units", unit).some(({ event }) => event.data.status === "DEPLOYED");

describe("a receiver", () => {
  it("gets every change of a plan, in order, as signed CloudEvents", async () => {
    const { unit, plan } = await ran();
    await eventually("the last event", () =>
      of("all", unit).some(
        ({ event }) => event.data.status === "DEPLOYED" && event.type === "plinth.unit.status-changed",
      ),
    );
    const events = of("all", unit).map(({ event }) => event);
    const common = (type: string) => ({
      specversion: "1.0",
      id: expect.stringMatching(/^evt_[0-9a-f]{12}_\d+(_unit|_component)?$/),
      source: "https://plinth.example/api/coordinator",
      type,
      subject: `development/${unit.id}`,
      time,
      datacontenttype: "application/json",
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
    const where = { deploymentUnitId: unit.id, environment: "development" };
    const ofPlan = (status: string) => ({
      ...common("plinth.plan.status-changed"),
      data: {
        ...where,
        planId: plan,
        kind: "PROVISIONING",
        action: "PROVISION",
        status,
        descriptorVersion: "1.2.0",
        originator: "service:default/admin",
      },
    });
    const ofUnit = (status: string) => ({
      ...common("plinth.unit.status-changed"),
      data: { ...where, status, planId: plan },
    });
    expect(events.slice(0, 2)).toEqual([ofPlan("RUNNING"), ofUnit("PROVISIONING_IN_PROGRESS")]);
    expect(events.slice(-2)).toEqual([ofPlan("COMPLETED"), ofUnit("DEPLOYED")]);
    const task = (status: string, more: object) => ({
      ...common("plinth.task.status-changed"),
      data: {
        ...where,
        planId: plan,
        taskId: `provision:${hullId}`,
        status,
        action: "PROVISION",
        componentId: hullId,
        startTime: time,
        adapterId: "urn:dmb:itm:mock:1",
        ...more,
      },
    });
    const component = (status: string) => ({
      ...common("plinth.component.status-changed"),
      data: { ...where, componentId: hullId, status, planId: plan },
    });
    const ofHull = events.filter(
      ({ data }) => data.componentId === hullId && data.action !== "VALIDATE_COMPONENT",
    );
    expect(ofHull).toEqual([
      task("RUNNING", {}),
      component("PROVISIONING_IN_PROGRESS"),
      task("COMPLETED", { stopTime: time, message: expect.any(String), componentStatus: "DEPLOYED" }),
      component("DEPLOYED"),
    ]);
    // The order of everything about the unit is the order of the changes.
    const numbers = events.map(({ id }) => Number(id.split("_")[2]));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const headers = of("all", unit)[0]!.headers;
    expect(headers).toMatchObject({
      "content-type": "application/cloudevents+json; charset=utf-8",
      "webhook-id": events[0].id,
      "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      "webhook-signature": expect.stringMatching(/^v1,\S{44} v1,\S{44}$/),
    });
  });

  it("gets only what it asked for", async () => {
    const { unit } = await ran();
    await eventually("the unit's events", isLast(unit));
    expect(of("units", unit).map(({ event }) => event.data.status)).toEqual([
      "PROVISIONING_IN_PROGRESS",
      "DEPLOYED",
    ]);
    expect(receiver("production").received).toEqual([]);
  });

  it("gets a call of unknown outcome, and its settlement", async () => {
    const unit = freshUnit();
    const lost = { name: "reset-after", times: Number.MAX_SAFE_INTEGER } as const;
    server.mock.setBehaviours({
      components: { [hullId]: { operations: { provision: { odd: { start: lost } } } } },
    });
    const plan = await start(server, unit);
    expect(await ended(server, plan)).toBe("FAILED");
    server.mock.setBehaviours({});
    await eventually("the unit's events", () =>
      of("units", unit).some(({ event }) => event.data.status === "CORRUPT"),
    );
    const task = encodeURIComponent(`provision:${hullId}`);
    const settled = await server.coordinator({
      method: "POST",
      path: `/v1/unknown-outcomes/${plan}/${task}/settle`,
      body: { outcome: "NOT_DEPLOYED", reason: "Nothing there." },
    });
    expect(settled.status).toBe(200);
    const seen = () =>
      of("all", unit).map(({ event: { type, data } }) => `${type} ${data.outcome ?? data.status ?? ""}`);
    await eventually("the settlement", () =>
      seen().some((each) => each.startsWith("plinth.outcome.settled")),
    );
    expect(seen().slice(-7)).toEqual([
      expect.stringMatching(/^plinth\.(component|outcome|task|plan)/),
      expect.stringMatching(/^plinth\.(component|outcome|task|plan)/),
      "plinth.plan.status-changed FAILED",
      "plinth.unit.status-changed CORRUPT",
      "plinth.component.status-changed NOT_DEPLOYED",
      "plinth.unit.status-changed NOT_DEPLOYED",
      "plinth.outcome.settled NOT_DEPLOYED",
    ]);
    const unknown = of("all", unit).find(({ type }) => type === "plinth.outcome.unknown");
    expect(unknown?.event.data).toEqual({
      deploymentUnitId: unit.id,
      environment: "development",
      planId: plan,
      taskId: `provision:${hullId}`,
      componentId: hullId,
      action: "PROVISION",
      message: expect.stringContaining("hull failed"),
    });
  });
});

const listed = async (): Promise<any[]> => (await server.coordinator({ path: "/v1/webhooks" })).body.data;

describe("a receiver that fails", () => {
  const statuses = (unit: { id: string }) => of("faulty", unit).map(({ status }) => status);

  it.each<[string, (attempt: number) => number | null, string]>([
    ["answers 500", (attempt) => (attempt < 3 ? 500 : 204), "The receiver answered 500."],
    ["answers 400", (attempt) => (attempt < 2 ? 400 : 204), "The receiver answered 400."],
    ["redirects", (attempt) => (attempt < 2 ? 307 : 204), "redirect (307); none is followed"],
  ])("%s: it gets the same message again, under the same id, and then the next", async (_, reply) => {
    const unit = freshUnit();
    const tries = new Map<string, number>();
    receiver("faulty").answer((event) => {
      if (event.subject !== `development/${unit.id}`) return 204;
      tries.set(event.id, (tries.get(event.id) ?? 0) + 1);
      return event.data.status === "RUNNING" ? reply(tries.get(event.id) ?? 0) : 204;
    });
    await ran(unit);
    await eventually("the last event", () => of("faulty", unit).at(-1)?.event.data.status === "COMPLETED");
    const seen = of("faulty", unit);
    const first = seen.filter(({ event }) => event.data.status === "RUNNING");
    expect(first.length).toBeGreaterThan(1);
    expect(new Set(first.map(({ id }) => id)).size).toBe(1);
    expect(seen.map(({ event }) => event.data.status)).toEqual([...first.map(() => "RUNNING"), "COMPLETED"]);
  });

  it("never answers: the call is cut off and made again", async () => {
    const unit = freshUnit();
    let silent = 2;
    receiver("faulty").answer((event) => (event.subject.endsWith(unit.id) && silent-- > 0 ? null : 204));
    await ran(unit);
    await eventually("the last event", () => of("faulty", unit).at(-1)?.event.data.status === "COMPLETED");
    expect(statuses(unit)).toEqual([0, 0, 204, 204]);
  });

  it("goes on failing: the event is dead, shows why, lets the next go, and can be sent again", async () => {
    const unit = freshUnit();
    let isBroken = true;
    receiver("faulty").answer((event) =>
      isBroken && event.subject.endsWith(unit.id) && event.data.status === "RUNNING" ? 500 : 204,
    );
    await ran(unit);
    await eventually("the last event", () => of("faulty", unit).at(-1)?.event.data.status === "COMPLETED");
    expect(statuses(unit)).toEqual([500, 500, 500, 500, 204]);
    const mine = ({ subject }: any): boolean => subject === `development/${unit.id}`;
    const dead = (await deliveries("webhook=faulty&status=DEAD")).find(mine);
    expect(dead).toEqual({
      id: expect.any(Number),
      webhook: "faulty",
      eventId: of("faulty", unit)[0]!.id,
      type: "plinth.plan.status-changed",
      subject: `development/${unit.id}`,
      environment: "development",
      status: "DEAD",
      isReplay: false,
      attempts: 4,
      createdAt: time,
      lastAttemptAt: time,
      lastStatus: 500,
      lastError: "The receiver answered 500. It was attempt 4, the last one.",
      nextAttemptAt: null,
      endedAt: time,
      waiting: null,
    });
    isBroken = false;
    const answer = await replay({ webhook: "faulty", deliveryId: dead.id });
    expect([answer.status, answer.body]).toEqual([202, { replayed: 1 }]);
    await eventually("the replay", () => of("faulty", unit).length === 6);
    expect(of("faulty", unit)[5]).toMatchObject({ id: dead.eventId, status: 204 });
    const again = await replay({ webhook: "faulty", from: "2026-01-01T00:00:00Z" });
    expect(again.body).toEqual({ replayed: 0 });
    const { rows } =
      await sql<any>`select actor, detail from audit where operation = 'replayWebhookDeliveries'
      order by id limit 1`.execute(server.db.database.db);
    expect(rows).toEqual([
      {
        actor: "service:default/admin",
        detail: { webhook: "faulty", deliveryId: dead.id, includeDelivered: false, replayed: 1 },
      },
    ]);
  });

  it("answers 410: nothing more goes out to it until a replay", async () => {
    // The events of the tests before have arrived, so that only those of the two units are dead.
    await eventually("nothing is left to send", async () => (await listed())[4].pending === 0);
    receiver("gone").answer(() => 410);
    const { unit } = await ran();
    await eventually("the end of it", async () => {
      const all = (await deliveries("webhook=gone&limit=100")).filter(({ subject }) =>
        subject.endsWith(unit.id),
      );
      return all.length === 2 && all.every(({ status }) => status === "DEAD");
    });
    expect(of("gone", unit)).toHaveLength(1);
    const { unit: later } = await ran();
    await eventually("both of the next unit", async () => {
      const dead = await deliveries("webhook=gone&status=DEAD&limit=100");
      return dead.filter(({ subject }) => subject.endsWith(later.id)).length === 2;
    });
    expect(of("gone", later)).toEqual([]);
    const webhooks = await listed();
    expect(webhooks.map(({ name }) => name)).toEqual(["all", "units", "production", "faulty", "gone"]);
    expect(webhooks[2]).toMatchObject({ events: null, environments: ["production"], stoppedAt: null });
    expect(webhooks[4]).toEqual({
      name: "gone",
      host: new URL(receiver("gone").url).host,
      events: ["plinth.plan.status-changed"],
      environments: null,
      pending: 0,
      dead: 4,
      oldestPendingAt: null,
      stoppedAt: time,
    });
    receiver("gone").answer(() => 204);
    await replay({ webhook: "gone", from: "2026-01-01T00:00:00+01:00", to: "2999-01-01T00:00:00Z" });
    await eventually("the replay", () => of("gone", later).length === 2 && of("gone", unit).length === 3);
    expect((await listed())[4].stoppedAt).toBeNull();
  });

  it("shows what waits, and why", async () => {
    const unit = freshUnit();
    receiver("faulty").answer((event) => (event.subject.endsWith(unit.id) ? null : 204));
    await ran(unit);
    const own = async (): Promise<any[]> =>
      (await deliveries("webhook=faulty&status=PENDING")).filter(({ subject }) => subject.endsWith(unit.id));
    await eventually("both wait", async () => (await own()).length === 2);
    const [second] = await own();
    expect(second).toMatchObject({
      attempts: 0,
      nextAttemptAt: null,
      waiting: "An earlier event of the same subject has to be delivered or dead first.",
    });
    const faulty = (await listed()).find(({ name }) => name === "faulty");
    expect(faulty.pending).toBeGreaterThanOrEqual(2);
    expect(faulty.oldestPendingAt).toEqual(time);
    receiver("faulty").answer(() => 204);
    await eventually("the end", async () => (await own()).length === 0);
  });
});

it("the list goes on page by page, the latest first", async () => {
  const seen: number[] = [];
  let after = "";
  for (;;) {
    const { body } = await server.coordinator({
      path: `/v1/webhook-deliveries?webhook=units&limit=3${after}`,
    });
    seen.push(...body.data.map(({ id }: { id: number }) => id));
    if (body.meta.pagination.next === null) break;
    after = `&after=${body.meta.pagination.next}`;
  }
  expect(seen.length).toBeGreaterThan(6);
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
});

describe("an event that becomes visible late", () => {
  it("is not passed by", async () => {
    const { database } = server.db;
    const unit = freshUnit();
    const append = (n: number): string => `insert into events (stream, type, at, data) values
      ('unit:development:${unit.id}', 'outcome', now(),
       '{"n": ${n}, "deploymentUnitId": "${unit.id}", "environment": "development"}')`;
    const slow = await database.connect();
    const lost = await database.connect();
    for (const client of [slow, lost]) await client.query("begin");
    await slow.query(append(1));
    await lost.query(append(2));
    await database.pool.query(append(3));
    const { unit: other } = await ran();
    // What came after it waits for it as well, because nobody can know where it will stand.
    expect(of("all", other)).toEqual([]);
    await slow.query("commit");
    await lost.query("rollback");
    await eventually("the rest", isLast(other));
    await eventually("all of it", () => of("all", unit).length === 2);
    expect(of("all", unit).map(({ event }) => event.data.n)).toEqual([1, 3]);
    await slow.end();
    await lost.end();
  });
});

describe("the operations refuse", () => {
  const onList = (what: string, query: string, field: string, code = "PLATFORM_INPUT"): Refusal => [
    what,
    { path: `/v1/webhook-deliveries?${query}` },
    400,
    code,
    field,
  ];
  const onReplay = (what: string, body: unknown, field: string, code = "PLATFORM_INPUT"): Refusal => [
    what,
    { method: "POST", path: "/v1/webhook-deliveries/replay", body },
    code === "COORD_WEBHOOK_NOT_FOUND" || code === "COORD_DELIVERY_NOT_FOUND" ? 404 : 400,
    code,
    field,
  ];
  const from = "2026-11-21T00:00:00Z";
  testRefusals(
    () => server,
    [
      onList("an empty webhook", "webhook=", "webhook"),
      onList("a long webhook", `webhook=${"x".repeat(64)}`, "webhook"),
      onList("another status", "status=LOST", "status"),
      onList("a limit of nothing", "limit=0", "limit"),
      onList("a large limit", "limit=101", "limit"),
      onList("a broken cursor", "after=zebra", "after", "COORD_INVALID_CURSOR"),
      onList("a cursor of words", `after=${btoa('["a"]')}`, "after", "COORD_INVALID_CURSOR"),
      onList(
        "a cursor beyond counting",
        `after=${btoa(`["${"9".repeat(16)}"]`)}`,
        "after",
        "COORD_INVALID_CURSOR",
      ),
      onReplay("no body", "", ""),
      onReplay("no webhook", { from }, "/webhook"),
      onReplay("an unknown webhook", { webhook: "x", from }, "/webhook", "COORD_WEBHOOK_NOT_FOUND"),
      onReplay("nothing to send", { webhook: "all" }, "/from", "COORD_INVALID_REPLAY"),
      onReplay("both", { webhook: "all", from, deliveryId: 1 }, "/deliveryId", "COORD_INVALID_REPLAY"),
      onReplay("a time that is none", { webhook: "all", from: "today" }, "/from"),
      onReplay(
        "a leap second",
        { webhook: "all", from: "2016-12-31T23:59:60Z" },
        "/from",
        "COORD_INVALID_REPLAY",
      ),
      onReplay(
        "the year nothing",
        { webhook: "all", from: "0000-01-01T00:00:00Z" },
        "/from",
        "COORD_INVALID_REPLAY",
      ),
      onReplay(
        "an end before the beginning",
        { webhook: "all", from, to: from },
        "/to",
        "COORD_INVALID_REPLAY",
      ),
      onReplay("a delivery of nothing", { webhook: "all", deliveryId: 0 }, "/deliveryId"),
      onReplay(
        "an unknown delivery",
        { webhook: "all", deliveryId: 9_007_199_254_740_991 },
        "/deliveryId",
        "COORD_DELIVERY_NOT_FOUND",
      ),
    ],
  );
});
