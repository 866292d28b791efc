/** In real threads: expressions and schemas that throw are broken, and those beside them are answered. */
import { afterAll, describe, expect, it } from "vitest";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { EngineJob, EngineSpec } from "./engine.ts";
import { createEngines } from "./engines.ts";
import { checkSchema } from "./json-schema.ts";

const engines = createEngines({
  outbound: {} as Outbound,
  threads: 1,
  stepTimeoutMs: 20_000,
  maxMemoryMb: 128,
  startLate: true,
});
afterAll(() => engines.close());

const { signal } = new AbortController();
const cel = (assert: string): EngineSpec => ({ engine: "cel", assert });
const schema = (value: unknown): EngineSpec => ({ engine: "json-schema", schema: value });

/** A key that is no key, and that can't be made a text. */
const noText = { toString: 1, valueOf: 1 };

describe("beside a policy that holds", () => {
  it.each<[string, EngineSpec, object, RegExp]>([
    ["a list without optional values", cel("resource.l.unwrapOpt() == []"), { l: [null] }, /optional/],
    ["a key without a text", cel("resource.m[resource.k] == 1"), { m: {}, k: noText }, /key/],
    ["a key in a list without a text", cel("resource.m[resource.k] == 1"), { m: {}, k: [noText] }, /key/],
    ["a schema that refers to itself", schema({ $ref: "#" }), {}, /./],
    ["an asynchronous schema", schema({ $async: true, type: "object", required: ["x"] }), {}, /\$async/],
  ])("%s is broken", async (_what, spec, resource, message) => {
    const inputs = [{ resource, environment: "development", resourceType: "storage", resourceId: "x" }];
    const jobs = [cel("true"), spec, cel("resource == resource")].map((each, at): EngineJob => ({
      key: JSON.stringify(each),
      kind: "policy",
      spec: each,
      input: 0,
      id: `${at}`,
    }));
    const outcomes = await engines.evaluate(inputs, jobs, signal);
    expect(outcomes).toEqual([
      { ok: true, satisfied: true, errors: [] },
      { ok: false, reason: "broken", message: expect.stringMatching(message) },
      { ok: true, satisfied: true, errors: [] },
    ]);
  });

  it("a selection is broken for the resource for which it throws", async () => {
    const about = (resource: object) => ({
      resource,
      environment: "development",
      resourceType: "storage",
      resourceId: "x",
    });
    const found = await engines.select(
      "resource.l.unwrapOpt() == []",
      [about({ l: [] }), about({ l: [null] }), about({ l: [] })],
      signal,
    );
    expect(found).toEqual([true, expect.objectContaining({ ok: false, reason: "broken" }), true]);
  });
});

describe("an asynchronous schema", () => {
  const asynchronous = { $async: true, type: "object" };
  it.each<[string, unknown]>([
    ["as a whole", asynchronous],
    ["of a property", { properties: { a: asynchronous } }],
    ["of a definition", { $ref: "#/$defs/a", $defs: { a: asynchronous } }],
    ["of an alternative", { anyOf: [{}, { items: asynchronous }] }],
    ["that says so with a number", { $async: 1 }],
  ])("%s is refused", (_what, value) => {
    expect(checkSchema(value)).toMatchObject([
      { path: "spec.schema", message: expect.stringContaining("$async") },
    ]);
  });

  it("is none where only a property or a value has the name", () => {
    expect(checkSchema({ properties: { $async: true }, required: ["$async"] })).toEqual([]);
    expect(checkSchema({ const: { $async: true } })).toEqual([]);
  });
});
