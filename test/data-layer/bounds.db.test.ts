/** What one query may take: its time, its connections, and the length of its answer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { send, startWholeServer, type WholeServer } from "../support/server.ts";

/** Ends queries soon. */
let hasty: WholeServer;
/** Ends no query during the tests. */
let patient: WholeServer;

const configured =
  (queryTimeoutMs: number) =>
  ({ dataLayer, database, dbs }: Config): void => {
    Object.assign(dataLayer, { queryTimeoutMs, timeoutMs: 60_000, connections: 6 });
    dataLayer.limits.answerLength = 200_000;
    dbs.sources.push({
      name: "mart",
      db: database.coordinator.dbname,
      variable: "ENGINE_GRAPHQL_MART_DATABASE_URL",
      isGiven: false,
      isOwn: false,
      allowSchemas: ["mart"],
      excludeSchemas: [],
    });
  };

beforeAll(async () => {
  hasty = await startWholeServer({ workers: "off", configure: configured(5_000) });
  patient = await startWholeServer({ workers: "off", configure: configured(120_000) });
  for (const { db } of [hasty, patient])
    await db.database.pool.query(`create schema mart;
      create view mart.waits as select n as id, pg_sleep(600)::text as waited from generate_series(1, 10) n;
      create table mart.texts (id int primary key, body text, document json);
      insert into mart.texts select n, repeat('x', 5000), json_build_object('text', repeat('y', 5000))
        from generate_series(1, 50) n`);
  for (const server of [hasty, patient])
    expect((await server.graphql("{ allMartTexts(first: 1) { nodes { rowId } } }")).status).toBe(200);
});
afterAll(async () => {
  await hasty.close();
  await patient.close();
});

/** Statements of the data layer that wait at this moment. */
async function waiting({ db }: WholeServer): Promise<number> {
  const { rows } = await db.database.pool.query(`select count(*) as n from pg_stat_activity
    where datname = current_database() and application_name = 'plinth data layer' and state = 'active'
      and wait_event = 'PgSleep'`);
  return rows[0].n;
}

const waits = (count: number): string =>
  `{ ${Array.from({ length: count }, (_, n) => `a${n}: allMartWaits(first: ${n + 1}) { nodes { waited } }`).join(" ")} }`;

it("a query that takes longer than its time is refused, and its statements are cancelled", async () => {
  const answer = await hasty.graphql(waits(2));
  expect([answer.status, answer.body]).toEqual([
    503,
    {
      errors: [
        { message: "The query took longer than 5000 ms.", extensions: { code: "GRAPHQL_UNAVAILABLE" } },
      ],
    },
  ]);
  await expect.poll(() => waiting(hasty)).toBe(0);
  expect((await hasty.graphql("{ allMartTexts(first: 1) { nodes { rowId } } }")).status).toBe(200);
});

it("a query has half of the connections, and none once its caller has gone", async () => {
  const gone = new AbortController();
  const asked = fetch(`${patient.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${patient.token("operator")}` },
    body: JSON.stringify({ query: waits(8) }),
    signal: gone.signal,
  });
  asked.catch(() => undefined);
  await expect.poll(() => waiting(patient)).toBe(3);
  // The others would be waited for, and refused at the end of their time.
  const other = await patient.graphql("{ allMartTexts(first: 1) { nodes { rowId } } }");
  expect(other.body).toEqual({ data: { allMartTexts: { nodes: [{ rowId: 1 }] } } });
  expect(await waiting(patient)).toBe(3);
  gone.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => waiting(patient)).toBe(0);
});

const long: [string, string][] = [
  ["many rows", "{ allMartTexts(first: 50) { nodes { body } } }"],
  [
    "one text at many places",
    `{ allMartTexts(first: 2) { nodes { ${Array.from({ length: 25 }, (_, n) => `a${n}: body`).join(" ")} } } }`,
  ],
  [
    "one document at many places",
    `{ allMartTexts(first: 2) { nodes { ${Array.from({ length: 25 }, (_, n) => `a${n}: document`).join(" ")} } } }`,
  ],
];
it.each(long)("an answer that would be too long is refused: %s", async (_what, query) => {
  const answer = await patient.graphql(query);
  expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([400, "GRAPHQL_SIZE"]);
  expect(answer.body.errors).toHaveLength(1);
  expect(answer.text).not.toContain("xxx");
  const { text: metrics } = await send(patient.url, { path: "/metrics", as: "operator" });
  expect(metrics).toMatch(/plinth_data_layer_queries_over_limit_total\{limit="size"\} \d/);
});

it("an answer within the limit has texts and documents as they are", async () => {
  const answer = await patient.graphql("{ allMartTexts(first: 10) { nodes { rowId body document } } }");
  expect(answer.body.data.allMartTexts.nodes[9]).toEqual({
    rowId: 10,
    body: "x".repeat(5_000),
    document: { text: "y".repeat(5_000) },
  });
});
