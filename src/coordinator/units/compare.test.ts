import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareFields } from "./compare.ts";

const fieldsOf = (environment: object, other: object) => compareFields(environment, other, 100).fields;

describe("compareFields", () => {
  it.each([
    ["nothing", { a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, []],
    ["a value", { a: { b: 1 } }, { a: { b: 2 } }, [{ field: "/a/b", environment: 1, otherEnvironment: 2 }]],
    [
      "a field of one side",
      { a: 1 },
      { b: null },
      [
        { field: "/a", environment: 1 },
        { field: "/b", otherEnvironment: null },
      ],
    ],
    [
      "a list, place by place",
      { a: [1, 2] },
      { a: [1, 3, 4] },
      [
        { field: "/a/1", environment: 2, otherEnvironment: 3 },
        { field: "/a/2", otherEnvironment: 4 },
      ],
    ],
    [
      "a list that became a map",
      { a: [] },
      { a: {} },
      [{ field: "/a", environment: [], otherEnvironment: {} }],
    ],
    [
      "odd names",
      { "a/b": { "~": 1 } },
      { "a/b": { "~": 2 } },
      [{ field: "/a~1b/~0", environment: 1, otherEnvironment: 2 }],
    ],
    ["inherited names", {}, { constructor: 1 }, [{ field: "/constructor", otherEnvironment: 1 }]],
  ])("tells %s", (...[, environment, other, fields]) => {
    expect(fieldsOf(environment, other)).toEqual(fields);
  });

  it.each([
    "password",
    "dbPassword",
    "client_secret",
    "apiKey",
    "api-key",
    "accessToken",
    "privateKey",
    "connectionString",
    "credentials",
  ])("masks what stands under %s", (name) => {
    expect(fieldsOf({ [name]: "hush" }, { [name]: "hush hush" })).toEqual([
      { field: `/${name}`, environment: "***", otherEnvironment: "***" },
    ]);
    expect(
      JSON.stringify(fieldsOf({ a: { [name]: { deep: "hush" } } }, { a: { [name]: { deep: 1 } } })),
    ).not.toContain("hush");
    expect(JSON.stringify(fieldsOf({}, { a: [{ [name]: "hush" }] }))).not.toContain("hush");
  });

  it("masks credentials inside texts", () => {
    const other = { url: "postgres://ada:hush@db/x", jdbc: "jdbc:x://db;user=ada;password=hush;ssl=1" };
    expect(fieldsOf({}, other)).toEqual([
      { field: "/url", otherEnvironment: "postgres://***@db/x" },
      { field: "/jdbc", otherEnvironment: "jdbc:x://db;user=ada;password=***;ssl=1" },
    ]);
  });

  it("cuts long values and long lists of differences", () => {
    const [long] = fieldsOf({}, { a: "x".repeat(10_000) });
    expect(long?.otherEnvironment).toHaveLength(4_097);
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, n]));
    expect(compareFields({}, many, 8)).toMatchObject({ fields: { length: 8 }, hasMore: true });
    expect(compareFields({}, many, 9)).toMatchObject({ fields: { length: 9 }, hasMore: false });
  });

  it("finds something exactly where there is a difference, and the same from either side", () => {
    const json = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(json, json, (left, right) => {
        const [one, other] = [JSON.parse(JSON.stringify(left)), JSON.parse(JSON.stringify(right))];
        const fields = compareFields(one, other, 10_000).fields;
        expect(
          compareFields(other, one, 10_000)
            .fields.map(({ field }) => field)
            .toSorted(),
        ).toEqual(fields.map(({ field }) => field).toSorted());
        expect(compareFields(one, structuredClone(one), 10).fields).toEqual([]);
        const isEqual = canonical(one) === canonical(other);
        expect(fields.length === 0).toBe(isEqual);
      }),
    );
  });
});

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
