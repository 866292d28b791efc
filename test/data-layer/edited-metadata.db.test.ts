/** What is tracked where it does not follow the databases: written by operators, who may write at the same time. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { send, startWholeServer, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure: (config) => void (config.dataLayer.autoTracking = false),
  });
});
afterAll(() => server.close());

const put = (body: object): Promise<Answer> =>
  send(`${server.url}/api/data-layer/metadata`, { method: "PUT", path: "", body });
const sourcesOf = (...names: string[]) => [
  { name: "marketplace", tables: names.map((name) => ({ schema: "data_layer", name })) },
];

it("a revision that is not the current one is refused, and what another has written stays", async () => {
  const first = await put({ sources: sourcesOf("products") });
  expect([first.status, first.body.revision]).toEqual([200, 1]);
  const second = await put({ revision: 1, sources: sourcesOf("products", "domains") });
  expect([second.status, second.body.revision]).toEqual([200, 2]);
  const late = await put({ revision: 1, sources: sourcesOf("products", "output_ports") });
  expect([late.status, late.body.code]).toEqual([409, "DATA_LAYER_CHANGED"]);
  expect(late.body.errors).toEqual(["revision: The metadata has revision 2 by now, not 1."]);
  const both = await Promise.all(
    ["output_ports", "domains"].map((name) => put({ revision: 2, sources: sourcesOf(name) })),
  );
  expect(both.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409]);
  const { rows } = await server.db.database.pool.query(
    "select detail from audit where subject = 'data-layer' order by id",
  );
  expect(rows.map(({ detail }) => detail.revision)).toEqual([1, 2, 3]);
});

it("an older state is restored whatever its revision, and an edit without one is made to what is there", async () => {
  const restored = await send(`${server.url}/api/data-layer/metadata`, {
    method: "POST",
    path: "/restore",
    body: { revision: 1, sources: sourcesOf("products") },
  });
  expect([restored.status, restored.body.revision]).toEqual([200, 4]);
  expect((await put({ sources: sourcesOf("domains") })).body.revision).toBe(5);
});
