/**
 * How long do 100 policies over 100 components take inside a plan, and what do our engines cost? A whole server in this process
 * carries out plans of a unit whose components and policies are many; the time is from the start of its first policy task to the
 * end of its last one, with the results stored: the goal is below 1 s, and never more than 50 ms of the main thread's CPU time at
 * once. Then the engines alone do the same work, in their threads with their limits, beside the bare libraries in one loop without
 * either: cel-js for expressions, Ajv for schemas. The goal is at most 3 times their CPU.
 *
 *   node bench/policies.ts [--policies N] [--components N] [--plans N]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPlinth } from "../src/app.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { registerAdapter, send, wholeServerConfig, type Call } from "../test/support/server.ts";
import type { LocalSpec } from "../src/governance/engines/jobs.ts";
import type { Config } from "../src/platform/config/schema/schema.ts";
import { timeBareEngines } from "./support/bare-engines.ts";
import { timeBareLibrary } from "./support/bare-libraries.ts";
import { benchDatabase, median, nullAdapter } from "./support/fixtures.ts";
import { watchLoop } from "./support/loop-use.ts";

const goalMs = 1_000;
const goalRatio = 3;
const goalBlockedMs = 50;
const { values } = parseArgs({
  options: {
    policies: { type: "string", default: "100" },
    components: { type: "string", default: "100" },
    plans: { type: "string", default: "7" },
  },
});
const policies = Number(values.policies);
const components = Number(values.components);
const plans = Number(values.plans);
const environment = "development";
const templateId = "urn:dmb:itm:bench:1";
const unitId = "urn:dmb:dp:bench:governed:0";

/** A few shapes, each with a number of its own, so that none is the same as another. */
const assertOf = (n: number): string =>
  [
    `resource.name.size() > ${n % 3} && resource.description != "policy ${n}"`,
    `resource.dataContract.schema.all(c, c.name != "forbidden_${n}" && c.description.size() > 3)`,
    `!resource.tags.exists(t, t == "banned-${n}")`,
    `resource.dataContract.schema.filter(c, c.name == "wrong_${n}").map(c, {"path": c.name, "message": "It is wrong."})`,
  ][n % 4] ?? "true";

const schemaOf = (n: number): object => ({
  type: "object",
  required: ["name", "description"],
  properties: {
    name: { type: "string", minLength: n % 3 },
    description: { type: "string", not: { const: `policy ${n}` } },
    tags: { type: "array", items: { type: "string", not: { const: `banned-${n}` } } },
    dataContract: {
      properties: {
        schema: {
          type: "array",
          items: {
            required: ["name", "description"],
            properties: { name: { not: { const: `forbidden_${n}` } }, description: { minLength: 4 } },
          },
        },
      },
    },
  },
});

const descriptor = {
  id: unitId,
  name: "Governed",
  kind: "dataproduct",
  version: "1.0.0",
  environment,
  description: "A unit of the bench.",
  tags: ["bench"],
  dataContract: { schema: [] },
  components: Array.from({ length: components }, (_, n) => ({
    id: `${unitId}:c${n}`,
    name: `Component ${n}`,
    kind: "outputport",
    version: "1.0.0",
    infrastructureTemplateId: templateId,
    dependsOn: [],
    description: "What a component of the bench is for.",
    tags: ["bench", "synthetic"],
    dataContract: {
      schema: Array.from({ length: 10 }, (__, column) => ({
        name: `column_${column}`,
        dataType: "STRING",
        description: "What stands in this column.",
      })),
    },
    specific: {},
  })),
};

type ServerCall = (call: Call) => ReturnType<typeof send>;

async function createPolicies(governance: ServerCall): Promise<void> {
  for (let n = 0; n < policies; n++) {
    const id = `bench-${n}`;
    const body = { id, name: `Policy ${n}`, engine: "cel", spec: { assert: assertOf(n) } };
    await expectStatus(governance({ method: "POST", path: "/policies", body }), 201);
    const enabled = { status: "enabled", reason: "The bench." };
    await expectStatus(governance({ method: "POST", path: `/policies/${id}/status`, body: enabled }), 200);
  }
}

async function expectStatus(answer: ReturnType<typeof send>, status: number): ReturnType<typeof send> {
  const { status: found, text } = await answer;
  if (found !== status) throw new Error(`It was answered ${found}: ${text.slice(0, 2_000)}`);
  return answer;
}

interface Task {
  id: string;
  startTime?: string | null;
  stopTime?: string | null;
}

/** Deploys the unit; returns how long the policy tasks took. */
async function runPlan(coordinator: ServerCall): Promise<number> {
  const targetStatus = descriptor.components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" }));
  const path = `/v2/deployment-units/${encodeURIComponent(unitId)}/provisioning?environment=${environment}`;
  const { body: token } = await expectStatus(
    coordinator({ method: "POST", path, body: { descriptor, targetStatus } }),
    202,
  );
  const giveUpAt = performance.now() + 60_000;
  for (;;) {
    const { body } = await coordinator({ path: `/v1/execution-plans/${token}/status` });
    if (body.dag.status === "FAILED") throw new Error(JSON.stringify(body).slice(0, 4_000));
    if (body.dag.status === "COMPLETED") return policyMs(JSON.stringify(body));
    if (performance.now() > giveUpAt)
      throw new Error(`The plan did not end: ${JSON.stringify(body).slice(0, 4_000)}`);
    await sleep(50);
  }
}

/** From the graph of the plan, in which each task stands once in full. */
function policyMs(plan: string): number {
  const tasks: Task[] = [];
  JSON.parse(plan, (_key, value: unknown) => {
    if (
      typeof value === "object" &&
      value !== null &&
      "id" in value &&
      String(value.id).startsWith("policy:")
    )
      tasks.push(value as Task);
    return value;
  });
  if (tasks.length === 0) throw new Error("The plan has no policy tasks.");
  const times = (key: "startTime" | "stopTime") =>
    tasks.flatMap(({ [key]: time }) => (time ? Date.parse(time) : []));
  return Math.max(...times("stopTime")) - Math.min(...times("startTime"));
}

/** What the engines get of the unit in each plan. */
const inputs = [descriptor, ...descriptor.components].map((resource) => ({
  resource,
  environment,
  resourceType: resource.kind,
  resourceId: resource.id,
}));

/** CPU of an engine in its threads, and of the bare library. */
async function compareEngine(config: Config, engine: "cel" | "json-schema"): Promise<void> {
  const numbers = Array.from({ length: policies }, (_, n) => n);
  const specs = numbers.map((n): LocalSpec =>
    engine === "cel" ? { engine, assert: assertOf(n) } : { engine, schema: schemaOf(n) },
  );
  const ours = await timeBareEngines({ config, inputs, specs, rounds: plans });
  const bareMs = timeBareLibrary({ inputs, specs, rounds: plans });
  const ratio = ours.cpuMs / bareMs;
  console.log(
    `${engine.padEnd(22)} ${ours.cpuMs.toFixed(0)} ms of CPU, ${ours.clockMs.toFixed(0)} ms by the clock; ` +
      `bare library ${bareMs.toFixed(0)} ms of CPU; ratio ${ratio.toFixed(2)} (goal at most ${goalRatio})`,
  );
  if (ratio > goalRatio) process.exitCode = 1;
}

async function main(): Promise<void> {
  const own = await benchDatabase();
  const adapter = await nullAdapter();
  const dataDir = await mkdtemp(join(tmpdir(), "plinth-bench-"));
  const config = wholeServerConfig(own.connection, dataDir);
  const role = { areas: ["coordinator", "governance"], workers: "on" } as const;
  const running = await startPlinth(config, role, silentLogger);
  try {
    const coordinator: ServerCall = (call) => send(`${running.url}/api/coordinator`, call);
    const governance: ServerCall = (call) => send(`${running.url}/v1/computational-governance`, call);
    await registerAdapter({ coordinator }, { id: templateId, url: adapter.url });
    await createPolicies(governance);
    const took: number[] = [];
    const loop = watchLoop();
    for (let plan = 0; plan < plans; plan++) {
      descriptor.components.forEach((each) => (each.description = `Of the plan number ${plan}.`));
      took.push(await runPlan(coordinator));
    }
    const { cpuMs, clockMs } = loop.stop();
    const { body } = await governance({ path: "/results/count" });
    const typical = median(took);
    console.log(
      `${policies} policies, ${components} components, ${body.count} results stored by ${plans} plans`,
    );
    console.log(`policy tasks           ${took.map((ms) => `${ms} ms`).join(", ")}`);
    console.log(`median                 ${typical} ms (goal below ${goalMs} ms)`);
    console.log(
      `loop blocked           ${cpuMs.toFixed(1)} ms of the main thread's CPU (goal at most ${goalBlockedMs} ms), ` +
        `${clockMs.toFixed(1)} ms by the clock`,
    );
    if (typical > goalMs || cpuMs > goalBlockedMs) process.exitCode = 1;
    for (const engine of ["cel", "json-schema"] as const) await compareEngine(config, engine);
  } finally {
    await running.close();
    await own.close();
    adapter.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
