/** Who reads locations again, and when. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteEntity } from "../../src/builder/catalogue/locations/entity-store.ts";
import { startRefreshWorker } from "../../src/builder/catalogue/locations/refresh-worker.ts";
import {
  changeTarget,
  deleteLocation,
  insertLocation,
  listLocations,
  requestRefresh,
  takeDueLocations,
  type LocationRow,
} from "../../src/builder/catalogue/locations/store.ts";
import { builderSettings } from "../../src/builder/settings.ts";
import { createRenderer, type Renderer } from "../../src/builder/renderer.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { newId } from "../../src/platform/lib/ids.ts";
import type { RowWorker } from "../../src/platform/jobs/row-worker.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { openOutboundClients } from "../../src/platform/outbound/outbound-clients.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { entityText } from "./catalogue-fixture.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";

const answers = new Map<string, string>();
const hits = new Map<string, number>();
const { config } = loadConfig({ files: [], env: {}, cwd: "/" });
const { clients: outbound, close: closeOutbound } = openOutboundClients(
  { ...config.outbound, allowPrivateNetworks: true },
  silentLogger,
);
let db: TestDatabase;
let web: HttpPeer;
let renderer: Renderer;
let status = 200;
/** What answers wait for, by the beginnings of their paths. */
const gates = new Map<string, () => Promise<unknown>>();

beforeAll(async () => {
  db = await testDatabase();
  web = await startHttpPeer((request, response) => {
    const path = request.url ?? "";
    hits.set(path, (hits.get(path) ?? 0) + 1);
    const answer = (): void =>
      void response.writeHead(status).end(answers.get(path) ?? entityText("Domain", path.slice(1)));
    const gate = [...gates].find(([prefix]) => path.startsWith(prefix))?.[1];
    if (gate !== undefined) void gate().then(answer);
    // Long enough for the other worker to look for what is due.
    else setTimeout(answer, 20);
  });
  renderer = createRenderer({ workers: 1 });
});
afterAll(async () => {
  await renderer.close();
  await closeOutbound();
  await web.close();
  await db.drop();
});

const startWorker = (refreshMs: number, now = () => new Date()): Promise<RowWorker> => {
  const settings = builderSettings(config);
  const catalogue = { ...settings.catalogue, refreshMs };
  const deps = { database: db.database, outbound, renderer, settings: { ...settings, catalogue } };
  return startRefreshWorker({ deps, log: silentLogger, now, sweepMs: 20 });
};

const register = (name: string): Promise<boolean> =>
  insertLocation(db.database.db, {
    id: newId(),
    type: "url",
    target: `${web.url}/${name}`,
    registeredBy: "user:default/ada",
    bringsPeople: false,
    at: new Date(),
    nextRefreshAt: new Date(),
  });

const location = async (name: string): Promise<LocationRow | undefined> =>
  (await listLocations(db.database.db, 100)).find(({ target }) => target === `${web.url}/${name}`);

it("one of two workers reads each location, once", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `each-${index}`);
  for (const name of names) await register(name);
  const workers = await Promise.all([startWorker(0), startWorker(0)]);
  await expect
    .poll(async () => (await Promise.all(names.map(location))).every((row) => row?.refreshedAt != null))
    .toBe(true);
  await Promise.all(workers.map((worker) => worker.close()));
  expect(names.map((name) => hits.get(`/${name}`))).toEqual(names.map(() => 1));
});

it("reads again after the configured time, and reports when it cannot", async () => {
  await register("again");
  const worker = await startWorker(50);
  await expect.poll(() => hits.get("/again") ?? 0).toBeGreaterThan(2);
  status = 500;
  await expect
    .poll(async () => (await location("again"))?.problems)
    .toEqual([{ where: "/target", message: "The address answers 500." }]);
  await worker.close();
  const known = await db.database.pool.query(
    "select orphan from catalogue_entities where ref = 'domain:default/again'",
  );
  expect(known.rows).toEqual([{ orphan: false }]);
});

it("takes over what a process that was killed had begun, when its time is up", async () => {
  status = 200;
  await register("left");
  const now = new Date();
  const leaseUntil = new Date(now.getTime() + 120_000);
  await takeDueLocations(db.database.db, { now, leaseUntil, limit: 100 });
  // The worker that took it has died; two minutes later another one takes over.
  const worker = await startWorker(0, () => new Date(Date.now() + 121_000));
  await expect.poll(async () => (await location("left"))?.refreshedAt ?? null).not.toBeNull();
  await worker.close();
});

const orphanOf = async (ref: string): Promise<boolean | undefined> => {
  const { rows } = await db.database.pool.query("select orphan from catalogue_entities where ref = $1", [
    ref,
  ]);
  return rows[0]?.orphan;
};

/** Returns what lets the answers go. */
function hold(prefix: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(prefix, () => promise);
  return () => {
    gates.delete(prefix);
    resolve();
  };
}

const untilAsked = (path: string, times = 1) => expect.poll(() => hits.get(path) ?? 0).toBe(times);

it("a refresh that is requested while all places are taken is not forgotten when the reading of before ends", async () => {
  const letGo = hold("/busy");
  for (const name of ["busy-1", "busy-2"]) await register(name);
  const worker = await startWorker(0);
  await untilAsked("/busy-1");
  await untilAsked("/busy-2");
  await requestRefresh(db.database.db, (await location("busy-1"))!.id, new Date());
  letGo();
  await untilAsked("/busy-1", 2);
  await worker.close(60_000);
  expect(hits.get("/busy-2")).toBe(1);
});

it("a reading of the target of before stores nothing", async () => {
  const letGo = hold("/target-before");
  await register("target-before");
  const worker = await startWorker(0);
  await untilAsked("/target-before");
  const { id } = (await location("target-before"))!;
  await changeTarget(db.database.db, {
    id,
    type: "url",
    target: `${web.url}/target-after`,
    bringsPeople: false,
  });
  letGo();
  await worker.close(60_000);
  expect([
    await orphanOf("domain:default/target-before"),
    (await location("target-after"))?.refreshedAt,
  ]).toEqual([undefined, null]);
});

it("a location whose entities were of another one is read again when that one goes, also while it is being read", async () => {
  const text = entityText("Domain", "claimed");
  for (const path of ["/claims-1", "/claims-2"]) answers.set(path, text);
  await register("claims-1");
  const worker = await startWorker(0);
  await expect.poll(() => orphanOf("domain:default/claimed")).toBe(false);
  await register("claims-2");
  await expect.poll(async () => (await location("claims-2"))?.problems.length).toBe(1);
  const [first, second] = [(await location("claims-1"))!, (await location("claims-2"))!];
  const letGo = hold("/claims");
  await requestRefresh(db.database.db, second.id, new Date());
  await untilAsked("/claims-2", 2);
  await register("claims-3");
  await untilAsked("/claims-3");
  await deleteLocation(db.database.db, first.id, new Date());
  letGo();
  await untilAsked("/claims-2", 3);
  await worker.close(60_000);
  expect([await orphanOf("domain:default/claimed"), (await location("claims-2"))?.problems]).toEqual([
    false,
    [],
  ]);
});

it("a reading that has been replaced gives up its place as soon as it would extend its lease", async () => {
  const targets = ["part-done", "held-part"].map((name) => `${web.url}/${name}`);
  answers.set("/parts", entityText("Location", "parts", JSON.stringify({ type: "url", targets })));
  const [letPartGo, letGo] = [hold("/part-"), hold("/held-part")];
  await register("parts");
  let laterMs = 0;
  const worker = await startWorker(0, () => new Date(Date.now() + laterMs));
  await untilAsked("/part-done");
  await changeTarget(db.database.db, {
    id: (await location("parts"))!.id,
    type: "url",
    target: `${web.url}/other-parts`,
    bringsPeople: false,
  });
  laterMs = 3_600_000;
  letPartGo();
  await worker.close(60_000);
  letGo();
  expect((await location("other-parts"))?.refreshedAt).toBeNull();
});

it("an entity that is removed while its location is being read is brought back by the next reading", async () => {
  await register("removed");
  let laterMs = 0;
  const worker = await startWorker(50, () => new Date(Date.now() + laterMs));
  const ref = "domain:default/removed";
  await expect.poll(() => orphanOf(ref)).toBe(false);
  const letGo = hold("/removed");
  const asked = (): number => hits.get("/removed") ?? 0;
  const before = asked();
  await expect.poll(asked).toBeGreaterThan(before);
  const { rows } = await db.database.pool.query("select uid from catalogue_entities where ref = $1", [ref]);
  expect(await deleteEntity(db.database.db, rows[0].uid)).toBe(ref);
  letGo();
  laterMs = 3_600_000;
  await expect.poll(() => orphanOf(ref)).toBe(false);
  await worker.close(60_000);
});

it("a location that somebody wants to be read again during every reading is taken in all the same", async () => {
  await register("asked");
  const { id } = (await location("asked"))!;
  gates.set("/asked", () => requestRefresh(db.database.db, id, new Date()));
  const worker = await startWorker(0);
  await expect.poll(async () => (await location("asked"))?.refreshedAt ?? null).not.toBeNull();
  gates.delete("/asked");
  // The last request came during a reading, and another one follows.
  await expect.poll(nextRefresh("asked")).toBeNull();
  await worker.close(60_000);
  expect(await orphanOf("domain:default/asked")).toBe(false);
});

const nextRefresh = (name: string) => async (): Promise<Date | null> => {
  const { rows } = await db.database.pool.query(
    "select next_refresh_at from catalogue_locations where target = $1",
    [`${web.url}/${name}`],
  );
  return rows[0].next_refresh_at;
};

it("a refresh that is requested during a reading that fails is not put off", async () => {
  await register("fails-once");
  const { id } = (await location("fails-once"))!;
  gates.set("/fails-once", async () => {
    const isFirst = hits.get("/fails-once") === 1;
    status = isFirst ? 500 : 200;
    if (isFirst) await requestRefresh(db.database.db, id, new Date());
  });
  // Its clock stands still, so that what is put off is never due.
  const now = new Date(Date.now() + 60_000);
  const worker = await startWorker(0, () => now);
  await expect.poll(() => orphanOf("domain:default/fails-once")).toBe(false);
  gates.delete("/fails-once");
  await worker.close(60_000);
});

it("a refresh does not wait for a reading whose failure could not be stored", async () => {
  const { pool } = db.database;
  await pool.query(`create function refuse() returns trigger language plpgsql as
      'begin raise exception ''no space''; end';
    create trigger refuse before update on catalogue_locations for each row
      when (new.failures > old.failures) execute function refuse()`);
  status = 500;
  await register("not-stored");
  const now = new Date(Date.now() + 60_000);
  const worker = await startWorker(0, () => now);
  await untilAsked("/not-stored");
  await worker.close(60_000);
  status = 200;
  await pool.query("drop function refuse cascade");
  // Neither is it read again at once, and over and over.
  expect(await nextRefresh("not-stored")()).toEqual(new Date(now.getTime() + 10_000));
  await requestRefresh(db.database.db, (await location("not-stored"))!.id, now);
  expect(await nextRefresh("not-stored")()).toEqual(now);
});

it("a refresh does not wait for a reading by a program that does not know of requests during it", async () => {
  await register("before-0085");
  await db.database.pool.query(
    "update catalogue_locations set fence = fence + 1, next_refresh_at = now() + interval '1 hour' where target = $1",
    [`${web.url}/before-0085`],
  );
  const { id, fence } = (await location("before-0085"))!;
  await requestRefresh(db.database.db, id, new Date());
  expect((await location("before-0085"))?.fence).toBe(fence + 1);
  const worker = await startWorker(0);
  await expect.poll(async () => (await location("before-0085"))?.refreshedAt ?? null).not.toBeNull();
  await worker.close(60_000);
});

it("a reading that a stop has ended is due again at once", async () => {
  const letGo = hold("/stopped");
  await register("stopped");
  const worker = await startWorker(0);
  await untilAsked("/stopped");
  await worker.close(0);
  letGo();
  expect((await nextRefresh("stopped")())!.getTime()).toBeLessThanOrEqual(Date.now());
  const other = await startWorker(0);
  await expect.poll(() => orphanOf("domain:default/stopped")).toBe(false);
  await other.close(60_000);
});
