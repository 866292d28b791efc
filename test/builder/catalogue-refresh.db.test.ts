/** Who reads locations again, and when. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRefreshWorker } from "../../src/builder/catalogue/locations/refresh-worker.ts";
import {
  insertLocation,
  listLocations,
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

beforeAll(async () => {
  db = await testDatabase();
  web = await startHttpPeer((request, response) => {
    const path = request.url ?? "";
    hits.set(path, (hits.get(path) ?? 0) + 1);
    // Long enough for the other worker to look for what is due.
    setTimeout(() => response.writeHead(status).end(entityText("Domain", path.slice(1))), 20);
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
