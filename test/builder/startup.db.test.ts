/** What an installation gets at its first start, and never again. */
import { afterEach, expect, it } from "vitest";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { testDatabase, type TestDatabase } from "../support/database.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { loadConfig } from "../../src/platform/config/load.ts";

const usual = loadConfig({ files: [], env: {}, cwd: "/" }).config.startupActions.catalog;
type Startup = Config["startupActions"]["catalog"];
const open: WholeServer[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** `keep` leaves the database to a later server. */
async function start(catalog: Startup, { db, keep = false }: { db?: TestDatabase; keep?: boolean } = {}) {
  const database = db ?? (await testDatabase());
  const retained = { ...database, drop: async () => {} };
  const server = await startWholeServer({
    db: keep ? retained : database,
    configure(config) {
      config.startupActions.catalog = catalog;
    },
  });
  if (!keep) open.push(server);
  return { server, db: database };
}

const get = async (server: WholeServer, path: string, method = "GET"): Promise<any> =>
  (await server.catalog({ method, path })).body;

async function waitForNames(server: WholeServer, kind: string, names: string[]): Promise<void> {
  await expect
    .poll(async () =>
      (await get(server, `/entities?filter=kind=${kind}`)).map(
        (each: { metadata: { name: string } }) => each.metadata.name,
      ),
    )
    .toEqual(names);
}

const targets = async (server: WholeServer): Promise<string[]> =>
  (await get(server, "/locations")).map(({ data }: { data: { target: string } }) => data.target).sort();

it("registers the taxonomy and the access request templates once, whatever is unregistered later", async () => {
  const first = await start(usual, { keep: true });
  expect(await targets(first.server)).toEqual(["access-request-templates.yaml", "default-taxonomy.yaml"]);
  await waitForNames(first.server, "taxonomy", ["default"]);
  await waitForNames(first.server, "accesscontrolrequesttemplate", ["grant-access", "revoke-access"]);
  await waitForNames(first.server, "componenttype", ["outputport", "storage", "workload"]);
  const locations: { data: { id: string; target: string; problems: unknown[] } }[] = await get(
    first.server,
    "/locations",
  );
  expect(locations.map(({ data }) => data.problems)).toEqual([[], []]);
  const taxonomy = locations.find(({ data }) => data.target === "default-taxonomy.yaml");
  await get(first.server, `/locations/${taxonomy?.data.id}`, "DELETE");
  await first.server.close();
  const second = await start({ ...usual, locations: [] }, { db: first.db });
  expect(await targets(second.server)).toEqual(["access-request-templates.yaml"]);
});

it("leaves alone what is there, and takes an empty list for no", async () => {
  const none: Startup = { practiceShaperLocations: [], accessRequestLocations: [], locations: [] };
  const first = await start(none, { keep: true });
  expect(await targets(first.server)).toEqual([]);
  const body = { type: "file", target: "default-taxonomy.yaml" };
  const registered = await first.server.catalog({ method: "POST", path: "/locations", body });
  expect(registered.status).toBe(201);
  await first.server.close();
  const own = [{ type: "file" as const, target: "own-taxonomy.yaml" }];
  const second = await start({ ...usual, practiceShaperLocations: own, locations: own }, { db: first.db });
  expect(await targets(second.server)).toEqual(["access-request-templates.yaml", "default-taxonomy.yaml"]);
});

it("is done by one of several processes that start at once", async () => {
  const db = await testDatabase();
  const servers = await Promise.all([0, 1, 2].map(() => start(usual, { db, keep: true })));
  const { rows } = await db.database.pool.query("select operation, subject from audit order by subject");
  expect(rows).toEqual([
    { operation: "bringShipped", subject: "assistant" },
    { operation: "registerLocation", subject: "location:file:access-request-templates.yaml" },
    { operation: "registerLocation", subject: "location:file:default-taxonomy.yaml" },
  ]);
  for (const { server } of servers) await server.close();
  await db.drop();
});
