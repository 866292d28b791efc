import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFilters, pickFields, queryTexts } from "./filter.ts";

it.each([
  [
    ["kind=A,spec.type=B"],
    [
      [
        { key: "kind", values: ["a"] },
        { key: "spec.type", values: ["b"] },
      ],
    ],
  ],
  [
    ["a=1,a=2", "b"],
    [[{ key: "a", values: ["1", "2"] }], [{ key: "b", values: null }]],
  ],
  [["a=b=c", " , "], [[{ key: "a", values: ["b=c"] }]]],
  [["a="], [[{ key: "a", values: [""] }]]],
  [["=a"], null],
  [Array.from({ length: 51 }, () => "a"), null],
])("%j", (texts, filter) => {
  expect(parseFilters(texts)).toEqual(filter);
});

it.each([
  ["/x?filter=a%3Db,c&filter=d+e", ["a=b,c", "d e"]],
  ["/x", []],
  ["/x?filter", [""]],
  ["/x?filter=%zz", null],
])("the filters of %s", (url, texts) => {
  expect(queryTexts(url, "filter")).toEqual(texts);
});

describe("picked fields", () => {
  it("follow keys with dots in them", () => {
    const entity = { a: { "x.y/z": { b: 1, c: 2 }, d: 3 }, e: [1] };
    expect(pickFields(entity, ["a.x.y/z.b", "e", "none", "a.d.f"])).toEqual({
      a: { "x.y/z": { b: 1 } },
      e: [1],
    });
  });

  it("are a part of the entity, whatever is asked for", () => {
    fc.assert(
      fc.property(fc.object(), fc.array(fc.string()), (entity, fields) => {
        expect(entity).toMatchObject(pickFields(entity, fields));
      }),
    );
  });
});
