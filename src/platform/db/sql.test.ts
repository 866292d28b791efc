import { describe, expect, it } from "vitest";
import { sql } from "./sql.ts";

describe("a template", () => {
  it("numbers its parameters in the order of the text, those of nested templates included", () => {
    const at = sql`unit = ${"u"} and environment = ${"prod"}`;
    const nested = sql`select * from (select ${1} from a where ${at}) x where ${at} limit ${2}`;
    expect(nested.compile()).toEqual({
      text:
        "select * from (select $1 from a where unit = $2 and environment = $3) x " +
        "where unit = $4 and environment = $5 limit $6",
      values: [1, "u", "prod", "u", "prod", 2],
    });
  });

  it("has the same text for other values, and each time", () => {
    const of = (n: number) => sql`select ${sql`${n} + ${n}`}`;
    const first = of(1);
    expect(of(2).compile().text).toBe(first.compile().text);
    expect(first.compile()).toEqual(first.compile());
  });

  it("takes nothing that a user gives as SQL", () => {
    const given = { text: "; drop table units", values: [], compile: () => ({ text: "x", values: [] }) };
    for (const value of ["'; drop table units", given, [given], () => "x"])
      expect(sql`select ${value}`.compile()).toEqual({ text: "select $1", values: [value] });
  });

  it("gives the driver each value as it is", () => {
    const all = [undefined, null, 0, true, new Date(0), Buffer.from("b"), ["a", null], { a: 1 }];
    expect(sql`select ${sql.join(all)}`.compile().values).toEqual(all);
  });

  it("leaves backslashes to escapes of JavaScript, as templates do", () => {
    expect(sql`select '\\d' ${1}`.compile().text).toBe(String.raw`select '\d' $1`);
  });
});

describe("join", () => {
  it("puts values and SQL one after the other", () => {
    const conditions = [sql`a = ${1}`, sql`b`, sql`c = ${2}`];
    expect(sql`where ${sql.join(conditions, sql` and `)} or d = ${3}`.compile()).toEqual({
      text: "where a = $1 and b and c = $2 or d = $3",
      values: [1, 2, 3],
    });
    expect(sql`in (${sql.join(["x", sql`y`])})`.compile()).toEqual({ text: "in ($1, y)", values: ["x"] });
  });

  it("of one part has no separator, and of none is nothing", () => {
    expect(sql`(${sql.join([1])})`.compile().text).toBe("($1)");
    expect(sql`(${sql.join([])}) ${2}`.compile()).toEqual({ text: "() $1", values: [2] });
  });
});

describe("a name or a constant in the text", () => {
  it.each([
    ["units", '"units"'],
    ["cgp.units", '"cgp"."units"'],
    ["cgp . units.id", '"cgp"."units"."id"'],
    ['a"; drop table units; --', '"a""; drop table units; --"'],
    ['a".b"', '"a"""."b"""'],
  ])("is quoted: ref %s", (name, text) => {
    expect(sql.ref(name).compile()).toEqual({ text, values: [] });
  });

  it("has at most three parts", () => {
    expect(() => sql.ref("a.b.c.d")).toThrow("no name of a table or column");
  });

  it.each([
    ["it's", "'it''s'"],
    ["'; drop table units; --", "'''; drop table units; --'"],
    // PostgreSQL reads the two forms alike, whatever standard_conforming_strings says.
    [String.raw`\' or 1=1`, String.raw` E'\\'' or 1=1'`],
    [42, "42"],
    [-1.5, "-1.5"],
  ])("is a constant: lit %s", (value, text) => {
    expect(sql.lit(value).compile()).toEqual({ text, values: [] });
  });

  it("is no number that PostgreSQL would read as a name", () => {
    for (const value of [NaN, Infinity]) expect(() => sql.lit(value)).toThrow("no constant in SQL");
  });

  it("is taken as it is where it is raw", () => {
    expect(sql`select ${sql.raw("now() -- $1")} ${1}`.compile().text).toBe("select now() -- $1 $1");
  });
});
