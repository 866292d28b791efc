/** Queries over HTTP: who sees which rows, what is refused, and what is in no answer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { send, startWholeServer, type WholeServer } from "../support/server.ts";
import { bombs } from "./bombs.ts";
import { canary, insertRecords, makeRecords } from "./records.ts";

let server: WholeServer;
const records = makeRecords(60, 7);

const financeToken = "test-token-of-finance-0000";

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.auth.providers.service!["default"]!.tokens!.push({
        name: "finance",
        secret: financeToken,
        roles: ["developer"],
        domains: ["domain:default/Finance"],
      });
    },
  });
  await insertRecords(server.db.database.db, records);
});
afterAll(() => server.close());

const finance = { headers: { authorization: `Bearer ${financeToken}` }, as: null };

const deployed = new Set(
  records.components
    .filter(({ status }) => status === "DEPLOYED")
    .map((c) => `${c.unitKey} ${c.environment}`),
);

it("shows what is published to everybody, with its domain and its ports", async () => {
  const query = `{ allMarketplaceProducts(first: 100, condition: { environment: "production" }) { totalCount nodes {
    unitId domain
    marketplaceDomainByDomain { name }
    marketplaceOutputPortsByUnitKeyAndEnvironment(first: 10) { nodes { componentKey platform publicInfo } } } } }`;
  const answer = await server.graphql(query, { as: "viewer" });
  expect(answer.body.errors).toBeUndefined();
  const { nodes } = answer.body.data.allMarketplaceProducts;
  const expected = records.units.filter(
    (unit) => unit.environment === "production" && deployed.has(`${unit.unitKey} production`),
  );
  expect(nodes.map((node: any) => node.unitId).sort()).toEqual(expected.map(({ unitId }) => unitId).sort());
  for (const node of nodes) {
    expect(node.marketplaceDomainByDomain?.name ?? null).toBe(node.domain);
    const ports = records.components.filter(
      (c) =>
        c.unitKey === node.unitId &&
        c.environment === "production" &&
        c.consumable &&
        c.status === "DEPLOYED",
    );
    expect(node.marketplaceOutputPortsByUnitKeyAndEnvironment.nodes).toHaveLength(ports.length);
  }
});

const operational = [
  ["allCoordinatorDeploymentUnits", "unitId"],
  ["allCoordinatorComponents", "componentKey"],
  ["allCoordinatorDeploymentPlans", "rowId"],
  ["allMarketplaceAccessGrants", "componentKey"],
] as const;

it.each(operational)("%s has the rows of the caller's domains only", async (list, field) => {
  const query = `{ ${list}(first: 100) { totalCount nodes { ${field} domain } } }`;
  const none = await server.graphql(query, { as: "developer" });
  expect(none.body).toEqual({ data: { [list]: { totalCount: 0, nodes: [] } } });
  const own = await server.graphql(query, finance);
  expect(own.body.errors).toBeUndefined();
  expect(own.body.data[list].nodes.length).toBeGreaterThan(0);
  expect(new Set(own.body.data[list].nodes.map((node: any) => node.domain))).toEqual(new Set(["finance"]));
  const all = await server.graphql(query, { as: "operator" });
  expect(all.body.data[list].totalCount).toBeGreaterThan(own.body.data[list].totalCount);
});

it("has no mutation and no subscription", async () => {
  const answer = await server.graphql("{ __schema { mutationType { name } subscriptionType { name } } }");
  expect(answer.body).toEqual({ data: { __schema: { mutationType: null, subscriptionType: null } } });
});

it("answers with nothing that is secret, whatever is asked of it", async () => {
  const types = await server.graphql(
    "{ __schema { queryType { fields { name } } types { name fields { name } } } }",
  );
  const names: string[] = types.body.data.__schema.queryType.fields.map((field: any) => field.name);
  expect(JSON.stringify(types.body)).not.toMatch(/privateInfo|request"|traceparent|failure/);
  for (const list of names.filter((name) => name.startsWith("all"))) {
    const type = list.replace(/^all/, "");
    const row = types.body.data.__schema.types.find(
      (each: any) => `${each.name}s` === type || plural(each.name) === type,
    );
    const fields = row.fields.map((field: any) => field.name).filter((name: string) => !/By[A-Z]/.test(name));
    const answer = await server.graphql(`{ ${list}(first: 100) { nodes { ${fields.join(" ")} } } }`);
    expect(answer.body.errors, list).toBeUndefined();
    expect(answer.text).not.toContain(canary);
  }
});

const plural = (name: string): string => name.replace(/y$/, "ies");

it("asks for credentials before it reads the body", async () => {
  const answer = await send(`${server.url}/graphql`, {
    method: "POST",
    path: "",
    body: "{ not json",
    as: null,
  });
  expect(answer.status).toBe(401);
  expect(answer.body.errors[0].extensions.code).toBe("PLATFORM_UNAUTHENTICATED");
});

it.each(bombs)("refuses a bomb: $what", async ({ code, query, variables }) => {
  const answer = await server.graphql(query, variables === undefined ? {} : { variables });
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].extensions.code).toBe(code);
  expect(answer.body.errors[0].message).not.toBe("");
});

const refused: [string, string, number, unknown][] = [
  ["no query", "GRAPHQL_OPERATION", 400, {}],
  ["an empty query", "GRAPHQL_OPERATION", 400, { query: " " }],
  ["no GraphQL", "GRAPHQL_SYNTAX", 400, { query: "{" }],
  ["an unknown field", "GRAPHQL_INVALID", 400, { query: "{ nothing }" }],
  ["a mutation", "GRAPHQL_INVALID", 400, { query: "mutation { a }" }],
  [
    "a fragment in itself",
    "GRAPHQL_INVALID",
    400,
    { query: "{ ...F } fragment F on Query { ...F __typename }" },
  ],
  ["two operations", "GRAPHQL_OPERATION", 400, { query: "query A { __typename } query B { __typename }" }],
  [
    "another operation",
    "GRAPHQL_OPERATION",
    400,
    { query: "query A { __typename }", operationName: "constructor" },
  ],
  [
    "a variable of another type",
    "GRAPHQL_INVALID",
    400,
    {
      query: "query ($n: Int!) { allMarketplaceProducts(first: 1, offset: $n) { totalCount } }",
      variables: { n: "x" },
    },
  ],
  ["a body that is a list", "PLATFORM_INPUT", 400, []],
  ["a query that is a number", "PLATFORM_INPUT", 400, { query: 1 }],
];

it.each(refused)("refuses %s", async (_what, code, status, body) => {
  const answer = await send(`${server.url}/graphql`, { method: "POST", path: "", body });
  expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([status, code]);
  expect(answer.text).not.toMatch(/select|unit_key|at .*\.ts/);
});

it("says nothing of the statement when a value does not fit its column", async () => {
  const answer = await server.graphql(
    `{ allMarketplaceProducts(first: 1, condition: { updatedAt: "yesterday-ish" }) { nodes { name } } }`,
  );
  expect(answer.body.errors[0]).toMatchObject({
    message: "A value of the query is not of the type of its column.",
    extensions: { code: "GRAPHQL_VALUE" },
  });
  expect(answer.text).not.toMatch(/select|timestamp/);
});

const metadata = (path: string, body?: unknown) =>
  send(`${server.url}/api/data-layer/metadata`, { method: body === undefined ? "GET" : "POST", path, body });

it("a bad export is refused with every problem of it, and nothing is changed", async () => {
  const { body: before } = await metadata("");
  const table = { schema: "data_layer", name: "products" };
  const twice = await metadata("/restore", {
    sources: [
      { name: "unknown", tables: [table] },
      { name: "cgp", tables: [table, table, { ...table, schema: "other" }, table] },
      { name: "cgp", tables: [] },
      { name: "CGP", tables: [] },
    ],
  });
  expect([twice.status, twice.body.code]).toEqual([400, "DATA_LAYER_INVALID_METADATA"]);
  expect(twice.body.errors).toEqual([
    "/sources/0/name: unknown is not in dbs.sources",
    "/sources/1/tables/1: is there twice",
    "/sources/1/tables/3: is there twice",
    "/sources/2/name: cgp is there twice",
    "/sources/3/name: CGP is not in dbs.sources",
  ]);
  const shapeless = await metadata("/restore", {
    revision: -1,
    sources: [{ name: "", tables: [{ schema: 1 }] }, { tables: "all" }],
  });
  expect([shapeless.status, shapeless.body.code]).toEqual([400, "PLATFORM_INPUT"]);
  for (const where of [
    "revision",
    "sources/0/name",
    "sources/0/tables/0/schema",
    "sources/0/tables/0",
    "sources/1/tables",
  ])
    expect(shapeless.body.errors.join("\n")).toContain(where);
  expect((await metadata("")).body).toEqual(before);
  const { rows } = await server.db.database.pool.query("select 1 from audit where subject = 'data-layer'");
  expect(rows).toEqual([]);
});
