/** Mistakes of clients: each is answered as theirs, with the library's own words, and is no error in the log. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { silentLogger, type Logger } from "../../src/platform/lib/logger.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { insertRecords, makeRecords } from "./records.ts";

let server: WholeServer;
const errorLines: unknown[] = [];
const log: Logger = {
  ...silentLogger,
  error: (...line) => void errorLines.push(line),
  child: () => log,
};

beforeAll(async () => {
  server = await startWholeServer({ workers: "off", log });
  await insertRecords(server.db.database.db, makeRecords(20, 3));
});
afterAll(() => server.close());

it("a variable that is not of its type is refused with the words of the library", async () => {
  const query = "query ($n: Int!) { allMarketplaceProducts(first: 1, offset: $n) { totalCount } }";
  const answer = await server.graphql(query, { variables: { n: "x" } });
  expect(answer.status).toBe(400);
  expect(answer.body).toEqual({
    errors: [
      {
        message: '1:8: Variable "$n" got invalid value "x"; Int cannot represent non-integer value: "x"',
        extensions: { code: "GRAPHQL_INVALID" },
      },
    ],
  });
  const missing = await server.graphql(query);
  expect([missing.status, missing.body.errors[0].message]).toEqual([
    400,
    '1:8: Variable "$n" of required type "Int!" was not provided.',
  ]);
  expect(errorLines).toEqual([]);
});

it.each([[{ toString: 1 }], [{ toString: null }], [["Query"]], [7], [null]])(
  "a type that is asked for by %j is refused as a variable",
  async (n) => {
    const query = "query ($n: String!) { __type(name: $n) { name } }";
    const answer = await server.graphql(query, { variables: { n } });
    expect([answer.status, answer.body.errors]).toMatchObject([
      400,
      [{ extensions: { code: "GRAPHQL_INVALID" }, message: expect.stringContaining('Variable "$n"') }],
    ]);
    expect(errorLines).toEqual([]);
  },
);

it("a cursor that is none, or is of another order, is the caller's", async () => {
  const page = (more: string) =>
    server.graphql(`{ allMarketplaceProducts(first: 2, ${more}) { edges { cursor } } }`, { as: "operator" });
  const first = await page("orderBy: NAME_ASC");
  const { cursor } = first.body.data.allMarketplaceProducts.edges[1];
  expect((await page(`orderBy: NAME_ASC, after: "${cursor}"`)).body.errors).toBeUndefined();
  for (const [more, message] of [
    ['after: "abc"', "Invalid cursor, please enter a cursor from a previous request, or null."],
    [
      `orderBy: UPDATED_AT_ASC, after: "${cursor}"`,
      "Invalid 'after' cursor - a cursor is only valid within a specific ordering, if you change the order then you'll need different cursors.",
    ],
  ] as const) {
    const answer = await page(more);
    expect(answer.body.errors, answer.text).toMatchObject([
      { message, extensions: { code: "GRAPHQL_INVALID" } },
    ]);
    expect(answer.text).not.toMatch(/select|unit_key|at .*\.[jt]s/);
  }
  expect(errorLines).toEqual([]);
});
