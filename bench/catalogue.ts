/**
 * How long do reads of the catalogue take with many entities, and what does our stack add to the database's own work?
 * Each read is asked for over HTTP from a server in a process of its own, and then as the same statements over a direct
 * connection; they take turns, each time for other entities. Prints p50, p99 and the ratio of both; the goal is a p99
 * below 50 ms. The tables are vacuumed before, as autovacuum does some minutes after many entities have come.
 *
 *   node bench/catalogue.ts [--entities 10000] [--reads 300]
 */
import { Agent, setGlobalDispatcher } from "undici";
import { parseArgs } from "node:util";
import type { Entity } from "../src/builder/entity.ts";
import type { LoadedEntity } from "../src/builder/catalogue/sources/read-entities.ts";
import { insertLocation, readLocation } from "../src/builder/catalogue/locations/store.ts";
import { writeReading } from "../src/builder/catalogue/locations/write-reading.ts";
import { parseFilters } from "../src/builder/catalogue/filter.ts";
import {
  countEntities,
  countFacet,
  listEntities,
  readEntityText,
  readEntityTexts,
  type EntityListQuery,
} from "../src/builder/catalogue/store.ts";
import { inTransaction, openDatabase, type Database } from "../src/platform/db/database.ts";
import { newId } from "../src/platform/lib/ids.ts";
import { silentLogger } from "../src/platform/lib/logger.ts";
import { databaseVariables } from "../test/crash/processes.ts";
import { benchDatabase } from "./support/fixtures.ts";
import { cellsOf, quantiles, ratioOf, timed } from "./support/read-times.ts";
import { startServerProcess } from "./support/server-process.ts";

const goalMs = 50;
const { values } = parseArgs({
  options: { entities: { type: "string", default: "10000" }, reads: { type: "string", default: "300" } },
});
const count = Number(values.entities);
const reads = Number(values.reads);
/** Entities of one location, as a large repository has them. */
const perLocation = 500;
const perPage = 20;

const nameOf = (n: number): string => `part-${String(n).padStart(7, "0")}`;
const refOf = (n: number): string => `component:default/${nameOf(n)}`;

const entityOf = (n: number): Entity => ({
  apiVersion: "plinth.io/v1",
  kind: "Component",
  metadata: {
    name: nameOf(n),
    title: `Part ${n} of ship ${n % 700}`,
    description: `What is known of part ${n}. `.repeat(6),
    tags: [`deck-${n % 9}`, `yard-${n % 31}`],
    labels: { shift: String(n % 3), berth: String(n % 41) },
  },
  spec: {
    type: `type-${n % 20}`,
    owner: `group:default/crew-${n % 50}`,
    system: `sea.ship-${n % 700}.0`,
    lifecycle: n % 4 === 0 ? "experimental" : "production",
    dependsOn: n === 0 ? [] : [refOf(n - 1)],
    mesh: {
      version: "1.0.0",
      specific: { columns: Array.from({ length: 12 }, (_, at) => ({ name: `c${at}` })) },
    },
  },
});

const loaded = (n: number): LoadedEntity => ({
  ref: refOf(n),
  entity: entityOf(n),
  managedBy: `url:https://git.example/ships/${Math.floor(n / perLocation)}.yaml`,
  parents: [],
  where: `all.yaml:${n + 1}:1`,
  files: new Map(),
});

/** Stores entities as if that many locations had been read. */
async function storeEntities(database: Database): Promise<void> {
  const settings = { folders: [], readTimeoutMs: 60_000, refreshMs: 0, peopleFrom: "admins" as const };
  const at = new Date();
  for (let start = 0; start < count; start += perLocation) {
    const id = newId();
    const target = `https://git.example/ships/${start / perLocation}.yaml`;
    const row = {
      id,
      type: "url",
      target,
      registeredBy: "user:default/ada",
      bringsPeople: false,
      at,
      nextRefreshAt: null,
    };
    await insertLocation(database.db, row);
    const location = await readLocation(database.db, id);
    if (location === null) throw new Error("a location was not stored");
    const entities = Array.from({ length: Math.min(perLocation, count - start) }, (_, n) =>
      loaded(start + n),
    );
    await inTransaction(database, (tx) =>
      writeReading(tx, {
        location,
        loaded: { version: null, entities, problems: [] },
        at,
        nextRefreshAt: null,
        settings,
      }),
    );
  }
  await database.pool.query("vacuum analyze");
}

interface Read {
  path: string;
  body?: object;
  bare: (database: Database) => Promise<unknown>;
}

const listed = (filter: string, more: Partial<EntityListQuery> = {}): EntityListQuery => ({
  filter: parseFilters([filter]) ?? [],
  predicate: null,
  order: [],
  search: null,
  from: null,
  offset: 0,
  limit: perPage,
  ...more,
});

const byQuery = (query: string, asked: EntityListQuery): Read => ({
  path: `/entities/by-query?${query}&limit=${perPage}`,
  bare: async ({ db }) => [await countEntities(db, asked), await listEntities(db, asked)],
});

const kinds: [name: string, read: (n: number) => Read][] = [
  [
    "one by its name",
    (n) => ({
      path: `/entities/by-name/component/default/${nameOf(n)}`,
      bare: ({ db }) => readEntityText(db, refOf(n)),
    }),
  ],
  [
    "twenty by their references",
    (n) => {
      const entityRefs = Array.from({ length: perPage }, (_, at) => refOf((n + at * 37) % count));
      return {
        path: "/entities/by-refs",
        body: { entityRefs },
        bare: ({ db }) => readEntityTexts(db, { refs: entityRefs, filter: [], predicate: null }),
      };
    },
  ],
  [
    "a page of a type",
    (n) => {
      const filter = `kind=component,spec.type=type-${n % 20}`;
      return {
        path: `/entities?filter=${filter}&limit=${perPage}&offset=${n % 200}`,
        bare: ({ db }) => listEntities(db, listed(filter, { offset: n % 200 })),
      };
    },
  ],
  [
    "a page of an owner, with their number",
    (n) => {
      const filter = `relations.ownedBy=group:default/crew-${n % 50}`;
      return byQuery(`filter=${filter}`, listed(filter));
    },
  ],
  [
    "a page of a system, ordered, with their number",
    (n) => {
      const filter = `spec.system=sea.ship-${n % 700}.0`;
      const order = [{ field: "metadata.title", direction: "desc" as const }];
      return byQuery(`filter=${filter}&orderField=metadata.title,desc`, listed(filter, { order }));
    },
  ],
  [
    "a page of a text in the name",
    (n) => {
      const term = nameOf(n).slice(-4);
      const search = { term, fields: ["metadata.name"] };
      return byQuery(
        `filter=kind=component&fullTextFilterTerm=${term}`,
        listed("kind=component", { search }),
      );
    },
  ],
  [
    "counts by type",
    (n) => {
      const filter = `spec.lifecycle=${n % 2 === 0 ? "production" : "experimental"}`;
      return {
        path: `/entity-facets?facet=spec.type&filter=${filter}`,
        bare: ({ db }) =>
          countFacet(db, {
            facet: "spec.type",
            filter: parseFilters([filter]) ?? [],
            predicate: null,
            limit: 1_000,
          }),
      };
    },
  ],
];

const store = await benchDatabase();
const { connection } = store;
const database = openDatabase({ connection, log: silentLogger, statementTimeoutMs: 3_600_000, poolSize: 1 });
const from = performance.now();
await storeEntities(database);
console.log(`${count} entities stored in ${((performance.now() - from) / 1_000).toFixed(1)} s`);
setGlobalDispatcher(new Agent({ connections: 1 }));
const server = await startServerProcess(databaseVariables(connection), ["--workers", "off"]);
console.log(
  `${" ".repeat(48)}${["over HTTP", "bare SQL", "ratio"].map((side) => side.padStart(20)).join("")}`,
);
console.log(`${" ".repeat(48)}${"p50       p99".padStart(20).repeat(3)}`);
let worst = 0;
for (const [name, read] of kinds) worst = Math.max(worst, await measure(name, read));
console.log(
  `worst p99 ${worst.toFixed(1)} ms, goal below ${goalMs} ms: ${worst < goalMs ? "met" : "MISSED"}`,
);
process.exitCode = worst < goalMs ? 0 : 1;
await server.close();
await database.close();
await store.close();

/** Prints one kind of read and answers its p99 over HTTP. */
async function measure(name: string, read: (n: number) => Read): Promise<number> {
  const http: number[] = [];
  const bare: number[] = [];
  for (let round = -20; round < reads; round += 1) {
    const asked = read(Math.floor(Math.random() * count));
    const times = [await timed(() => ask(asked)), await timed(() => asked.bare(database))] as const;
    if (round < 0) continue;
    http.push(times[0]);
    bare.push(times[1]);
  }
  const [ours, floor] = [quantiles(http), quantiles(bare)];
  console.log(name.padEnd(48) + cellsOf([ours, floor, ratioOf(ours, floor)]));
  return ours.p99;
}

async function ask({ path, body }: Read): Promise<void> {
  const answer = await fetch(`${server.url}/api/catalog${path}`, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
}
