/**
 * Upgrade: an installation of release 2.1.0 with data is checked, planned, upgraded (killed once at every step), verified and
 * started; its plans, access and templates are there, the data layer answers of every source, and a provisioning works.
 * `npm run example:upgrade` ends with 0 when every step did what it says.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { databaseVariables, mockUrl, servedUrl, startMock, startServer, stopChild, type Child } from "../../test/crash/processes.ts";
import { withOwnPostgres } from "../../test/support/own-postgres.ts";
import { upgradeTracked } from "./tracked.ts";
import { fillConnection, fillOldDatabase, fixtures, parents } from "../../test/upgrade/old-database.ts";

const root = join(import.meta.dirname, "../..");
const inputs = ["--values", "values.yaml", "--config", "app-config.yaml", "--variables", "coordinator.env"];
const confirmed = [...inputs, "--ingress-class", "nginx", "--backup", "before.backup", "--delete-unresolved-access", "--execute"];

/** What is provisioned after the upgrade. */
const invoices = "urn:dmb:dp:sales:invoices:0";

const began = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);

const home = await mkdtemp(join(tmpdir(), "plinth-example-upgrade-"));
const children: Child[] = [];
try {
  for (const name of await readdir(fixtures))
    if (name !== "database.json") await cp(join(fixtures, name), join(home, name));
  await withOwnPostgres("upgrade", async (connection) => {
    await fillConnection(connection, fillOldDatabase);
    const variables = databaseVariables(connection);
    try {
      await tell(variables);
      await upgradeTracked(connection, { plinth, say });
    } finally {
      for (const child of children.splice(0).toReversed()) await stopChild(child);
    }
  });
  say("every step did what it says");
} finally {
  await rm(home, { recursive: true, force: true });
}

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command to its end, or kills it as soon as it has printed `killAt` on standard error. */
async function plinth(variables: Record<string, string>, args: string[], killAt?: string): Promise<Ran> {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, [join(root, "src/cli/main.ts"), ...args], { cwd: home, env });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
    if (killAt !== undefined && err.includes(killAt)) child.kill("SIGKILL");
  });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  const out = await text(child.stdout);
  return { code: await ended, out, err };
}

async function tell(variables: Record<string, string>): Promise<void> {
  const run = (...args: string[]): Promise<Ran> => plinth(variables, ["upgrade", ...args]);
  const checked = await run("check", ...inputs);
  assert.equal(checked.code, 5, checked.err);
  say(`check: ${checked.out.trim().split("\n").at(-1)}`);
  const planned = await run("plan", ...inputs, "--ingress-class", "nginx");
  assert.equal(planned.code, 5, planned.err);
  assert.match(planned.out, /\+ {4}- name: COORDINATOR_DB_HOST/);
  assert.doesNotMatch(planned.out, /s3cr3t-of-the-mock|hunter2/);
  say("plan: three files would change, and no secret is shown");
  await upgradeWithKills(variables);
  await removeWhatIsLeft();
  const verified = await run("verify", ...inputs);
  assert.equal(verified.code, 0, verified.out);
  say("verify: nothing is in the way");
  await useIt(variables);
}

/** Each step is cut short once, as soon as it has begun; the run after all of these completes. */
async function upgradeWithKills(variables: Record<string, string>): Promise<void> {
  const steps = ["backup", "data-layer", "database-plinth", "database-governance", "unresolved-access", "custom-views", "files"];
  for (const step of steps) {
    const cut = await plinth(variables, ["upgrade", "apply", ...confirmed], `${step}: `);
    assert.equal(cut.code, null, `${step} was not reached: ${cut.err}`);
    say(`apply: killed at ${step}`);
  }
  const applied = await plinth(variables, ["upgrade", "apply", ...confirmed]);
  assert.equal(applied.code, 5, applied.err);
  const again = await plinth(variables, ["upgrade", "apply", ...confirmed, "--json"]);
  const { steps: done } = JSON.parse(again.out) as { steps: { id: string; changed: string | null }[] };
  assert.deepEqual(done.filter(({ changed }) => changed !== null), [], "a second run changes nothing");
  say("apply: completed, and once more without any change");
}

/** What only people can do: the source that was missing. */
async function removeWhatIsLeft(): Promise<void> {
  const file = join(home, "values.yaml");
  const values = await readFile(file, "utf8");
  await writeFile(file, values.replace(/(configOverride:\n {2}sources:\n)/, "$1    - name: cgp\n      allowSchemas: [governance]\n"));
}

async function useIt(variables: Record<string, string>): Promise<void> {
  const settings = { cwd: home, env: { ...variables, PLINTH_DATA_DIR: join(home, "data") } };
  const adapter = startMock(settings, join(home, "journal.jsonl"));
  children.push(adapter);
  const server = startServer(settings, ["--port", "0"]);
  children.push(server);
  const url = await servedUrl(server);
  const ask = async (path: string, init: RequestInit = {}): Promise<any> => {
    const answer = await fetch(`${url}${path}`, { ...init, headers: { "content-type": "application/json" } });
    const body = await answer.text();
    assert.ok(answer.ok, `${path}: ${answer.status} ${body}`);
    return JSON.parse(body);
  };
  const address = `/api/coordinator/v1/tech-adapters/urn:dmb:itm:mock:1/deployments/development`;
  await ask(address, { method: "PUT", body: JSON.stringify({ url: await mockUrl(adapter) }) });

  const operations = await ask("/api/coordinator/v2/provisioning-operations");
  say(`plans: ${operations.data.length} operations of before are there`);
  assert.ok(operations.data.length > 0);
  const templates = await ask("/api/catalog/entities?filter=kind=accesscontrolrequesttemplate");
  assert.equal(templates.length, 2);
  say("templates: both of before are in the catalogue, and none was registered twice");

  const sync = ["upgrade", "apply", "--backup-confirmed", "--execute", "--sync-access", "--url", url];
  const sent = await plinth(variables, [...sync, "--json"]);
  const { sent: access } = JSON.parse(sent.out) as { sent: { componentId: string; status: string }[] };
  const shown = access.map(({ componentId, status }) => `${componentId} ${status}`);
  const expected = [parents.alone, parents.parent, ...parents.parts].map((id) => `${id} COMPLETED`);
  assert.deepEqual(new Set(shown), new Set(expected));
  const repeated = JSON.parse((await plinth(variables, [...sync, "--json"])).out) as { sent: unknown[] };
  assert.deepEqual(repeated.sent, []);
  say(`access: ${access.length} components were sent to the infrastructure, and none a second time`);
  const view = await ask("/api/builder/custom-views/outputPortPage");
  assert.equal(view.draft.grid[0].label, "Owner");
  say("pages: the removed settings are a draft of a custom view");
  await queryWhatWasThere(ask);
  await provision(ask);
  await queryPolicies(ask);
}

type Ask = (path: string, init?: RequestInit) => Promise<any>;

/** The answer of a list of the data layer: its rows, of which there are some. */
async function rowsOf(ask: Ask, query: string): Promise<any[]> {
  const { data, errors } = await ask("/graphql", { method: "POST", body: JSON.stringify({ query }) });
  assert.equal(errors, undefined, query);
  const [{ nodes }] = Object.values<any>(data);
  assert.ok(nodes.length > 0, `${query} answers no row`);
  return nodes;
}

/** What the old installation had deployed and allowed is in the sources of the coordinator and of the marketplace. */
async function queryWhatWasThere(ask: Ask): Promise<void> {
  const fleet = "urn:dmb:dp:mobility:fleet-positions:0";
  const units = await rowsOf(
    ask,
    "{ allCoordinatorDeploymentUnits(first: 10) { nodes { unitId environment lastPlanStatus } } }",
  );
  assert.deepEqual(new Set(units.map(({ unitId }) => unitId)), new Set([fleet, parents.unitId]));
  const ports = await rowsOf(
    ask,
    `{ allMarketplaceOutputPorts(first: 50, condition: { unitKey: "${parents.unitId}" }) { nodes { componentId
      marketplaceProductByUnitKeyAndEnvironment { unitId }
      marketplaceAccessGrantsByUnitKeyAndEnvironmentAndComponentKey(first: 10) { nodes { identity } } } } }`,
  );
  const grants = "marketplaceAccessGrantsByUnitKeyAndEnvironmentAndComponentKey";
  const allowed = ports.map((port) => [
    port.componentId,
    port[grants].nodes.map(({ identity }: { identity: string }) => identity).toSorted(),
  ]);
  const [view, exported] = parents.parts;
  assert.deepEqual(Object.fromEntries(allowed), {
    [view!]: ["group:sales", "user:ada"],
    [exported!]: ["group:sales", "user:ada", "user:grace"],
  });
  say(`data layer: ${units.length} units and ${ports.length} output ports of before, with those who may read them`);
}

/** Governance is new in the installation: its policy, and what that says of what was provisioned, come by the same interface. */
async function queryPolicies(ask: Ask): Promise<void> {
  const policies = await rowsOf(ask, "{ allCgpPolicies(first: 10) { nodes { rowId status } } }");
  const query = `{ allCgpPolicyResults(first: 10, condition: { unitKey: "${invoices}" }) { nodes { policyId outcome } } }`;
  const results = await rowsOf(ask, query);
  const known = new Set(policies.map(({ rowId }) => rowId));
  for (const { policyId } of results) assert.ok(known.has(policyId), `${policyId} is no policy that is shown`);
  say(`data layer: ${policies.length} policy, and ${results.length} of its results for what was provisioned`);
}

async function provision(ask: Ask): Promise<void> {
  const id = invoices;
  const component = {
    id: "urn:dmb:cmp:sales:invoices:0:table",
    name: "table",
    kind: "storage",
    infrastructureTemplateId: "urn:dmb:itm:mock:1",
    dependsOn: [],
    specific: {},
  };
  const descriptor = { id, name: "invoices", version: "0.1", environment: "development", components: [component] };
  const targetStatus = [{ componentId: component.id, targetStatus: "DEPLOYED" }];
  const unit = `/api/coordinator/v2/deployment-units/${encodeURIComponent(id)}/provisioning?environment=development`;
  const token: string = await ask(unit, { method: "POST", body: JSON.stringify({ descriptor, targetStatus }) });
  for (;;) {
    const { dag } = await ask(`/api/coordinator/v1/execution-plans/${token}/status`);
    const { status } = dag;
    if (status === "COMPLETED") break;
    assert.ok(status === "WAITING" || status === "RUNNING", `the plan ended ${status}`);
    await new Promise((next) => setTimeout(next, 200));
  }
  say("a provisioning works");
}
