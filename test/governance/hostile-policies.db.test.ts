/** Policies that are made to break what reads them: each is stored or refused with the place, in time, and evaluated within limits. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectErrorObject } from "../coordinator/refusals.ts";
import { startWholeServer, until, type Answer, type WholeServer } from "../support/server.ts";

let server: WholeServer;
beforeAll(async () => {
  server = await startWholeServer();
});
afterAll(() => server.close());

const named = { name: "Named", engine: "cel", spec: { assert: "true" } };
const post = (path: string, body: unknown): Promise<Answer> =>
  server.governance({ method: "POST", path, body });
const cel = (assert: string): object => ({ ...named, spec: { assert } });
const schema = (value: unknown): object => ({ ...named, engine: "json-schema", spec: { schema: value } });

/** `{"not": {"not": …}}`. */
const deep = (depth: number): unknown => JSON.parse(`${'{"not":'.repeat(depth)}{}${"}".repeat(depth)}`);

describe("a spec is refused with its place", () => {
  it.each<[string, object, RegExp]>([
    ["of nested brackets without an end", cel("(".repeat(20_000)), /^\/spec\/assert/],
    ["of nested brackets", cel(`${"(".repeat(20_000)}true${")".repeat(20_000)}`), /^\/spec\/assert/],
    ["of nested lists", cel(`${"[".repeat(20_000)}${"]".repeat(20_000)} == []`), /^\/spec\/assert/],
    ["that is longer than the limit", cel(`'${"a".repeat(70_000)}' == ''`), /^\/spec\/assert/],
    ["that is no expression", cel("🙂 ≠ 🙃"), /^\/spec\/assert/],
    ["of another language", cel("process.exit(1)"), /^\/spec\/assert/],
    ["with a function that is none", cel("resource.name.shout()"), /^\/spec\/assert/],
    ["with a regular expression that is none", cel("resource.name.matches('(')"), /^\/spec\/assert/],
    ["of blanks", cel("   "), /^\/spec\/assert/],
    ["without a spec", { ...named, spec: {} }, /^\/spec/],
    ["with more than it has", { ...named, spec: { assert: "true", other: 1 } }, /^\/spec/],
    ["that is a number", { ...named, spec: { assert: 1 } }, /^\/spec\/assert/],
    ["whose schema refers to elsewhere", schema({ $ref: "http://127.0.0.1:1/x.json" }), /^\/spec\/schema/],
    ["whose schema refers to nothing", schema({ $ref: "#/$defs/none" }), /^\/spec\/schema/],
    ["whose schema has a pattern that is none", schema({ pattern: "(" }), /^\/spec\/schema/],
    ["whose schema is nested without end", schema(deep(3_000)), /^(\/spec\/schema)?/],
    ["at an address that is none", { ...named, engine: "remote", spec: { url: "engine" } }, /^\/spec\/url/],
    ["at a file", { ...named, engine: "remote", spec: { url: "file:///etc/passwd" } }, /^\/spec\/url/],
    ["at metadata", { ...named, engine: "remote", spec: { url: "http://169.254.169.254/" } }, /^\/spec\/url/],
    ["of an engine that is not there", { ...named, engine: "cue", spec: { script: "a: int" } }, /^\/engine/],
  ])("%s", async (_what, body, where) => {
    const answer = await post("/policies", body);
    expect(answer.status, answer.text.slice(0, 500)).toBe(400);
    expectErrorObject(answer);
    expect(answer.body.inputErrorField).toMatch(where);
    expect(answer.text.length).toBeLessThan(100_000);
  });
});

it.each<[string, object]>([
  ["a character 0 in its name", { ...named, name: "a\u0000b" }],
  ["a character 0 in its expression", cel("resource.name == 'a\u0000'")],
  ["half a character in its name", { ...named, name: "a\ud800" }],
  ["half a character in a schema", schema({ const: "\udc00" })],
  ["a key of objects in its schema", schema(JSON.parse('{"properties": {"__proto__": {"type": "string"}}}'))],
  ["a very large number in its schema", schema(JSON.parse('{"maximum": 1e400}'))],
  [
    "an end of its range that is no number",
    { ...named, kind: "metric", thresholds: [{ label: "a", from: "x" }] },
  ],
  ["sixty-five tags", { ...named, tags: Array.from({ length: 65 }, () => "a") }],
])("one with %s is stored as it is sent or refused, and no defect", async (_what, body) => {
  const answer = await post("/policies", body);
  expect([201, 400], answer.text).toContain(answer.status);
  if (answer.status === 400) return expectErrorObject(answer);
  const { name, spec } = (await server.governance({ path: `/policies/${answer.body.id}` })).body;
  const sent = JSON.parse(JSON.stringify(body));
  expect({ name, spec }).toEqual({ name: sent.name, spec: sent.spec });
});

const numbers = Array.from({ length: 300 }, (_, n) => n);
it.each<[string, object, object]>([
  [
    "a pattern that backtracks",
    schema({ properties: { name: { pattern: "^(a+)+$" } } }),
    { name: `${"a".repeat(40)}b` },
  ],
  [
    "loops in loops",
    cel("resource.a.all(x, resource.a.all(y, resource.a.all(z, resource.a.all(w, x + y + z + w >= 0))))"),
    { a: numbers },
  ],
  [
    "lists of lists",
    cel("resource.a.map(x, resource.a.map(y, resource.a.map(z, [x, y, z, x, y, z]))) == []"),
    { a: numbers },
  ],
])("a trial of %s ends within its limits, and the server answers", async (_what, policy, more) => {
  const descriptor = { id: "urn:x", name: "x", components: [], ...more };
  const answer = await post("/policies/test", { policy, descriptor, environment: "development" });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.summary, answer.text).toMatchObject({ failed: 1 });
  expect(answer.body.results[0].result.errors[0].message).toMatch(/time|memory|limit/);
  expect((await server.governance({ path: "/policies" })).status).toBe(200);
});

it("a thousand enabled ones are evaluated for one resource, and those that it violates are found", async () => {
  const made = await post("/policies", { ...named, id: "kept", spec: { assert: "resource.size > 0" } });
  expect(made.status, made.text).toBe(201);
  const insert = (prefix: string, count: number, assert: string): Promise<unknown> =>
    server.db.database.pool.query(
      `with more as (select '${prefix}' || n as id from generate_series(1, ${count}) as n),
        copied as (insert into coordinator.policies select more.id, p.version, 'enabled', null, null, p.created_at,
          p.created_by, p.updated_at, p.updated_by from more, coordinator.policies p where p.id = 'kept' returning id)
      insert into coordinator.policy_versions select copied.id, 1, copied.id,
        jsonb_set(v.content, '{spec,assert}', to_jsonb($1::text)), v.created_at, v.created_by
        from copied, coordinator.policy_versions v where v.policy_id = 'kept'`,
      [assert],
    );
  await insert("held-", 997, "resource.size > 0");
  await insert("broken-", 3, "resource.size > 100");
  await server.db.database.pool.query("update coordinator.revisions set revision = revision + 1");
  const started = await post("/evaluate", {
    id: "urn:x:storage",
    environment: "development",
    resourceType: "storage",
    descriptor: { size: 5 },
  });
  expect(started.status, started.text).toBe(202);
  const report = await until(
    () => server.governance({ path: `/evaluation-reports/${started.body.reportId}` }),
    ({ body }) => body.status !== "pending",
  );
  expect(report.body.status, report.text.slice(0, 500)).toBe("completed");
  const outcomes = Object.groupBy(report.body.evaluationResults as any[], ({ outcome }) => outcome);
  expect(Object.fromEntries(Object.entries(outcomes).map(([name, all]) => [name, all?.length]))).toEqual({
    ok: 997,
    error: 3,
  });
});
