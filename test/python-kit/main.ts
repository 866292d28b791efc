/**
 * The Python kit: it passes its own tests; its example passes every check of `adapter check` with its work answered at once, by tokens and
 * behind a secret; takes the old and the new secret of a rotation; goes on after kill -9 with what it was asked; and deploys, opens and
 * removes a unit under a running product. Ends with 1 when something is not as expected. Needs python3 with PyYAML.
 * `npm run test:python-kit`.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dump } from "js-yaml";
import { validToken } from "../../src/adapters/conformance/checks/authorization.ts";
import { runConformance, type Report } from "../../src/adapters/conformance/run.ts";
import { openMigrated, withOwnPostgres } from "../support/own-postgres.ts";
import { ended } from "../coordinator/ships.ts";
import { registerAdapter, startWholeServer } from "../support/server.ts";
import { runOwnTests, startPythonAdapter } from "./adapter.ts";

const secret = "a secret that only the test knows";
const folder = await mkdtemp(join(tmpdir(), "plinth-python-kit-"));
const steps: [name: string, run: () => Promise<void>][] = [
  ["passes its own tests", passesOwnTests],
  ["passes every check, its work answered at once", () => conforms({})],
  ["passes every check, its work answered by tokens", () => conforms({ ADAPTER_ANSWER_WITHIN: "0" })],
  ["passes every check behind a secret", () => conforms({ CORE_BACKEND_PLUGIN_AUTH_SECRET: secret })],
  ["goes on after kill -9 with what it was asked", survivesKill],
  ["ends on SIGTERM when its work has ended", endsOnTerm],
  ["deploys, opens and removes a unit under a running product", serves],
];

function unitOf(name: string, more: object = {}) {
  const id = `urn:dmb:dp:notes:${name}:0`;
  const component = {
    id: `urn:dmb:cmp:notes:${name}:0:drafts`,
    name: "drafts",
    kind: "storage",
    version: "0.1.0",
    infrastructureTemplateId: "urn:dmb:itm:directory:1",
    dependsOn: [],
    specific: { directory: name, ...more },
  };
  return { id, name, version: "0.1.0", environment: "development", components: [component] };
}

async function passesOwnTests(): Promise<void> {
  strictEqual(await runOwnTests(), 0);
}

async function conforms(env: Record<string, string>): Promise<void> {
  const adapter = await startPythonAdapter(folder, { env });
  const unit = unitOf("checked");
  const options = { needs: [], refs: ["user:ada", "group:readers"], reverseParams: { directory: "checked" } };
  const invalidUnit = unitOf("checked", { directory: "No Name" });
  const report = await runConformance({
    url: adapter.url,
    subject: { unit, componentId: unit.components[0]!.id, invalidUnit, ...options },
    secret: env["CORE_BACKEND_PLUGIN_AUTH_SECRET"],
    timeoutMs: 20_000,
    waitMs: 20_000,
    pollMs: 5,
    only: [],
    newId: randomUUID,
    now: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, { signal }),
    signal: new AbortController().signal,
  });
  await adapter.end("SIGKILL");
  deepStrictEqual(deviationsOf(report), []);
  deepStrictEqual([report.score, report.complete, report.leftBehind], [100, true, []]);
  console.log(
    `        score 100: ${report.counts.pass} passed, ${report.counts.skipped} had nothing to check`,
  );
}

function deviationsOf({ results }: Report): string[] {
  return results.flatMap(({ id, deviations }) => deviations.map(({ what }) => `${id}: ${what}`));
}

const calls = (url: string, headers: Record<string, string> = {}) => ({
  post: (path: string, body: unknown, key: string) =>
    fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key, ...headers },
      body: JSON.stringify(body),
    }),
  async ended(token: string): Promise<any> {
    while (true) {
      const response = await fetch(`${url}/v1/provision/${token}/status`, { headers });
      strictEqual(response.status, 200);
      const status: any = await response.json();
      if (!["RUNNING", "TERMINATING"].includes(status.status)) return status;
      await sleep(50);
    }
  },
});

const provisionOf = (unit: ReturnType<typeof unitOf>) => ({
  descriptorKind: "COMPONENT_DESCRIPTOR",
  descriptor: dump({ dataProduct: unit, componentIdToProvision: unit.components[0]!.id }),
  removeData: false,
});

async function survivesKill(): Promise<void> {
  const store = join(folder, "operations.sqlite");
  const env = { ADAPTER_STORE: store, ADAPTER_ANSWER_WITHIN: "0" };
  const first = await startPythonAdapter(folder, { env });
  const slow = provisionOf(unitOf("slow", { seconds: 2 }));
  const quick = provisionOf(unitOf("quick"));
  const ask = calls(first.url);
  const token: any = await (await ask.post("/v1/provision", slow, "slow-1")).json();
  const quickToken: any = await (await ask.post("/v1/provision", quick, "quick-1")).json();
  const before = await ask.ended(quickToken);
  await first.end("SIGKILL");
  const second = await startPythonAdapter(folder, { env, port: Number(new URL(first.url).port) });
  const again = calls(second.url);
  strictEqual(await (await again.post("/v1/provision", slow, "slow-1")).json(), token);
  strictEqual((await again.post("/v1/provision", quick, "slow-1")).status, 409);
  deepStrictEqual(await again.ended(quickToken), before);
  strictEqual((await again.ended(token)).status, "COMPLETED");
  ok((await stat(join(folder, "development", "slow"))).isDirectory());
  await second.end("SIGKILL");
}

async function endsOnTerm(): Promise<void> {
  const env = { ADAPTER_ANSWER_WITHIN: "30" };
  const adapter = await startPythonAdapter(folder, { env });
  const answer = calls(adapter.url).post(
    "/v1/provision",
    provisionOf(unitOf("late", { seconds: 1 })),
    "late",
  );
  // The call is under way when its status is asked for by the same key.
  await sleep(300);
  const code = adapter.end("SIGTERM");
  const status: any = await (await answer).json();
  deepStrictEqual([status.status, await code], ["COMPLETED", 0]);
}

async function serves(): Promise<void> {
  const adapter = await startPythonAdapter(folder, {
    env: { CORE_BACKEND_PLUGIN_AUTH_SECRET: secret, ADAPTER_ANSWER_WITHIN: "0" },
  });
  try {
    const refused = calls(adapter.url, { authorization: `Bearer ${await validToken("another")}` });
    strictEqual((await refused.post("/v1/provision", {}, "none")).status, 401);
    await withOwnPostgres("python-kit", async (connection) => {
      const db = await openMigrated(connection);
      const server = await startWholeServer({
        db,
        configure: (config) => void (config.adapters = { ...config.adapters, secret }),
      });
      try {
        const id = "urn:dmb:itm:directory:1";
        await registerAdapter(server, {
          id,
          name: "Directories",
          environments: ["development"],
          url: adapter.url,
        });
        const unit = unitOf("served");
        const path = `/v2/deployment-units/${unit.id}/provisioning?environment=development`;
        const change = async (targetStatus: string) => {
          const wanted = unit.components.map((each) => ({ componentId: each.id, targetStatus }));
          const body = { descriptor: unit, targetStatus: wanted, removeData: true };
          const started = await server.coordinator({ method: "POST", path, body });
          strictEqual(started.status, 202, started.text);
          strictEqual(await ended(server, started.body), "COMPLETED");
        };
        await change("DEPLOYED");
        const owner = join(folder, "development", "served", ".owner");
        strictEqual(await readFile(owner, "utf8"), unit.components[0]!.id);
        await change("NOT_DEPLOYED");
        strictEqual(await stat(owner).catch(() => null), null);
      } finally {
        await server.close();
      }
    });
  } finally {
    await adapter.end("SIGKILL");
  }
}

const began = performance.now();
let failed = 0;
for (const [name, run] of steps) {
  try {
    await run();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(
      `FAILED  ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}
await rm(folder, { recursive: true, force: true });
console.log(`${steps.length} steps, ${failed} failed, ${((performance.now() - began) / 1_000).toFixed(1)} s`);
process.exitCode = failed === 0 ? 0 : 1;
