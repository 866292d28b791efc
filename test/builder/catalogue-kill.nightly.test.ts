/** A worker that is killed while it reads a location: nothing half read is written, and another one reads it again. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  databaseVariables,
  productProgram,
  startChild,
  startWorker,
  stopChild,
  type Child,
  type Worker,
} from "../crash/processes.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";

let db: TestDatabase;
let cwd = "";
let api: Child;
let base = "";
let worker: Worker;

/** What the address answers, and whether its last file is kept back. */
let version = 1;
let isHeld = false;
const held: ServerResponse[] = [];

const part = (name: string): string =>
  JSON.stringify({
    apiVersion: "plinth.io/v1",
    kind: "Resource",
    metadata: { name, labels: { version: String(version) } },
    spec: { type: "file", owner: "group:default/ops" },
  });

const files = createServer((request, response) => {
  const name = (request.url ?? "").replace(/^\/|\.yaml$/g, "");
  if (name === "last" && isHeld) {
    held.push(response);
    return;
  }
  const targets = ["./first.yaml", "./last.yaml"];
  const all = { apiVersion: "plinth.io/v1", kind: "Location", metadata: { name: "all" }, spec: { targets } };
  response.end(name === "all" ? JSON.stringify(all) : part(name));
});

async function call(path: string, body?: object): Promise<{ status: number; body: any }> {
  const response = await fetch(base + path, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

const versions = async (): Promise<string[]> =>
  (await call("/api/catalog/entities?filter=kind=resource")).body.map(
    ({ metadata }: { metadata: { name: string; labels: { version: string } } }) =>
      `${metadata.name} ${metadata.labels.version}`,
  );

const options = () => ({ cwd, env: databaseVariables(db.connection) });

beforeAll(async () => {
  db = await testDatabase();
  cwd = await mkdtemp(join(tmpdir(), "plinth-refresh-"));
  await new Promise<void>((done) => void files.listen(0, "127.0.0.1", done));
  // A reading that is not ended in twice that time is another worker's.
  const catalogue = { refreshSeconds: 0, readTimeoutMs: 2_000 };
  await writeFile(
    join(cwd, "plinth.yaml"),
    JSON.stringify({ mesh: { builder: { catalogue } }, outbound: { privateNetworks: { locations: true } } }),
  );
  api = startChild(productProgram(), ["start", "--workers", "off", "--port", "0"], options());
  base = await api.waitForLine(({ url }) => (typeof url === "string" ? url : undefined));
  worker = startWorker(options());
  await eventually("the worker", async () => worker.id);
});

afterAll(async () => {
  await stopChild(worker.child);
  await stopChild(api);
  files.closeAllConnections();
  files.close();
  await db.drop();
  await rm(cwd, { recursive: true, force: true });
});

it("another one reads it again, and nothing in between is seen", async () => {
  const target = `http://127.0.0.1:${(files.address() as AddressInfo).port}/all.yaml`;
  const registered = await call("/api/catalog/locations", { type: "url", target });
  expect([registered.status, await versions()]).toEqual([201, ["first 1", "last 1"]]);
  version = 2;
  isHeld = true;
  expect((await call("/api/catalog/refresh", { entityRef: "resource:first" })).status).toBe(200);
  await eventually("the reading", async () => held.length > 0);
  worker.child.process.kill("SIGKILL");
  await worker.child.gone;
  expect(await versions()).toEqual(["first 1", "last 1"]);
  isHeld = false;
  for (const response of held) response.end(part("last"));
  worker = startWorker(options());
  const seen = new Set<string>();
  await eventually("the next reading", async () => {
    const now = (await versions()).join();
    seen.add(now);
    return now === "first 2,last 2";
  });
  expect([...seen].filter((each) => each !== "first 1,last 1" && each !== "first 2,last 2")).toEqual([]);
  const location = (await call("/api/catalog/locations")).body.find(
    ({ data }: { data: { target: string } }) => data.target === target,
  );
  expect(location.data).toMatchObject({ problems: [], refreshedAt: expect.any(String) });
});
