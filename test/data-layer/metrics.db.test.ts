/** What /metrics says of the data layer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { send, startWholeServer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure(config) {
      config.dataLayer.trackingSeconds = 1;
      const { dbname } = config.database.coordinator;
      config.dbs.sources.push({
        name: "mart",
        db: dbname,
        variable: "ENGINE_GRAPHQL_MART_DATABASE_URL",
        isGiven: false,
        isOwn: false,
        allowSchemas: ["mart"],
        excludeSchemas: [],
      });
    },
  });
});
afterAll(() => server.close());

/** The databases are looked at every second. */
const wait = { timeout: 60_000 };

/** The values of the data layer's metrics, without the times. */
async function metrics(): Promise<Record<string, number>> {
  const { text } = await send(server.url, { path: "/metrics", as: "operator" });
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith("plinth_data_layer_") && !/_(?:bucket|sum)/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", value] = line.replace("plinth_data_layer_", "").split(" ");
      return [name, Number(value)];
    }),
  );
}

it("counts queries by their outcome, and refusals by the limit", async () => {
  expect(Object.keys(await metrics()).filter((name) => /query|over_limit/.test(name))).toEqual([]);
  const page = "{ allMarketplaceProducts { totalCount } }";
  const queries = [
    "{ __typename }",
    "{ allMarketplaceProducts(first: 1) { totalCount } }",
    page,
    page,
    `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: __typename`).join(" ")} }`,
    "{ nothing }",
    "{",
    `{ allMarketplaceProducts(first: 1, condition: { updatedAt: "then" }) { nodes { name } } }`,
  ];
  for (const query of queries) await server.graphql(query);
  // Not a query: nobody is known to ask, or the body is none.
  await server.graphql(page, { as: null });
  await send(server.url, { method: "POST", path: "/graphql", body: { query: 1 } });
  expect(await metrics()).toMatchObject({
    'query_duration_seconds_count{outcome="ok"}': 2,
    'query_duration_seconds_count{outcome="refused"}': 5,
    'query_duration_seconds_count{outcome="partial"}': 1,
    'queries_over_limit_total{limit="page"}': 2,
    'queries_over_limit_total{limit="aliases"}': 1,
  });
});

it("counts the looks at the databases by what came of them, and what of a source can't be shown", async () => {
  const result = (name: string) => `tracking_rounds_total{result="${name}"}`;
  await expect.poll(async () => (await metrics())[result("unchanged")] ?? 0, wait).toBeGreaterThan(0);
  expect(await metrics()).toMatchObject({
    [result("built")]: 1,
    'inconsistencies{source="mart"}': 1,
    'inconsistencies{source="coordinator"}': 0,
  });
  await server.db.database.pool.query("create schema mart; create table mart.sales (id int primary key)");
  await expect.poll(async () => (await metrics())[result("built")], wait).toBe(2);
  expect(await metrics()).toMatchObject({ 'inconsistencies{source="mart"}': 0 });
  const reset = { method: "POST", path: "/api/data-layer/metadata/reset" };
  expect((await send(server.url, reset)).status).toBe(200);
  expect((await metrics())[result("empty")]).toBeGreaterThan(0);
  expect((await server.graphql("{ __typename }")).status).toBe(503);
  expect(await metrics()).toMatchObject({ 'query_duration_seconds_count{outcome="unavailable"}': 1 });
});
