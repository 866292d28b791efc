/** What tools ask of the schema: answered, and not kept in memory. */
import { buildClientSchema, getIntrospectionQuery, printSchema } from "grafast/graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readTables } from "../../src/data-layer/graph/catalogue-store.ts";
import { settleGraphileMode } from "../../src/platform/config/environment.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
});
afterAll(() => server.close());

const everything = getIntrospectionQuery({
  descriptions: true,
  directiveIsRepeatable: true,
  inputValueDeprecation: true,
  oneOf: true,
  schemaDescription: true,
  specifiedByUrl: true,
});

it.each([
  ["with everything", everything],
  ["as GraphiQL and generators of code send it", getIntrospectionQuery()],
])("the standard introspection %s is answered, and the schema can be made of it", async (_what, query) => {
  const answer = await server.graphql(query);
  expect(answer.body.errors).toBeUndefined();
  const printed = printSchema(buildClientSchema(answer.body.data));
  expect(printed).toContain("type MarketplaceProduct ");
  expect(printed).toContain("totalCount: Int!");
});

it("is answered beside data", async () => {
  const query =
    "{ __typename __schema { queryType { name } } allMarketplaceDomains(first: 1) { totalCount } }";
  expect((await server.graphql(query)).body).toEqual({
    data: {
      __typename: "Query",
      __schema: { queryType: { name: "Query" } },
      allMarketplaceDomains: { totalCount: 0 },
    },
  });
});

it("keeps no plan and no answer of an introspection, and few plans of other queries", async () => {
  settleGraphileMode();
  const { buildGraph } = await import("../../src/data-layer/graph/build-graph.ts");
  const { createDocuments } = await import("../../src/data-layer/graph/documents.ts");
  const { readerOf } = await import("../../src/data-layer/graph/reader-store.ts");
  const { openBounds } = await import("../../src/data-layer/queries/bounds.ts");
  const { database } = server.db;
  const source = server.config.dbs.sources.find(({ name }) => name === "marketplace")!;
  const tables = await readTables(database.db, {
    ...source,
    connection: server.db.connection,
    isFiltered: true,
  });
  const graph = await buildGraph([{ name: "marketplace", reader: readerOf(database), tables }]);
  const documents = createDocuments(graph.schema, server.config.dataLayer.limits);
  const reader = { "plinth.reads_all": "off", "plinth.domains": "[]", "plinth.actor": "user:default/ada" };
  const ask = async (query: string): Promise<string | undefined> => {
    const { document, isIntrospection } = documents.read(query, {});
    const bounds = openBounds(new AbortController().signal, { timeoutMs: 60_000, maxLength: 1_000_000 });
    const executed = await graph.execute({
      document,
      isIntrospection,
      operationName: undefined,
      variables: {},
      reader,
      bounds,
    });
    bounds.close();
    return executed.data;
  };
  const cacheSizes = (): number[] => {
    const cached =
      (graph.schema.extensions as { grafast?: Record<symbol, { length?: number }> }).grafast ?? {};
    return Object.getOwnPropertySymbols(cached).flatMap((key) => cached[key]?.length ?? []);
  };
  for (const name of ["Query", "MarketplaceProduct"])
    expect(await ask(`{ __type(name: "${name}") { name } }`)).toBe(`{"__type":{"name":"${name}"}}`);
  expect(cacheSizes()).toEqual([]);
  await ask("{ __typename }");
  expect(cacheSizes()).toEqual([1]);
  expect(graph.schema.extensions["grafast"]).toMatchObject({ operationsCacheMaxLength: 100 });
});
