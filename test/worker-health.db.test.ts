/** A process of workers only that listens: what a supervisor asks it, and the metrics of waiting plans. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPlinth, type Running } from "../src/app.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { ended, ships, start } from "./coordinator/ships.ts";
import { startWholeServer, wholeServerConfig, type WholeServer } from "./support/server.ts";

let server: WholeServer;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "plinth-worker-health-"));
  server = await startWholeServer({ workers: "off" });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true });
});

const startWorker = (workersListen: boolean): Promise<Running> => {
  const config = wholeServerConfig(server.db.connection, dataDir);
  config.server.workersListen = workersListen;
  return startPlinth(config, { areas: ["coordinator"], workers: "only" }, silentLogger, {
    lateThreads: true,
  });
};

/** The plans that have not ended, by state, as a process reports them. */
async function activePlans(url: string): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${server.token("viewer")}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const lines = text.matchAll(/^plinth_plans_active\{state="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, state, count]) => [state, Number(count)]));
}

it("listens only where it is told to", async () => {
  const worker = await startWorker(false);
  expect(worker.url).toBeNull();
  await worker.close();
});

it("answers health and metrics, serves no area, and counts plans that wait and that are driven", async () => {
  // A scrape leaves out what the database does not count in time.
  await expect.poll(() => activePlans(server.url)).toEqual({ waiting: 0, driven: 0 });
  const held = { mode: "async", runningMs: 600_000 } as const;
  server.mock.setBehaviours({ default: { operations: { provision: held } } });
  const plan = await start(server, ships("urn:dmb:dp:sea:health:0"));
  const plans = (url: string, state: string) => async () => (await activePlans(url))[state];
  await expect.poll(plans(server.url, "waiting")).toBe(1);

  const worker = await startWorker(true);
  const url = worker.url!;
  const status = async (path: string) => (await fetch(url + path)).status;
  expect(await Promise.all(["/healthz", "/readyz", "/metrics"].map(status))).toEqual([200, 200, 401]);
  for (const path of ["/api/coordinator/v1/deployment-units", "/api/builder/templates", "/mcp"])
    expect([path, await status(path)]).toEqual([path, 404]);
  await expect.poll(plans(url, "driven")).toBe(1);
  server.mock.setBehaviours({});
  server.mock.finish();
  expect(await ended(server, plan)).toBe("COMPLETED");
  await expect.poll(plans(url, "driven")).toBe(0);
  await worker.close();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
