/**
 * Backstage's own client of the catalogue against our server: every method of it, each answer checked. It is no dependency of
 * the project: `npm ci --prefix test/backstage/current` first.
 *   node test/backstage/catalogue.ts
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { tokenOf, type WholeServer } from "../support/server.ts";
import { registerFile, runChecks, withOwnServer } from "./own-server.ts";
import { catalogClientPath } from "./peers.ts";

interface Entity {
  kind: string;
  metadata: { name: string; uid: string };
  spec: Record<string, unknown>;
}
interface Location {
  id: string;
  type: string;
  target: string;
}

/** The part of the client that is used here. */
interface Client {
  getEntities(request?: object): Promise<{ items: Entity[] }>;
  getEntitiesByRefs(request: object): Promise<{ items: (Entity | undefined)[] }>;
  queryEntities(request: object): Promise<{
    items: Entity[];
    totalItems: number;
    pageInfo: { nextCursor?: string; prevCursor?: string };
  }>;
  streamEntities(request?: object): AsyncIterable<Entity[]>;
  getEntityAncestors(request: object): Promise<any>;
  getEntityByRef(ref: string): Promise<Entity | undefined>;
  getEntityFacets(request: object): Promise<any>;
  refreshEntity(ref: string): Promise<void>;
  removeEntityByUid(uid: string): Promise<void>;
  validateEntity(entity: object, locationRef: string): Promise<any>;
  getLocations(): Promise<{ items: Location[] }>;
  queryLocations(request: object): Promise<{
    items: Location[];
    totalItems: number;
    pageInfo: { nextCursor?: string };
  }>;
  streamLocations(request?: object): AsyncIterable<Location[]>;
  getLocationById(id: string): Promise<Location | undefined>;
  getLocationByRef(ref: string): Promise<Location | undefined>;
  getLocationByEntity(ref: string): Promise<Location | undefined>;
  addLocation(request: object): Promise<{ location: Location; entities: Entity[]; exists?: boolean }>;
  updateLocation(id: string, location: object): Promise<Location>;
  removeLocationById(id: string): Promise<void>;
  analyzeLocation(request: object): Promise<any>;
}

if (!existsSync(catalogClientPath))
  throw new Error("Install it first: npm ci --prefix test/backstage/current");
const { CatalogClient } = (await import(pathToFileURL(catalogClientPath).href)) as {
  CatalogClient: new (options: object) => Client;
};

const clientOf = ({ url }: WholeServer): Client =>
  new CatalogClient({
    discoveryApi: { getBaseUrl: async (plugin: string) => `${url}/api/${plugin}` },
    fetchApi: {
      fetch: (input: string | Request, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set("authorization", `Bearer ${tokenOf("admin")}`);
        return fetch(input, { ...init, headers });
      },
    },
  });

const resource = (name: string, spec: object): object => ({
  apiVersion: "backstage.io/v1alpha1",
  kind: "Resource",
  metadata: { name },
  spec: { type: "boat", owner: "sailors", ...spec },
});
const fruit = ["apple", "berry", "cherry"].map((name, rank) =>
  resource(name, { type: rank === 1 ? "red" : "green", rank }),
);
/** More than one piece of the list, and than one page of the client. */
const many = 1_234;
const crowd = Array.from({ length: many }, (_, index) => ({
  apiVersion: "backstage.io/v1alpha1",
  kind: "API",
  metadata: { name: `api-${index}` },
  spec: { type: "openapi", owner: "sailors", definition: "x" },
}));

const namesOf = (items: readonly (Entity | undefined)[]): (string | undefined)[] =>
  items.map((item) => item?.metadata.name);
const gather = async <T>(pages: AsyncIterable<T[]>): Promise<T[]> => {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
};

interface Fixture {
  client: Client;
  folder: string;
}

const isFruit = { kind: "resource" };

const checks: Record<string, (fixture: Fixture) => Promise<void>> = {
  async getEntities({ client }) {
    const { items } = await client.getEntities({ filter: { kind: "api" }, fields: ["metadata.name"] });
    assert.equal(new Set(namesOf(items)).size, many);
    const all = await client.getEntities();
    assert.ok(all.items.length > many);
    const ordered = { filter: { kind: "api" }, order: { field: "metadata.name", order: "desc" } };
    const { items: last } = await client.getEntities({ ...ordered, limit: 1 });
    assert.deepEqual(namesOf(last), ["api-999"]);
    assert.equal((await client.getEntities(ordered)).items.length, many);
  },
  async getEntitiesByRefs({ client }) {
    const entityRefs = ["resource:default/apple", "resource:default/none", "resource:default/berry"];
    assert.deepEqual(namesOf((await client.getEntitiesByRefs({ entityRefs })).items), [
      "apple",
      undefined,
      "berry",
    ]);
    const red = await client.getEntitiesByRefs({ entityRefs, query: { "spec.type": "red" } });
    assert.deepEqual(namesOf(red.items), [undefined, undefined, "berry"]);
  },
  async queryEntities({ client }) {
    const orderFields = { field: "metadata.name", order: "asc" };
    const first = await client.queryEntities({ filter: isFruit, orderFields, limit: 2 });
    assert.deepEqual([namesOf(first.items), first.totalItems], [["apple", "berry"], 3]);
    const second = await client.queryEntities({ cursor: first.pageInfo.nextCursor, limit: 2 });
    assert.deepEqual([namesOf(second.items), second.pageInfo.nextCursor], [["cherry"], undefined]);
    const back = await client.queryEntities({ cursor: second.pageInfo.prevCursor, limit: 2 });
    assert.deepEqual(namesOf(back.items), ["apple", "berry"]);
  },
  async "queryEntities with a predicate"({ client }) {
    const orderFields = [{ field: "metadata.name", order: "asc" }];
    const query = { $all: [isFruit, { $not: { "spec.type": "red" } }, { "spec.rank": { $exists: true } }] };
    const first = await client.queryEntities({ query, orderFields, limit: 1 });
    assert.deepEqual([namesOf(first.items), first.totalItems], [["apple"], 2]);
    // The client looks into the cursor to know where to go on.
    const second = await client.queryEntities({ cursor: first.pageInfo.nextCursor, limit: 1 });
    assert.deepEqual([namesOf(second.items), second.pageInfo.nextCursor], [["cherry"], undefined]);
    const back = await client.queryEntities({ cursor: second.pageInfo.prevCursor, limit: 1 });
    assert.deepEqual(namesOf(back.items), ["apple"]);
    const both = await client.queryEntities({
      query: { "metadata.name": { $hasPrefix: "B" } },
      filter: isFruit,
      fullTextFilter: { term: "err" },
      totalItems: "exclude",
    });
    assert.deepEqual([namesOf(both.items), both.totalItems], [["berry"], 0]);
    const related = {
      ...isFruit,
      relations: { $contains: { type: "ownedBy", targetRef: "group:default/sailors" } },
    };
    assert.equal((await client.queryEntities({ query: related })).totalItems, 3);
    await assert.rejects(client.queryEntities({ query: { kind: { $like: "x" } } }), { statusCode: 400 });
  },
  async streamEntities({ client }) {
    const filtered = await gather(client.streamEntities({ filter: { kind: "api" }, pageSize: 500 }));
    assert.equal(new Set(namesOf(filtered)).size, many);
    const asked = await gather(client.streamEntities({ query: { kind: "api" } }));
    assert.equal(new Set(namesOf(asked)).size, many);
  },
  async getEntityAncestors({ client }) {
    const { rootEntityRef, items } = await client.getEntityAncestors({ entityRef: "domain:default/leaf" });
    assert.equal(rootEntityRef, "domain:default/leaf");
    assert.deepEqual(
      items.map(({ entity, parentEntityRefs }: { entity: Entity; parentEntityRefs: string[] }) => [
        entity.metadata.name,
        parentEntityRefs,
      ]),
      [
        ["leaf", ["location:default/root"]],
        ["root", []],
      ],
    );
  },
  async getEntityByRef({ client }) {
    assert.equal((await client.getEntityByRef("Resource:apple"))?.metadata.name, "apple");
    assert.equal(await client.getEntityByRef("resource:default/none"), undefined);
  },
  async getEntityFacets({ client }) {
    const expected = {
      facets: {
        "spec.type": [
          { value: "green", count: 2 },
          { value: "red", count: 1 },
        ],
      },
    };
    assert.deepEqual(await client.getEntityFacets({ facets: ["spec.type"], filter: isFruit }), expected);
    assert.deepEqual(await client.getEntityFacets({ facets: ["spec.type"], query: isFruit }), expected);
  },
  async refreshEntity({ client }) {
    await client.refreshEntity("resource:default/apple");
    await assert.rejects(client.refreshEntity("resource:default/none"), { statusCode: 404 });
  },
  async validateEntity({ client }) {
    assert.deepEqual(await client.validateEntity(fruit[0]!, "url:https://x.example/a"), { valid: true });
    const wrong = await client.validateEntity({ ...fruit[0], metadata: {} }, "url:https://x.example/a");
    assert.equal(wrong.valid, false);
    assert.match(wrong.errors[0].message, /name/);
  },
  async "getLocations, queryLocations and streamLocations"({ client }) {
    const { items } = await client.getLocations();
    const targets = items.map(({ target }) => target).toSorted();
    const first = await client.queryLocations({ limit: 1 });
    assert.deepEqual([first.items.length, first.totalItems], [1, items.length]);
    const second = await client.queryLocations({ cursor: first.pageInfo.nextCursor });
    assert.notEqual(second.items[0]?.id, first.items[0]?.id);
    const all = await gather(client.streamLocations({ limit: 1 }));
    assert.deepEqual(all.map(({ target }) => target).toSorted(), targets);
    const found = await client.queryLocations({ query: { target: items[0]?.target } });
    assert.deepEqual(found.items[0]?.id, items[0]?.id);
  },
  async "addLocation, updateLocation and removeLocationById"({ client, folder }) {
    for (const name of ["before", "after"])
      await writeFile(join(folder, `${name}.yaml`), JSON.stringify(resource(name, { type: "x" })));
    const place = (name: string) => ({ type: "file", target: join(folder, `${name}.yaml`) });
    const tried = await client.addLocation({ ...place("before"), dryRun: true });
    assert.deepEqual([namesOf(tried.entities), tried.exists], [["before"], false]);
    const { location } = await client.addLocation(place("before"));
    await assert.rejects(client.addLocation(place("before")), { statusCode: 409 });
    const again = await client.addLocation({ ...place("before"), onConflict: "refresh" });
    assert.equal(again.location.id, location.id);
    assert.equal((await client.getLocationById(location.id))?.target, location.target);
    assert.equal((await client.getLocationByRef(`file:${location.target}`))?.id, location.id);
    assert.equal((await client.getLocationByEntity("resource:default/before"))?.id, location.id);
    const moved = await client.updateLocation(location.id, place("after"));
    assert.deepEqual([moved.id, moved.target], [location.id, place("after").target]);
    assert.equal((await client.getLocationByEntity("resource:default/after"))?.id, location.id);
    const orphan = await client.getEntityByRef("resource:default/before");
    await client.removeEntityByUid(orphan?.metadata.uid ?? "");
    assert.equal(await client.getEntityByRef("resource:default/before"), undefined);
    await client.removeLocationById(location.id);
    assert.equal(await client.getLocationById(location.id), undefined);
    assert.equal(await client.getEntityByRef("resource:default/after"), undefined);
  },
  async analyzeLocation({ client, folder }) {
    const target = join(folder, "fruit.yaml");
    const known = await client.analyzeLocation({ location: { type: "file", target } });
    assert.equal(known.existingEntityFiles.length, 3);
    assert.ok(known.existingEntityFiles.every(({ isRegistered }: { isRegistered: boolean }) => isRegistered));
    await writeFile(join(folder, "nothing.yaml"), "# nothing\n");
    const none = await client.analyzeLocation({
      location: { type: "file", target: join(folder, "nothing.yaml") },
    });
    assert.equal(none.generateEntities[0].entity.kind, "Component");
  },
};

await withOwnServer(async ({ server, folder }) => {
  await registerFile(server, { folder, name: "fruit", entities: fruit });
  await registerFile(server, { folder, name: "crowd", entities: crowd });
  await writeFile(
    join(folder, "leaf.yaml"),
    JSON.stringify({
      apiVersion: "backstage.io/v1alpha1",
      kind: "Domain",
      metadata: { name: "leaf" },
      spec: { owner: "sailors" },
    }),
  );
  const root = {
    apiVersion: "backstage.io/v1alpha1",
    kind: "Location",
    metadata: { name: "root" },
    spec: { targets: ["./leaf.yaml"] },
  };
  await registerFile(server, { folder, name: "root", entities: [root] });
  await runChecks<Fixture>(checks, { client: clientOf(server), folder });
});
