/** What is tracked: shown, exported, reset and restored; how it follows the databases; who may ask. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { createHash } from "node:crypto";
import {
  send,
  startWholeServer,
  testRoles,
  until,
  type Answer,
  type WholeServer,
} from "../support/server.ts";

let server: WholeServer;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      const { dbname } = config.database.coordinator;
      const foreign = {
        name: "mart",
        db: dbname,
        variable: "ENGINE_GRAPHQL_MART_DATABASE_URL",
        isGiven: false,
      };
      config.dbs.sources.push({ ...foreign, isOwn: false, allowSchemas: ["mart"], excludeSchemas: [] });
      config.dbs.sources.push({
        ...foreign,
        name: "own",
        isOwn: false,
        allowSchemas: ["filtered"],
        excludeSchemas: [],
      });
      config.dataLayer.rowFilters = ["own"];
      config.dataLayer.trackingSeconds = 1;
    },
  });
  await run(
    "create schema mart; create table mart.sales (id int primary key, amount int); insert into mart.sales values (1, 10)",
  );
  await run("create schema filtered; create table filtered.rows (id int primary key, domain text)");
});
afterAll(() => server.close());

const run = (text: string) => server.db.database.pool.query(text);

const metadata = (path = "", call: object = {}): Promise<Answer> =>
  send(`${server.url}/api/data-layer/metadata`, { path, ...call });
const post = (path: string, body?: unknown): Promise<Answer> => metadata(path, { method: "POST", body });

const tablesOf = (answer: Answer, source: string): { schema: string; name: string; roles: string[] }[] =>
  answer.body.sources.find((each: any) => each.name === source).tables;

it("shows the product's views to everybody, and tables of others to operators", async () => {
  const answer = await metadata();
  expect(answer.status).toBe(200);
  expect(answer.body.inconsistencies).toEqual([]);
  expect(tablesOf(answer, "marketplace")).toContainEqual({
    schema: "data_layer",
    name: "products",
    roles: ["viewer", "developer", "operator", "admin", "service"],
  });
  const schemas = ["coordinator", "cgp", "marketplace"].flatMap((name) =>
    tablesOf(answer, name).map(({ schema }) => schema),
  );
  expect(new Set(schemas)).toEqual(new Set(["data_layer"]));
  expect(tablesOf(answer, "mart")).toEqual([
    { schema: "mart", name: "sales", roles: ["operator", "admin", "service"] },
  ]);
});

it("has rows of others for operators only", async () => {
  const query = "{ allMartSales(first: 1) { nodes { amount } } }";
  expect((await server.graphql(query)).body).toEqual({ data: { allMartSales: { nodes: [{ amount: 10 }] } } });
  const viewer = await server.graphql(query, { as: "viewer" });
  expect([viewer.status, viewer.body.errors[0].extensions.code]).toEqual([400, "GRAPHQL_INVALID"]);
  const introspected = await server.graphql("{ __schema { types { name } } }", { as: "viewer" });
  expect(introspected.text).not.toContain("Mart");
});

it("keeps a table whose rows its database does not filter for operators, though its source is listed", async () => {
  const answer = await metadata();
  expect(tablesOf(answer, "own")).toEqual([
    { schema: "filtered", name: "rows", roles: ["operator", "admin", "service"] },
  ]);
});

it("follows the databases", async () => {
  const before = await metadata();
  await run("create view mart.months as select 1 as month");
  const seen = await until(metadata, (answer) => tablesOf(answer, "mart").length === 2);
  expect(seen.body.revision).toBeGreaterThan(before.body.revision);
  const query = "{ allMartMonths(first: 1) { nodes { month } } }";
  await until(
    () => server.graphql(query),
    (answer) => answer.body.data?.allMartMonths?.nodes[0]?.month === 1,
  );
  await run("alter table mart.sales add column place text");
  await until(
    () => server.graphql("{ allMartSales(first: 1) { nodes { place } } }"),
    (answer) => answer.status === 200,
  );
});

it("says loudly that a source has nothing to show", async () => {
  await run("drop schema filtered cascade");
  const answer = await until(metadata, ({ body }) => body.inconsistencies.length > 0);
  expect(answer.body.inconsistencies).toEqual([
    { source: "own", message: "Its database has no table in the schemas that are shown." },
  ]);
});

it("exports, resets until something restores, and restores", async () => {
  const exported = await post("/export");
  expect(exported.status).toBe(200);
  const reset = await post("/reset");
  expect(reset.body.sources.every((source: any) => source.tables.length === 0)).toBe(true);
  const refused = await server.graphql("{ __typename }");
  expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([503, "GRAPHQL_NOT_READY"]);
  expect(refused.headers.get("retry-after")).toBe("2");
  const restored = await post("/restore", exported.body);
  expect(restored.status).toBe(200);
  expect(restored.body.revision).toBeGreaterThan(reset.body.revision);
  expect(tablesOf(restored, "marketplace")).toHaveLength(4);
  await until(
    () => server.graphql("{ __typename }"),
    ({ status }) => status === 200,
  );
  const { rows } = await sql<{ operation: string }>`select operation from audit where subject = 'data-layer'
    order by id`.execute(server.db.database.db);
  expect(rows.map(({ operation }) => operation)).toEqual(["resetDataLayer", "restoreDataLayer"]);
});

it("refuses an edit by hand, and a restore of what was not reset, while it follows the databases", async () => {
  const { body: before } = await metadata();
  const exported = await post("/export");
  const { rows: audited } = await run("select id from audit where subject = 'data-layer'");
  for (const [method, path] of [
    ["PUT", ""],
    ["POST", "/restore"],
  ] as const) {
    for (const body of [exported.body, { sources: [] }]) {
      const answer = await metadata(path, { method, body });
      expect([answer.status, answer.body.code]).toEqual([409, "DATA_LAYER_TRACKED"]);
    }
  }
  expect((await metadata()).body).toEqual(before);
  expect((await run("select id from audit where subject = 'data-layer'")).rows).toEqual(audited);
});

it("names everything that is wrong with metadata", async () => {
  const table = { schema: "data_layer", name: "products" };
  const answer = await post("/restore", {
    sources: [
      { name: "unknown", tables: [] },
      { name: "cgp", tables: [table, table] },
    ],
  });
  expect([answer.status, answer.body.code]).toEqual([400, "DATA_LAYER_INVALID_METADATA"]);
  expect(answer.body.errors).toEqual([
    "/sources/0/name: unknown is not in dbs.sources",
    "/sources/1/tables/1: is there twice",
  ]);
});

it.each([
  ["GET", ""],
  ["PUT", ""],
  ["POST", "/export"],
  ["POST", "/reset"],
  ["POST", "/restore"],
])("%s %s is for operators", async (method, path) => {
  const body = method === "GET" ? undefined : "{ not json";
  expect((await metadata(path, { method, body, as: null })).status).toBe(401);
  for (const as of testRoles.filter((role) => role === "viewer" || role === "developer"))
    expect((await metadata(path, { method, body, as })).status).toBe(403);
});

const hashOf = (query: string): string => createHash("sha256").update(query).digest("hex");
const persisted = (query: string | undefined, sha256Hash: string): Promise<Answer> =>
  send(`${server.url}/graphql`, {
    method: "POST",
    path: "",
    body: { query, extensions: { persistedQuery: { version: 1, sha256Hash } } },
  });

it("answers a hash that it knows, and asks for the query of another", async () => {
  const query = "{ allMarketplaceDomains(first: 3) { totalCount } }";
  const unknown = await persisted(undefined, hashOf(query));
  expect([unknown.status, unknown.body]).toEqual([
    404,
    { errors: [{ message: "PersistedQueryNotFound", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }] },
  ]);
  const first = await persisted(query, hashOf(query));
  expect(first.body).toEqual({ data: { allMarketplaceDomains: { totalCount: 0 } } });
  expect((await persisted(undefined, hashOf(query))).body).toEqual(first.body);
});

it("stores no query under the hash of another, and none that it refuses", async () => {
  const wrong = await persisted("{ __typename }", hashOf("{ other }"));
  expect([wrong.status, wrong.body.errors[0].extensions.code]).toEqual([400, "GRAPHQL_PERSISTED_HASH"]);
  const refused = "{ allMarketplaceDomains { totalCount } }";
  expect((await persisted(refused, hashOf(refused))).status).toBe(400);
  expect((await persisted(undefined, hashOf(refused))).status).toBe(404);
});
