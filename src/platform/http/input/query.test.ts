import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Type } from "typebox";
import { planParameters, readPath, readQuery } from "./query.ts";
import { Nullable } from "../schema.ts";

const plan = planParameters(
  Type.Object({
    limit: Type.Integer(),
    ratio: Type.Number(),
    deep: Type.Boolean(),
    name: Type.String(),
    env: Type.Array(Type.String()),
    ids: Nullable(Type.Array(Type.Integer())),
    on: Nullable(Type.Boolean()),
    after: Type.String({ format: "date-time" }),
  }),
);

const read = (text: string): Record<string, unknown> => readQuery(text, plan).values;
const refused = (text: string): [string, string][] =>
  readQuery(text, plan).problems.map(({ where, keyword }) => [where, keyword]);

describe("readQuery", () => {
  it.each<[string, object]>([
    ["", {}],
    ["limit=5", { limit: 5 }],
    ["limit=-5", { limit: -5 }],
    ["limit=0x10", { limit: "0x10" }],
    ["limit=%205", { limit: " 5" }],
    ["limit=", { limit: "" }],
    ["limit=1e400", { limit: "1e400" }],
    ["ratio=1.5e3", { ratio: 1500 }],
    ["deep=true&name=true", { deep: true, name: "true" }],
    ["deep=True", { deep: true }],
    ["deep=False", { deep: false }],
    ["deep=1", { deep: "1" }],
    ["deep=TRUE", { deep: "TRUE" }],
    ["name=a+b%2Bc", { name: "a b+c" }],
    ["name=a=b", { name: "a=b" }],
    ["name", { name: "" }],
    ["env=a,b&env=c", { env: ["a", "b", "c"] }],
    ["env=a%2Cb", { env: ["a", "b"] }],
    ["env=", { env: [] }],
    ["ids=1,x", { ids: [1, "x"] }],
    ["on=", { on: null }],
    ["unknown=1&limit=1", { limit: 1 }],
    ["%6Cimit=2", { limit: 2 }],
    ["after=2026-01-01T00:00:00+02:00", { after: "2026-01-01T00:00:00+02:00" }],
    ["__proto__=1&constructor=2", {}],
    ["&&limit=1&", { limit: 1 }],
  ])("reads %j", (text, expected) => {
    expect(readQuery(text, plan)).toEqual({ values: expected, problems: [] });
  });

  it.each<[string, [string, string][]]>([
    ["limit=1&limit=2", [["limit", "repeated"]]],
    ["name=%zz", [["name", "encoding"]]],
    ["name=%ff", [["name", "encoding"]]],
    ["%=1", [["%", "encoding"]]],
    ["name=%00", [["name", "text"]]],
    [
      "limit=1&limit=1&name=%zz&deep=%E0%A4%A",
      [
        ["limit", "repeated"],
        ["name", "encoding"],
        ["deep", "encoding"],
      ],
    ],
  ])("refuses %j with all problems", (text, expected) => {
    expect(refused(text)).toEqual(expected);
  });

  it("gives back any text that was encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(read(`name=${encodeURIComponent(name)}`)["name"]).toBe(name);
      }),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        readQuery(text, plan);
      }),
    );
  });
});

describe("readPath", () => {
  it("pairs the operation's names with the router's and refuses NUL", () => {
    const params = planParameters(Type.Object({ "unit-id": Type.String(), n: Type.Integer() }));
    const names = [
      ["unit-id", "p0"],
      ["n", "n"],
    ] as const;
    const texts: Record<string, string> = { p0: "urn:a:b\u0000", n: "7" };
    const { values, problems } = readPath((name) => texts[name] ?? "", names, params);
    expect(values).toEqual({ "unit-id": "urn:a:b\u0000", n: 7 });
    expect(problems.map(({ place, where }) => [place, where])).toEqual([["path", "unit-id"]]);
  });
});
