/** Pages of a log: the array of the interface, and a Link header where there is more. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { storeManyLines, storeOperations } from "../support/stored-history.ts";
import { startWholeServer, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
const plan = "plan:1/ä";
const path = `/v1/logs/${encodeURIComponent(plan)}`;

beforeAll(async () => {
  server = await startWholeServer({ workers: "off" });
  const { db } = server.db.database;
  const startTime = "2026-11-21T08:00:00.000Z";
  await storeOperations(db, [
    { id: plan, unitId: "urn:a", environment: "development", status: "SUCCEEDED", startTime },
  ]);
  await storeManyLines(db, plan, 12_000);
  await storeManyLines(db, "another", 100);
});
afterAll(() => server.close());

/** The answer and those that its Link headers lead to. */
async function follow(query: string): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let next: string | null = path + query; next !== null;) {
    const page: Answer = await server.coordinator({ path: next });
    pages.push(page);
    const link = page.headers.get("link");
    if (link !== null)
      expect(link).toMatch(/^<\/api\/coordinator\/v1\/logs\/plan%3A1%2F%C3%A4\?.*>; rel="next"$/);
    next = link === null ? null : link.slice("</api/coordinator".length, -'>; rel="next"'.length);
  }
  return pages;
}

const linesOf = (pages: Answer[]): string[] =>
  pages.flatMap(({ body }) => body.map((line: any) => line.message));

const numbers = (fits: (n: number) => boolean): string[] =>
  Array.from({ length: 12_000 }, (_, index) => index + 1)
    .filter(fits)
    .map((n) => `line ${n}`);

it("holds a whole log of usual length, and ten thousand lines of a longer one", async () => {
  const pages = await follow("");
  expect(pages.map(({ body }) => body.length)).toEqual([10_000, 2_000]);
  expect(linesOf(pages)).toEqual(numbers(() => true));
});

it.each([
  ["?limit=5000", [5_000, 5_000, 2_000], () => true],
  ["?level=WARNING&limit=50", [50, 50, 20], (n: number) => n % 100 === 0],
  ["?level=ERROR&limit=6", [6, 6], (n: number) => n % 1_000 === 0],
  ["?level=ERROR", [12], (n: number) => n % 1_000 === 0],
  ["?task_id=provision%3Apart-7&limit=5", [5, 5, 2], (n: number) => n % 1_000 === 7],
  ["?level=ERROR&task_id=provision%3Apart-7", [0], () => false],
] as const)("%s", async (query, sizes, fits) => {
  const pages = await follow(query);
  expect(pages.map(({ body }) => body.length)).toEqual(sizes);
  expect(linesOf(pages)).toEqual(numbers(fits));
});

it("goes on after the last line without repeating it", async () => {
  const [first] = await follow("?level=ERROR&limit=1");
  const link = first?.headers.get("link") ?? "";
  const after = /after=(\d+)/.exec(link)?.[1];
  const { body } = await server.coordinator({ path: `${path}?level=ERROR&limit=1&after=${after}` });
  expect([first?.body[0].message, body[0].message]).toEqual(["line 1000", "line 2000"]);
});
