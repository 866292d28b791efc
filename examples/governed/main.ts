/**
 * The fleet under five policies: one stops a deployment before any adapter is called, is explained, mended, deployed; another is tried
 * on everything that is deployed, gets grace, is enabled, and excuses one output port once; a colleague approves the deployment in production.
 * `npm run example:governed` ends with 0 when every step did what it says.
 */
import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { freePort, runExample, startDataServer, startPlatform, withClient, type ExampleContext } from "../story.ts";
import { countCalls, type CountedAdapter } from "./counted-adapter.ts";
import { startIdentityProvider } from "./identity.ts";
import { person, type Person } from "./people.ts";

const unitId = "urn:dmb:dp:mobility:fleet-positions:0";
const portId = "urn:dmb:cmp:mobility:fleet-positions:0:latest-positions";
const portFile = "fleet/latest-positions/catalog-info.yaml";
const tried = "positions-are-kept-shortly";
const policies = [
  "columns-described",
  "contract-on-consumable-port",
  "no-breaking-schema-change",
  "owner-present",
];

interface World extends ExampleContext {
  /** Ada makes the data product, Olga is responsible for policies. */
  ada: Person;
  olga: Person;
  /** Of Ada's team. */
  ben: Person;
  adapter: CountedAdapter;
  /** Connection of the database of data products. */
  products: pg.ClientConfig;
}

await runExample("governed", "every step did what it says", async (stage) => {
  const world = await raise(stage);
  await writePolicies(world);
  await stopAndExplain(world);
  await mendAndDeploy(world);
  await refuseBreakingChange(world);
  await tryOnEverything(world);
  await excuseOnce(world);
  await approveProduction(world);
});

async function raise(stage: ExampleContext): Promise<World> {
  const { home, say } = stage;
  await cp(join(import.meta.dirname, "policies"), join(home, "policies"), { recursive: true });
  await cp(join(import.meta.dirname, "../fleet-positions"), join(home, "fleet"), { recursive: true });
  const [identity, data, port] = await Promise.all([
    startIdentityProvider(),
    startDataServer(stage),
    freePort(),
  ]);
  const adapter = await countCalls(data.adapterUrl);
  const config = {
    server: { port, baseUrl: `http://127.0.0.1:${port}` },
    auth: { providers: { oidc: { default: identity.settings } } },
    mesh: { builder: { catalogue: { folders: [import.meta.dirname] } } },
    // The five policies of the example and no other.
    startupActions: {
      governance: { policies: false },
      catalog: { locations: [{ type: "file", target: join(import.meta.dirname, "people.yaml") }] },
    },
  };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(config));
  const url = await startPlatform(stage, data, []);
  const options = { home, url, identity, say };
  const ada = await person("ada", "developer", options);
  const olga = await person("olga", "operator", options);
  const ben = await person("ben", "developer", options);
  say(`the platform listens on ${url}; Ada and Ben are the fleet team, Olga is an operator`);
  for (const name of ["postgres-storage", "postgres-workload", "postgres-outputport"])
    for (const environment of ["development", "production"])
      await olga.call("POST", "/api/builder/register", {
        id: `urn:dmb:itm:${name}:1`,
        name,
        description: "The PostgreSQL adapter",
        version: "1",
        url: adapter.url,
        environment,
      });
  return { ...stage, ada, olga, ben, adapter, products: { ...data.owner, database: "products" } };
}

async function writePolicies({ olga, say }: World): Promise<void> {
  say("1. Five policies come from files, as they would from git");
  const applied = await olga.plinth("policy", "apply", "-f", "policies", "--yes");
  assert.equal(applied.code, 0, applied.out);
  assert.equal(applied.out.match(/^created /gm)?.length, 5);
  const again = await olga.plinth("policy", "apply", "-f", "policies", "--yes");
  assert.match(again.out, /^5 policy files as on the server\.$/m);
  for (const id of policies) {
    const path = `/v1/computational-governance/policies/${id}/status`;
    await olga.call("POST", path, { status: "enabled", reason: "The rules of the company." });
  }
  const { code, out } = await olga.plinth("policy", "list");
  assert.equal(code, 0);
  assert.equal(out.match(/ enabled /g)?.length, 4);
  assert.equal(out.match(/ draft /g)?.length, 1);
}

interface Compliance {
  summary: { isCompliant: boolean; error: number };
  policies: {
    governanceEntityId: string;
    outcome: string;
    resource: { id: string };
    result: { errors: { path?: string; message: string }[] };
    advice?: string;
  }[];
}

function readCompliance({ ada }: World): Promise<Compliance> {
  return ada.call(
    "GET",
    `/v1/computational-governance/units/${unitId}/compliance?environment=development`,
  );
}

async function stopAndExplain(world: World): Promise<void> {
  const { ada, adapter, say } = world;
  say("2. Ada deploys the fleet; columns of an output port have no description");
  const { code, out } = await build(world);
  assert.equal(code, 0, out);
  const stopped = await ada.plinth("provision", "unit.yaml");
  assert.equal(stopped.code, 1, stopped.out);
  assert.match(stopped.out, /column latitude has no description/);
  assert.deepEqual(adapter.calls, [], "no adapter was called");
  assert.deepEqual(await tablesOf(world), []);
  say("   the plan has ended; the adapter has had no call, and its database has no table");

  say("3. What is wrong, where, and what to do about it");
  const { summary, policies: found } = await readCompliance(world);
  assert.equal(summary.isCompliant, false);
  const violated = found.filter(({ outcome }) => outcome === "error");
  assert.deepEqual(
    violated.map(({ governanceEntityId, resource }) => [governanceEntityId, resource.id]),
    [["columns-described", portId]],
  );
  const [violation] = violated;
  for (const { path, message } of violation?.result.errors ?? []) say(`   ${path}: ${message}`);
  say(`   → ${violation?.advice}`);
  assert.deepEqual(
    violation?.result.errors.map(({ path }) => path),
    ["latitude", "longitude", "speed_kmh"].map((column) => `dataContract.schema.${column}`),
  );
  assert.equal(violation?.advice, "Add a description to each column.");
}

async function mendAndDeploy(world: World): Promise<void> {
  const { ada, adapter, say } = world;
  say("4. Ada mends the file, tests it against the policies, and deploys");
  const says: Record<string, string> = {
    latitude: "Degrees north of the equator",
    longitude: "Degrees east of Greenwich",
    speed_kmh: "Kilometres in an hour",
  };
  await edit(world, (text) =>
    text.replace(
      /^( +)- name: (latitude|longitude|speed_kmh)$/gm,
      (line, indent: string, name: string) => `${line}\n${indent}  description: ${says[name]}`,
    ),
  );
  await build(world);
  const tested = await ada.plinth("policy", "test", "columns-described", "--descriptor", "unit.yaml");
  assert.equal(tested.code, 0, tested.out);
  const deployed = await ada.plinth("provision", "unit.yaml");
  assert.equal(deployed.code, 0, deployed.out);
  assert.ok(adapter.calls.length > 0);
  const rows = await withClient(world.products, async (client) => {
    const { rows: found } = await client.query<{ count: number }>(
      "select count(*)::int as count from fleet_dev.latest_positions",
    );
    return found[0]?.count ?? 0;
  });
  assert.ok(rows > 0);
  assert.equal((await readCompliance(world)).summary.isCompliant, true);
  say(`   the view has ${rows} rows, and the unit is compliant`);
}

async function refuseBreakingChange(world: World): Promise<void> {
  const { ada, adapter, say } = world;
  say("5. A column that others read is to be removed: the policy compares with what is deployed");
  const before = await readFile(join(world.home, portFile), "utf8");
  await edit(world, (text) => text.replace(/^ +- name: speed_kmh\n(?: {10}.*\n?)+/m, ""));
  await build(world);
  const calls = adapter.calls.length;
  const stopped = await ada.plinth("provision", "unit.yaml");
  assert.equal(stopped.code, 1, stopped.out);
  assert.match(stopped.out, /column speed_kmh was removed/);
  assert.equal(adapter.calls.length, calls);
  await writeFile(join(world.home, portFile), before);
  await build(world);
}

async function tryOnEverything(world: World): Promise<void> {
  const { olga, ada, say } = world;
  say("6. The fifth policy is tried on everything that is deployed before it counts, then gets grace");
  const trial = await olga.plinth("policy", "try", tried, "-e", "development");
  assert.equal(trial.code, 5, trial.out);
  assert.match(trial.out, /would hit 1 of the 1 resource in development, in 1 unit/);
  assert.ok(trial.out.includes(portId) && trial.out.includes("user:default/ada"), trial.out);
  const grace = await olga.plinth("policy", "status", tried, "grace", "--until", "30d", "--reason", "a new rule");
  assert.equal(grace.code, 0, grace.out);
  const warned = await ada.plinth("provision", "unit.yaml");
  assert.equal(warned.code, 0, warned.out);
  const { policies: found } = await readCompliance(world);
  assert.deepEqual(
    found.filter(({ outcome }) => outcome === "warning").map(({ governanceEntityId }) => governanceEntityId),
    [tried],
  );
  say("   in grace the violation warns, and the plan has completed");
}

async function excuseOnce(world: World): Promise<void> {
  const { olga, ada, say } = world;
  say("7. Enabled it stops the plan; the port is excused once, by another than who asked");
  const enabled = await olga.plinth("policy", "status", tried, "enabled", "--reason", "the month has passed");
  assert.equal(enabled.code, 0, enabled.out);
  const stopped = await ada.plinth("plan", "unit.yaml");
  assert.equal(stopped.code, 5, stopped.out);
  assert.match(stopped.out, /Positions have no end/);
  const more = ["--resource", portId, "-e", "development", "--until", "14d"];
  const reason = ["--reason", "the clean-up is being written"];
  const asked = await ada.plinth("exception", "request", tried, ...more, ...reason);
  assert.equal(asked.code, 0, asked.out);
  const id = /The exception (\S+) is pending/.exec(asked.out)?.[1] ?? "";
  const own = await ada.plinth("exception", "decide", id, "--approve", "--reason", "it is mine");
  assert.equal(own.code, 1, own.out);
  const decided = await olga.plinth("exception", "decide", id, "--approve", "--reason", "for two weeks");
  assert.equal(decided.code, 0, decided.out);
  const deployed = await ada.plinth("provision", "unit.yaml");
  assert.equal(deployed.code, 0, deployed.out);
  const revoked = await olga.plinth("exception", "revoke", id);
  assert.equal(revoked.code, 0, revoked.out);
  assert.equal((await ada.plinth("plan", "unit.yaml")).code, 5);
  say("   with the exception the plan has completed, and without it the next one is stopped again");
}

async function approveProduction(world: World): Promise<void> {
  const { ada, ben, adapter, say } = world;
  say("8. In production a colleague approves the deployment before it begins");
  await edit(world, (text) => text.replace(/^( +)view: latest_positions$/m, "$1retentionDays: 30\n$&"));
  await build(world, "production");
  const calls = adapter.calls.length;
  const started = await ada.plinth("provision", "unit.yaml", "--detach", "--json");
  assert.equal(started.code, 0, started.out);
  const { token } = JSON.parse(started.out) as { token: string };
  const listed = await ben.plinth("approvals", "list", "--json");
  const { data } = JSON.parse(listed.out) as { data: { id: string; isYours: boolean }[] };
  assert.deepEqual(
    data.map(({ isYours }) => isYours),
    [true],
  );
  const id = data[0]?.id ?? "";
  const shown = await ben.plinth("approvals", "show", id);
  assert.match(shown.out, /user:default\/ada asks for a change of .* in production/);
  assert.match(shown.out, /latest-positions +DEPLOY/);
  assert.match(shown.out, /The policies find nothing wrong/);
  const own = await ada.plinth("approvals", "decide", id, "--approve");
  assert.equal(own.code, 1, own.out);
  assert.match(own.out, /Nobody approves what they have requested/);
  assert.equal(adapter.calls.length, calls, "no adapter is called before the approval");
  const approved = await ben.plinth("approvals", "decide", id, "--approve", "--reason", "we talked about it");
  assert.equal(approved.code, 0, approved.out);
  const ended = await ada.plinth("watch", token);
  assert.equal(ended.code, 0, ended.out);
  assert.ok((await tablesOf(world)).includes("fleet.latest_positions"));
  say("   production has its tables and views, and the audit has both names");
}

function build({ ada }: World, environment = "development") {
  return ada.plinth("build", "fleet", "-e", environment, "-o", "unit.yaml");
}

async function edit({ home }: World, change: (text: string) => string): Promise<void> {
  const path = join(home, portFile);
  const before = await readFile(path, "utf8");
  const after = change(before);
  assert.notEqual(after, before);
  await writeFile(path, after);
}

async function tablesOf({ products }: World): Promise<string[]> {
  return withClient(products, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select table_schema || '.' || table_name as name from information_schema.tables where table_schema like 'fleet%'",
    );
    return rows.map(({ name }) => name);
  });
}
