/** A server as a process of its own, with units to ask for, and the requests that it gets. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServerProcess } from "../../bench/support/server-process.ts";
import type { Kind } from "./load.ts";

export const token = "a-token-of-enough-length-for-an-overload";

const adapterId = "urn:dmb:itm:overload:1";
const unitId = "urn:dmb:dp:sea:overload:0";
const environment = "development";
const parts = 8;

export interface Fixture {
  port: number;
  kinds: Kind[];
  close(): Promise<void>;
}

/** `command` is the file that node runs: the bundle, or that of another version. */
export async function openFixture(command: string): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), "plinth-overload-"));
  const config = join(folder, "plinth.json");
  const tokens = [{ name: "load", secret: token, roles: ["admin"] }];
  await writeFile(
    config,
    JSON.stringify({
      server: { rateLimitPerMinute: 1_000_000_000 },
      auth: { environment: "default", providers: { service: { default: { tokens } } } },
    }),
  );
  const server = await startServerProcess({}, ["--workers", "off", "--config", config], command);
  const call = caller(`${server.url}/api/coordinator`);
  await call("POST", "/v1/tech-adapters", { id: adapterId, version: "1", name: "Overload" });
  await call("PUT", `/v1/tech-adapters/${adapterId}/deployments/${environment}`, {
    url: "http://127.0.0.1:9",
  });
  const plan = String(
    await call("POST", `${unitPath(unitId)}/provisioning?environment=${environment}`, start(unitId)),
  );
  return {
    port: Number(new URL(server.url).port),
    kinds: kindsOf(plan),
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const unitPath = (unit: string): string => `/v2/deployment-units/${encodeURIComponent(unit)}`;

/** What a platform gets: most look at plans and units, some preview, a few start. */
function kindsOf(plan: string): Kind[] {
  const base = "/api/coordinator";
  const query = `?environment=${environment}`;
  const unit = `${base}/v1/deployment-units/${encodeURIComponent(unitId)}/provisioning-status${query}`;
  const preview = `${base}${unitPath(unitId)}/provisioning/preview${query}`;
  const own = "urn:dmb:dp:sea:load-#:0";
  const begin = `${base}${unitPath("urn:dmb:dp:sea:load-")}%23`.replace("%23", "#");
  return [
    { name: "plan", weight: 4, method: "GET", path: `${base}/v1/execution-plans/${plan}/status` },
    { name: "unit", weight: 3, method: "GET", path: unit },
    { name: "preview", weight: 2, method: "POST", path: preview, body: JSON.stringify(start(unitId)) },
    {
      name: "start",
      weight: 1,
      method: "POST",
      path: `${begin}${encodeURIComponent(":0")}/provisioning${query}`,
      body: JSON.stringify(start(own)),
    },
  ];
}

/** Eight components in three layers. */
function start(unit: string): object {
  const components = Array.from({ length: parts }, (_, n) => ({
    id: `${unit}:part-${n}`,
    name: `Part ${n}`,
    infrastructureTemplateId: adapterId,
    dependsOn: n < 3 ? [] : [`${unit}:part-${n - 3}`],
  }));
  return {
    descriptor: { id: unit, name: unit, version: "1.0.0", environment, components },
    targetStatus: components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" })),
  };
}

const caller =
  (base: string) =>
  async (method: string, path: string, body: object): Promise<unknown> => {
    const answer = await fetch(base + path, {
      method,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
