/** What is tracked, in a database of its own. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyTestDatabase, type TestDatabase } from "../support/database.ts";
import { send, startWholeServer, type Answer, type WholeServer } from "../support/server.ts";

let own: TestDatabase;
let server: WholeServer;
beforeAll(async () => {
  own = await emptyTestDatabase();
  server = await startWholeServer({
    workers: "off",
    configure: (config) => void (config.dataLayer.metadataUrl = own.url),
  });
});
afterAll(async () => {
  await server.close();
  await own.drop();
});

const post = (path: string, body?: unknown): Promise<Answer> =>
  send(`${server.url}/api/data-layer/metadata`, { method: "POST", path, body });
const stored = async ({ database }: TestDatabase, schema: string): Promise<unknown[]> =>
  (await database.pool.query(`select revision, hash <> '' as tracked from ${schema}.data_layer_metadata`))
    .rows;

it("is stored there and nowhere else, exported, reset and restored there, and audited by the platform", async () => {
  expect((await server.graphql("{ __typename }")).status).toBe(200);
  expect(await stored(own, "plinth_data_layer")).toEqual([{ revision: 1, tracked: true }]);
  const exported = await post("/export");
  expect(exported.body).toMatchObject({
    revision: 1,
    sources: [{ name: "coordinator" }, { name: "cgp" }, { name: "marketplace" }],
  });
  expect((await post("/reset")).body.revision).toBe(2);
  expect(await stored(own, "plinth_data_layer")).toEqual([{ revision: 2, tracked: false }]);
  expect((await server.graphql("{ __typename }")).status).toBe(503);
  expect((await post("/restore", exported.body)).status).toBe(200);
  expect((await server.graphql("{ __typename }")).status).toBe(200);
  expect(await stored(server.db, server.db.connection.schema)).toEqual([]);
  const { rows } = await server.db.database.pool.query(
    "select operation, detail from audit where subject = 'data-layer' order by id",
  );
  expect(rows).toEqual([
    { operation: "resetDataLayer", detail: { revision: 2 } },
    { operation: "restoreDataLayer", detail: { revision: 3 } },
  ]);
});

it("the platform's own database by its address is the platform's own", async () => {
  const db = await emptyTestDatabase();
  const same = await startWholeServer({
    db,
    workers: "off",
    configure: (config) => void (config.dataLayer.metadataUrl = db.url),
  });
  try {
    expect((await same.graphql("{ __typename }")).status).toBe(200);
    expect(await stored(db, db.connection.schema)).toEqual([{ revision: 1, tracked: true }]);
    const { rows } = await db.database.pool.query(
      "select from pg_namespace where nspname = 'plinth_data_layer'",
    );
    expect(rows).toEqual([]);
  } finally {
    await same.close();
  }
});

it("while it is away queries are refused, and nothing is reset", async () => {
  const away = await startWholeServer({
    workers: "off",
    configure: (config) => void (config.dataLayer.metadataUrl = "postgres://u:hunter2@127.0.0.1:9/x"),
  });
  try {
    const answer = await away.graphql("{ __typename }");
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([503, "GRAPHQL_NOT_READY"]);
    const reset = await send(away.url, { method: "POST", path: "/api/data-layer/metadata/reset" });
    expect(reset.status).toBe(503);
    expect(reset.text + answer.text).not.toContain("hunter2");
    const { rows } = await away.db.database.pool.query("select 1 from audit where subject = 'data-layer'");
    expect(rows).toEqual([]);
  } finally {
    await away.close();
  }
});
