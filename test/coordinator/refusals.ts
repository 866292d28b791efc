/** Tables of requests that are refused, and what every refusal has in common. */
import { expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { Answer, Call, WholeServer } from "../support/server.ts";

/** `[case, request, status, code, field]`; the field is `inputErrorField`, a pointer or the name of a parameter. */
export type Refusal = [what: string, request: Call, status: number, code: string, field: string];

export const refusal =
  (status: number, code: string) =>
  (what: string, request: Call, field: string): Refusal => [what, request, status, code, field];

/** Of what the schema of the request refuses. */
export const input = refusal(400, "PLATFORM_INPUT");

/** Each refusal has the whole error object, says what to do, shows nothing of our insides and writes no row. */
export function testRefusals(server: () => WholeServer, rows: readonly Refusal[]): void {
  it.each(rows)("%s", async (...[, request, status, code, field]) => {
    const before = await countRows(server());
    const answer = await server().coordinator(request);
    expect({ status: answer.status, code: answer.body.code, field: answer.body.inputErrorField }).toEqual({
      status,
      code,
      field,
    });
    expectErrorObject(answer);
    expect(await countRows(server())).toEqual(before);
  });
}

const text = expect.any(String);
const texts = expect.toSatisfy(
  (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
);

/** The error object of the interface, literally. */
export function expectErrorObject(answer: Answer): void {
  expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.body).toEqual({
    errors: texts,
    code: text,
    userMessage: text,
    input: text,
    inputErrorField: text,
    moreInfo: { problems: texts, solutions: texts },
  });
  expect(answer.body.errors.length, "errors").toBeGreaterThan(0);
  expect(answer.body.moreInfo.solutions.length, "solutions").toBeGreaterThan(0);
  expect(answer.body.userMessage).not.toBe("");
  expect(answer.text).not.toMatch(
    /\/src\/|node_modules|\bat \w+ \(|select |insert |PostgreSQL error|undefined|\[object/,
  );
}

const tables = [
  "units",
  "unit_components",
  "execution_plans",
  "plan_tasks",
  "operations",
  "events",
  "audit",
  "acl_requests",
  "acls",
  "tech_adapters",
  "adapter_deployments",
  "idempotency_keys",
  "queued_starts",
];

/** How many rows each table has, the queue of jobs included, but for those that a clock sends. */
export async function countRows({ db }: WholeServer): Promise<Record<string, number>> {
  const parts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  const { rows } = await sql<Record<string, number>>`select ${sql.raw(parts.join(", "))},
    (select count(*) from cgp_jobs.job where name <> 'clean-up' and not starts_with(name, '__pgboss')) as jobs`.execute(
    db.database.db,
  );
  return rows[0] ?? {};
}
