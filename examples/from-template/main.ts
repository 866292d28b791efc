/**
 * From a template to data that somebody may read: a data product is made of three templates, published, registered,
 * built, provisioned in PostgreSQL; access to its output port is asked for, approved in a ticketing system, and used.
 * `npm run example:from-template` ends with 0 when every step did what it says.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type pg from "pg";
import { freePort, startDataServer, startPlatform, runExample, withClient, type ExampleContext } from "../story.ts";
import { instantiate, platformAt, type Platform } from "./platform.ts";

const environment = "development";
const templates = join(import.meta.dirname, "templates");
const reader = "user:default/nora";
const unitId = "urn:dmb:dp:travel:ferries:0";
const portId = "urn:dmb:cmp:travel:ferries:0:departures-today";

await runExample("from-template", "every step did what it says", async (stage) => {
  await runSteps(await raise(stage));
});

interface World extends ExampleContext {
  platform: Platform;
  ticketsUrl: string;
  /** Connection of the data product's database, as its owner. */
  database: pg.ClientConfig;
}

async function raise(stage: ExampleContext): Promise<World> {
  const { home, processes, say } = stage;
  const tickets = processes.start("tickets", "examples/from-template/tickets.ts", []);
  const data = await startDataServer(stage);
  const ticketsUrl = String((await tickets.waitForLine("listening"))["listening"]);

  const ownPort = await freePort();
  const config = {
    server: { port: ownPort, baseUrl: `http://127.0.0.1:${ownPort}` },
    mesh: { builder: { catalogue: { folders: [templates] } } },
    // The ticketing system runs on this machine too.
    outbound: { privateNetworks: { hooks: true } },
    actionHandlers: {
      accessRequest: { hooks: [{ name: "tickets", kind: "remote", url: `${ticketsUrl}/hook` }] },
    },
  };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(config));
  const platform = platformAt(await startPlatform(stage, data, []));
  say(`the platform listens on ${platform.url}, the ticketing system on ${ticketsUrl}`);
  for (const name of ["postgres-storage", "postgres-outputport"]) {
    const id = `urn:dmb:itm:${name}:1`;
    const description = "The PostgreSQL adapter";
    await platform.call("POST", "/api/builder/register", {
      id,
      name,
      description,
      version: "1",
      url: data.adapterUrl,
      environment,
    });
  }
  say("the postgres adapter is registered for tables and views");
  return { ...stage, platform, ticketsUrl, database: { ...data.owner, database: "products" } };
}

async function runSteps(world: World): Promise<void> {
  const { platform, database, say } = world;
  const target = join(templates, "all.yaml");
  await platform.call("POST", "/api/catalog/locations", { type: "file", target });
  const found = await platform.until<unknown[]>(
    "/api/catalog/entities?filter=kind=template",
    (entities) => entities.length >= 3,
  );
  say(`the catalogue has ${found.length} templates`);

  const system = await make(world, "template:default/data-product", {
    name: "ferries",
    domain: "domain:default/travel",
    title: "Ferry departures",
    description: "When ferries leave, and from where.",
    owner: "group:default/harbour",
  });
  assert.equal(system, "system:default/travel.ferries.0");
  const storage = await make(world, "template:default/storage", {
    system,
    name: "departures",
    columns: [
      { name: "ship", type: "STRING" },
      { name: "leaves_at", type: "TIMESTAMPZ" },
    ],
  });
  assert.equal(storage, "component:default/travel.ferries.0.departures");
  const port = await make(world, "template:default/output-port", {
    system,
    name: "departures-today",
    source: storage,
    columns: [{ name: "ship", type: "STRING" }],
  });
  assert.equal(port, "component:default/travel.ferries.0.departures-today");

  const descriptor = await build(world, system);
  await provision(world, descriptor);
  await insertDepartures(database);
  await askForAccess(world);
  assert.deepEqual(await readAsReader(database), [{ ship: "Aurora" }, { ship: "Nordlys" }]);
  say(`${reader} reads the departures`);
}

/** Instantiates and clones: what was published is what the catalogue knows. */
async function make({ platform, home, say }: World, templateRef: string, values: object): Promise<string> {
  say(`instantiates ${templateRef}`);
  const { entityRef, remoteUrl } = await instantiate(platform, templateRef, values, say);
  const folder = await mkdtemp(join(home, "clone-"));
  await promisify(execFile)("git", ["clone", "--quiet", remoteUrl, folder]);
  const published = await readFile(join(folder, "catalog-info.yaml"), "utf8");
  const name = entityRef.slice(entityRef.indexOf("/") + 1);
  assert.ok(published.split("\n").includes(`  name: ${name}`), published);
  say(`  ${entityRef} can be cloned from ${remoteUrl}`);
  return entityRef;
}

interface Descriptor {
  id: string;
  components: { id: string; specific: Record<string, unknown> }[];
}

async function build({ platform, say }: World, systemRef: string): Promise<Descriptor> {
  const { descriptor } = await platform.call<{ descriptor: Descriptor }>(
    "POST",
    "/api/builder/descriptor/preview",
    { systemRef, environment },
  );
  assert.equal(descriptor.id, unitId);
  assert.deepEqual(
    descriptor.components.map(({ id, specific }) => [id, specific["schema"]]),
    [
      ["urn:dmb:cmp:travel:ferries:0:departures", "ferries_dev"],
      [portId, "ferries_dev"],
    ],
  );
  say(`built the descriptor of ${descriptor.id} for ${environment} from the catalogue`);
  return descriptor;
}

async function provision({ platform, say }: World, descriptor: Descriptor): Promise<void> {
  const path = `/api/coordinator/v2/deployment-units/${descriptor.id}/provisioning?environment=${environment}`;
  const targetStatus = descriptor.components.map(({ id }) => ({ componentId: id, targetStatus: "DEPLOYED" }));
  const token = await platform.call<string>("POST", path, { descriptor, targetStatus });
  const { dag } = await platform.until<{ dag: { status: string } }>(
    `/api/coordinator/v1/execution-plans/${token}/status`,
    (plan) => ["COMPLETED", "FAILED", "TERMINATED"].includes(plan.dag.status),
  );
  assert.equal(dag.status, "COMPLETED");
  say("provisioned: a table and a view in PostgreSQL");
}

/** What the application of the data product would do. */
async function insertDepartures(database: pg.ClientConfig): Promise<void> {
  await withClient(database, async (client) => {
    await client.query(
      "insert into ferries_dev.departures values ('Aurora', now()), ('Nordlys', now() + interval '1 hour')",
    );
  });
}

interface AccessRequest {
  status: string;
  message: string | null;
}

async function askForAccess({ platform, ticketsUrl, say }: World): Promise<void> {
  const { id } = await platform.call<{ id: string }>("POST", "/api/builder/access-requests", {
    operation: "GRANT",
    deploymentUnitId: unitId,
    environment,
    outputPortUrns: [portId],
    identities: [reader],
    reason: "For the timetable in the app.",
  });
  const tickets = platformAt(ticketsUrl);
  const [ticket] = await tickets.until<{ id: string }[]>("/tickets", (all) => all.length > 0);
  assert.ok(ticket);
  const before = await platform.call<AccessRequest>("GET", `/api/builder/access-requests/${id}`);
  assert.equal(before.status, "PENDING");
  say(`access is asked for; the ticketing system made ${ticket.id} of it`);
  const answered = await tickets.call<{ platformAnswered: number }>("POST", `/tickets/${ticket.id}/approve`);
  assert.equal(answered.platformAnswered, 200);
  // Nobody can answer twice.
  const again = await tickets.call<{ platformAnswered: number }>("POST", `/tickets/${ticket.id}/approve`);
  assert.equal(again.platformAnswered, 409);
  const after = await platform.until<AccessRequest>(
    `/api/builder/access-requests/${id}`,
    ({ status }) => !["PENDING", "APPROVED", "APPLYING"].includes(status),
  );
  assert.equal(after.status, "GRANTED");
  say("approved, and granted by the adapter");
}

/** The role that the adapter made for the reader, as which a login of theirs would act. */
async function readAsReader(database: pg.ClientConfig): Promise<unknown[]> {
  return withClient(database, async (client) => {
    const { rows } = await client.query<{ role: string }>(
      "select rolname as role from pg_roles where shobj_description(oid, 'pg_authid') = $1",
      [`plinth: ${reader}`],
    );
    await client.query(`set role ${client.escapeIdentifier(rows[0]?.role ?? "nobody")}`);
    // Only what was granted: the table behind the view stays closed.
    await assert.rejects(client.query("select * from ferries_dev.departures"), { code: "42501" });
    return (await client.query("select ship from ferries_dev.departures_today order by ship")).rows;
  });
}
