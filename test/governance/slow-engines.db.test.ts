/** A remote engine that never answers: its own policy decides what that means, and the others' answers count. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ended, previewPath, provisioning, ships, start } from "../coordinator/ships.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
let silent: HttpPeer;
const inForce: string[] = [];

beforeAll(async () => {
  silent = await startHttpPeer(() => undefined);
  server = await startWholeServer({
    configure(config) {
      // The engines have three of these seconds; the rest is for the database.
      config.coordinator.execution.callTimeoutMs = 5_000;
      // What governance can't say goes through: what it says must not.
      config.governance.onUnavailable = "warn";
    },
  });
  await server.registerMock();
});
afterAll(async () => {
  await server.close();
  await silent.close();
});
afterEach(async () => {
  for (const id of inForce.splice(0)) await setStatus(id, "disabled");
});

const post = (path: string, body: unknown): Promise<Answer> =>
  server.governance({ method: "POST", path, body });
const setStatus = (id: string, status: string): Promise<Answer> =>
  post(`/policies/${id}/status`, { status, reason: "Agreed." });

async function enable(id: string, body: object): Promise<void> {
  const made = await post("/policies", { id, name: id, resourceType: "storage", ...body });
  expect(made.status, made.text).toBe(201);
  expect((await setStatus(id, "enabled")).status).toBe(200);
  inForce.push(id);
}

const enableSilent = (id: string, onError: "warn" | "block"): Promise<void> =>
  enable(id, { engine: "remote", spec: { url: silent.url, timeoutMs: 60_000 }, onError });
const noKeel = { engine: "cel", spec: { assert: "has(resource.keel)", message: "There is no keel." } };

async function planOf(name: string): Promise<{ end: string; text: string; blocking: object }> {
  const unit = ships(`urn:dmb:dp:sea:${name}:0`);
  const token = await start(server, unit);
  const end = await ended(server, token);
  const { text } = await server.coordinator({ path: `/v1/execution-plans/${token}/status` });
  const { body } = await server.governance({ path: `/units/${unit.id}/compliance?environment=development` });
  const found = body.policies.map(({ governanceEntityId: id, outcome, blocking }: any) => [
    id,
    `${outcome}${blocking ? " blocks" : ""}`,
  ]);
  return { end, text, blocking: Object.fromEntries(found) };
}

it("warns where its policy says so: plans and previews go on", async () => {
  await enableSilent("silent-warns", "warn");
  const { end, text, blocking } = await planOf("warned");
  expect(end, text).toBe("COMPLETED");
  expect(text).not.toContain("COORD_POLICIES_UNAVAILABLE");
  expect(blocking).toEqual({ "silent-warns": "failed" });
  const unit = ships("urn:dmb:dp:sea:previewed:0");
  const body = provisioning(unit);
  const preview = await server.coordinator({ method: "POST", path: previewPath(unit.id), body });
  expect(preview.status, preview.text).toBe(200);
  expect(preview.text).toContain("silent-warns");
  expect(preview.text).not.toContain("COORD_POLICIES_UNAVAILABLE");
});

it("does not hide what another policy has found", async () => {
  await enableSilent("silent-beside", "warn");
  await enable("keels", noKeel);
  const { end, text, blocking } = await planOf("beside");
  expect(end, text).toBe("FAILED");
  expect(text).toContain("There is no keel.");
  expect(blocking).toEqual({ "silent-beside": "failed", keels: "error blocks" });
});

it("blocks where its policy says so, whatever is said of governance that is unavailable", async () => {
  await enableSilent("silent-blocks", "block");
  const { end, text, blocking } = await planOf("blocked");
  expect(end, text).toBe("FAILED");
  expect(blocking).toEqual({ "silent-blocks": "failed blocks" });
});
