/**
 * How much of bare node:http is left behind our stack? Requests per second of two GETs (path and query read by
 * schema, a bearer token checked, the answer serialised by schema, metrics, one log line to /dev/null), each as a
 * ratio to a node:http server that writes the same JSON: a small one that needs no database, and the status of a unit
 * of eight components, where both sides ask PostgreSQL. The goals are at least 0.55 and 0.62.
 *
 *   node bench/http.ts [--rounds N] [--ms N] [--connections N] [--alone]
 */
import { Type } from "typebox";
import { coordinatorArea } from "../src/coordinator/area.ts";
import type { CoordinatorDeps } from "../src/coordinator/context.ts";
import { unitReader } from "../src/coordinator/units/store.ts";
import { statusOf } from "../src/platform/http/errors.ts";
import { route, type Area } from "../src/platform/http/operation.ts";
import { benchCommand } from "./support/command.ts";
import { benchDatabase, median, type BenchDatabase } from "./support/fixtures.ts";
import { report, startLoadClient, type LoadClient, type Sample } from "./support/http-load.ts";
import { benchToken, startBare, startOurs, type BenchServer } from "./support/http-servers.ts";

const command = benchCommand({
  rounds: { usual: 9, quick: 4 },
  ms: { usual: 1000, quick: 500 },
  connections: { usual: 32, quick: 32 },
});
const { rounds, ms, connections } = command.sizes;

interface Comparison {
  name: string;
  path: string;
  bare: BenchServer;
  ours: BenchServer;
  /** Least ratio. */
  goal: number;
}

/** Prints both sides and returns whether the goal is met. */
async function compare(client: LoadClient, { name, path, bare, ours, goal }: Comparison): Promise<boolean> {
  const samples: { bare: Sample[]; ours: Sample[] } = { bare: [], ours: [] };
  const take = (port: number): Promise<Sample> =>
    client.measure({ port, path, token: benchToken, ms, connections });
  const sides = [bare, ours].slice(command.isAlone ? 1 : 0);
  for (const { port } of sides) await take(port);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) (side === ours ? samples.ours : samples.bare).push(await take(side.port));
  }
  await Promise.all([bare.close(), ours.close()]);
  console.log(name);
  const perSecond = report("our stack", samples.ours);
  const cpuMsPerUnit = median(samples.ours.map(({ cpuMicros }) => cpuMicros / 1000));
  command.report({ name: `http, ${name}`, unit: "request", cpuMsPerUnit, perSecond });
  if (command.isAlone) return true;
  const ratio = perSecond / report("node:http", samples.bare);
  console.log(`  ratio ${ratio.toFixed(2)}, goal at least ${goal}: ${ratio >= goal ? "kept" : "MISSED"}`);
  return ratio >= goal;
}

const planStatus = (token: string): object => ({
  id: token,
  displayName: "fleet positions",
  status: "RUNNING",
  startTime: "2026-01-01T00:00:00.000Z",
  tasks: 12,
});

const smallArea: Area = {
  name: "coordinator",
  prefix: "/api/coordinator",
  title: "Bench",
  version: "1.0.0",
  register: (app) =>
    route(app, {
      id: "getPlanStatus",
      method: "GET",
      path: "/v1/execution-plans/{token}/status",
      summary: "Status of a plan",
      rule: "getPlanStatus",
      params: Type.Object({ token: Type.String({ minLength: 1 }) }),
      query: Type.Object({ verbose: Type.Boolean({ default: false }) }),
      response: {
        200: Type.Object({
          id: Type.String(),
          displayName: Type.String(),
          status: Type.String(),
          startTime: Type.String(),
          tasks: Type.Integer(),
        }),
      },
      handler: async (_ctx, { params }) => planStatus(params.token),
    }),
  toBody: (failure) => ({ status: statusOf(failure), body: { code: failure.code } }),
};

const small = async (): Promise<Comparison> => ({
  name: "a small GET",
  goal: 0.55,
  path: "/api/coordinator/v1/execution-plans/0b7e4e0e-3f1c-4a53-9d0f-0d6e1f6f6a11/status?verbose=true",
  bare: await startBare((path) => planStatus(path.split("/")[5] ?? "")),
  ours: await startOurs(smallArea),
});

async function unitStatus(db: BenchDatabase): Promise<Comparison> {
  await storeUnit(db);
  const unused = undefined as never;
  const deps: CoordinatorDeps = {
    database: db.database,
    jobs: unused,
    hub: unused,
    outbound: unused,
    adapters: unused,
    doctor: unused,
    readComponentTypes: () => Promise.resolve({}),
    readUnit: unitReader(db.database.pool),
    settings: {
      environments: ["development"],
      unitIdPattern: undefined,
      rootProvisioning: true,
      operationTimeoutMs: () => 60_000,
      outcomeRetryDelaysMs: [],
      longestHoldMs: 60_000,
      driftSchedules: [],
      reconcile: { modeOf: () => "off", parallelPlans: 1, perUnitMs: 1, stopAfterFailures: 1, askMs: 1 },
      adapterCallTimeoutMs: () => 30_000,
      callTimeoutMs: 30_000,
      policiesOnUnavailable: "block",
      services: [],
      accessSyncUrl: undefined,
      validationTimeoutMs: 30_000,
      queuedOperationsPerUnit: 20,
      idempotencyKeyMs: 60_000,
      polling: { initialMs: 1_000, factor: 1.5, maxMs: 15_000 },
      webhooks: [],
      notices: { mailKinds: null, chats: [] },
    },
  };
  return {
    name: "the status of a unit, with its query",
    goal: 0.62,
    path: "/api/coordinator/v1/deployment-units/bench:1/provisioning-status?environment=development",
    bare: await startBare(() => bareStatus(db)),
    ours: await startOurs(coordinatorArea(deps)),
  };
}

async function storeUnit({ database: { pool } }: BenchDatabase): Promise<void> {
  const ids = Array.from({ length: 8 }, (_, n) => `bench:1:component-${n}`);
  await pool.query(
    "insert into units (unit_key, environment, unit_id, descriptor, descriptor_version) values ($1, $2, $1, $3, '1')",
    ["bench:1", "development", JSON.stringify({ id: "bench:1", components: ids.map((id) => ({ id })) })],
  );
  await pool.query(
    `insert into unit_components (unit_key, environment, component_key, component_id, name, status, descriptor, hash,
       descriptor_version, info, plan_id)
     select 'bench:1', 'development', id, id, id, 'DEPLOYED', '{}', 'hash', '1',
       '{"publicInfo": {"host": {"type": "string", "label": "Host", "value": "db.example"}}}', 'plan'
     from unnest($1::text[]) as id`,
    [ids],
  );
}

/** The minimal implementation of the same response: one hand-written query, and its rows unchanged. */
async function bareStatus({ database: { pool } }: BenchDatabase): Promise<object> {
  const { rows } = await pool.query<{ version: string; components: { id: string; info: unknown }[] }>({
    name: "bare-status",
    text: `select u.descriptor_version as version, o.plan_id as active,
        (select json_agg(json_build_object('componentId', c.component_id, 'descriptorVersion', c.descriptor_version,
            'status', c.status, 'info', c.info -> 'publicInfo'))
          from unit_components c where c.unit_key = u.unit_key and c.environment = u.environment) as components
      from units u left join operations o on o.unit_key = u.unit_key and o.environment = u.environment
        and o.status in ('SCHEDULED', 'RUNNING', 'TERMINATING')
      where u.unit_key = $1 and u.environment = $2`,
    values: ["bench:1", "development"],
  });
  const { version, components = [] } = rows[0] ?? {};
  return {
    status: "DEPLOYED",
    provisioningDetails: {
      descriptorVersion: version,
      provisioningInfo: Object.fromEntries(components.map(({ id, info }) => [id, info])),
      componentsStatus: components,
    },
  };
}

const client = startLoadClient();
const db = await benchDatabase();
try {
  const goalsMet = [await compare(client, await small()), await compare(client, await unitStatus(db))];
  process.exitCode = goalsMet.every(Boolean) ? 0 : 1;
} finally {
  client.close();
  await db.close();
}
