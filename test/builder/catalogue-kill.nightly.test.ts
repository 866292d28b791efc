/** A worker that is killed while it reads a location: nothing half read is written, and another one reads it again. */
import type { RequestListener, ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { openProcessStage, type ProcessStage } from "../support/process-stage.ts";
import type { Answer } from "../support/server.ts";

let fixture: ProcessStage;
let peer: HttpPeer;

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

const files: RequestListener = (request, response) => {
  const name = (request.url ?? "").replace(/^\/|\.yaml$/g, "");
  if (name === "last" && isHeld) {
    held.push(response);
    return;
  }
  const targets = ["./first.yaml", "./last.yaml"];
  const all = { apiVersion: "plinth.io/v1", kind: "Location", metadata: { name: "all" }, spec: { targets } };
  response.end(name === "all" ? JSON.stringify(all) : part(name));
};

const call = (path: string, body?: object): Promise<Answer> =>
  fixture.call({ method: body === undefined ? "GET" : "POST", path, body });

const versions = async (): Promise<string[]> =>
  (await call("/api/catalog/entities?filter=kind=resource")).body.map(
    ({ metadata }: { metadata: { name: string; labels: { version: string } } }) =>
      `${metadata.name} ${metadata.labels.version}`,
  );

beforeAll(async () => {
  // A reading that is not ended in twice that time is another worker's.
  const catalogue = { refreshSeconds: 0, readTimeoutMs: 2_000 };
  const settings = { mesh: { builder: { catalogue } }, outbound: { privateNetworks: { locations: true } } };
  fixture = await openProcessStage({ settings: () => settings });
  peer = await startHttpPeer(files);
  await fixture.serve();
  const worker = fixture.startWorker();
  await eventually("the worker", () => worker.id);
});

afterAll(async () => {
  await fixture.close();
  await peer.close();
});

it("another one reads it again, and nothing in between is seen", async () => {
  const target = `${peer.url}/all.yaml`;
  const registered = await call("/api/catalog/locations", { type: "url", target });
  expect([registered.status, await versions()]).toEqual([201, ["first 1", "last 1"]]);
  version = 2;
  isHeld = true;
  expect((await call("/api/catalog/refresh", { entityRef: "resource:first" })).status).toBe(200);
  await eventually("the reading", async () => held.length > 0);
  await fixture.killWorkers();
  expect(await versions()).toEqual(["first 1", "last 1"]);
  isHeld = false;
  for (const response of held) response.end(part("last"));
  fixture.startWorker();
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
