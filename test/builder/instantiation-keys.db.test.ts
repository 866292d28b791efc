/** A start of a template that is sent again under the same key. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { startBuilder, type BuilderFixture } from "./builder-fixture.ts";

let fixture: BuilderFixture;

beforeAll(async () => {
  fixture = await startBuilder({ idle: true });
  fixture.addTemplate("boat", {
    parameters: { properties: { name: { type: "string" }, crew: { type: "integer", default: 2 } } },
    steps: [{ id: "say", action: "debug:log", input: { message: "${{ parameters.name }}" } }],
  });
});

afterAll(() => fixture.close());

const templateRef = "template:default/boat";
const start = (key: string, body: object = { templateRef, values: { name: "a" } }, as = "developer:ada") =>
  fixture.call({
    method: "POST",
    path: "/api/builder/templates/instantiate",
    body,
    headers: { "idempotency-key": key },
    as,
  });
const rowsOf = async (ids: string[]): Promise<{ tasks: number; audits: number }> => {
  const subjects = ids.map((id) => `instantiation:${id}`);
  const { rows } = await sql<{ tasks: number; audits: number }>`select
    (select count(*)::int from instantiations where id = any(${ids}::uuid[])) as tasks,
    (select count(*)::int from audit where subject = any(${subjects}::text[])) as audits`.execute(
    fixture.db.database.db,
  );
  return rows[0]!;
};

it("starts one task, though a hundred come at once, and audits it once", async () => {
  const { rows: before } = await sql<{ count: number }>`select count(*)::int as count from audit`.execute(
    fixture.db.database.db,
  );
  const answers = await Promise.all(Array.from({ length: 100 }, () => start("crowd")));
  const ids = new Set(answers.map(({ status, body }) => `${status} ${body.id}`));
  expect(ids.size).toBe(1);
  const id = answers[0]!.body.id as string;
  expect(await rowsOf([id])).toEqual({ tasks: 1, audits: 1 });
  const { rows: after } = await sql<{ count: number }>`select count(*)::int as count from audit`.execute(
    fixture.db.database.db,
  );
  expect(after[0]!.count - before[0]!.count).toBe(1);
});

it("is a key of its caller alone", async () => {
  const ids = [
    await start("mine"),
    await start("mine", undefined, "developer:bob"),
    await start("other"),
  ].map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(3);
});

it("also for clients of the Backstage scaffolder", async () => {
  const first = await start("both");
  const again = await fixture.call({
    method: "POST",
    path: "/api/scaffolder/v2/tasks",
    body: { values: { name: "a" }, templateRef },
    headers: { "idempotency-key": "both" },
    as: "developer:ada",
  });
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
});

it.each([
  ["other values", { templateRef, values: { name: "b" } }],
  ["a default in words", { templateRef, values: { name: "a", crew: 2 } }],
  ["another secret", { templateRef, values: { name: "a" }, secrets: { token: "2" } }],
])("is refused for %s", async (about, other) => {
  const key = about.replaceAll(" ", "-");
  await start(key, { templateRef, values: { name: "a" }, secrets: { token: "1" } });
  const answer = await start(key, other);
  expect([answer.status, answer.body.error.code]).toEqual([409, "BUILDER_IDEMPOTENCY_KEY_REUSED"]);
});

it("leaves no trace of a request that was refused", async () => {
  expect((await start("mended", { templateRef, values: { name: 1 } })).status).toBe(400);
  expect((await start("mended")).status).toBe(200);
});

it("is refused when it is none", async () => {
  const answer = await start("k".repeat(256));
  expect([answer.status, answer.body.error.problems[0].where]).toEqual([400, "idempotency-key"]);
});

it("keeps nothing that secrets could be found by", async () => {
  const { body } = await start("sealed", { templateRef, values: { name: "a" }, secrets: { pin: "1234" } });
  const { rows } = await sql<{
    hash: string;
  }>`select body_hash as hash from instantiations where id = ${body.id}`.execute(fixture.db.database.db);
  const pairs = [
    ["secrets", [["pin", "1234"]]],
    ["templateRef", templateRef],
    ["values", [["name", "a"]]],
  ];
  const guessed = createHash("sha256").update(JSON.stringify(pairs)).digest("base64url");
  expect(rows[0]!.hash).toMatch(/^[\w-]{43}$/);
  expect(rows[0]!.hash).not.toBe(guessed);
});
