/** The pure readers: names, types, and the first look at SQL. */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  fitName,
  identifierProblems,
  quote,
  quoteLiteral,
  relationNameProblems,
  roleNameFor,
  schemaNameProblems,
} from "./identifiers.ts";
import { readWorkloadSql } from "./sql-text.ts";
import { canWiden, contractTypeOf, postgresTypeOf } from "./types.ts";

test("names: length in bytes, reserved schemas, control characters, the adapter's own endings", () => {
  const wrong = (value: unknown): number => identifierProblems(value, "/x").length;
  expect(["a", "ä".repeat(31), 'a"b', "select"].map(wrong)).toEqual([0, 0, 0, 0]);
  expect([undefined, "", "ä".repeat(32), " a", "a\0b", "a\n", 5, "\ud800"].map(wrong)).toEqual([
    1, 1, 1, 1, 1, 1, 1, 1,
  ]);
  expect(
    ["pg_x", "PG_X", "information_schema", "plinth_adapter"].map((s) => schemaNameProblems(s, "").length),
  ).toEqual([1, 1, 1, 1]);
  expect(["t__kept_1", "t__stage", "t__kept_x"].map((s) => relationNameProblems(s, "").length)).toEqual([
    1, 1, 0,
  ]);
});

test("quoting", () => {
  expect(quote('a"b')).toBe('"a""b"');
  expect(quoteLiteral("it's")).toBe("'it''s'");
  expect(quoteLiteral("a\\'b")).toBe("E'a\\\\''b'");
});

test("a role's name is the reference itself when that is harmless, and never shared", () => {
  expect(roleNameFor("user:default/ada.l@x-y.org")).toBe("user:default/ada.l@x-y.org");
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 90 }),
      fc.string({ unit: "binary", maxLength: 90 }),
      (a, b) => {
        expect(Buffer.byteLength(roleNameFor(a))).toBeLessThanOrEqual(63);
        expect(roleNameFor(a) === roleNameFor(b)).toBe(a === b);
        expect(Buffer.byteLength(fitName(a, "__kept_12"))).toBeLessThanOrEqual(63);
      },
    ),
  );
});

const types: Array<[object, string]> = [
  [{ dataType: "string" }, "text"],
  [{ dataType: "Double  Precision" }, "double precision"],
  [{ dataType: "VARCHAR", dataLength: 10 }, "character varying(10)"],
  [{ dataType: "VARCHAR" }, "character varying"],
  [{ dataType: "CHAR" }, "character(1)"],
  [{ dataType: "DECIMAL", precision: 10, scale: 2 }, "numeric(10,2)"],
  [{ dataType: "DECIMAL", precision: 10 }, "numeric(10,0)"],
  [{ dataType: "NUMBER" }, "numeric"],
  [{ dataType: "ARRAY", arrayDataType: "INT" }, "integer[]"],
  [{ dataType: "TIMESTAMP" }, "timestamp without time zone"],
];
test.each(types)("%j is %s and comes back", (column, type) => {
  expect(postgresTypeOf({ ...column }, "")).toEqual({ type });
  const back = contractTypeOf(type);
  expect(back.exact).toBe(true);
  expect(postgresTypeOf(back.column, "")).toEqual({ type });
});

test.each([
  { dataType: "STRUCT" },
  {},
  { dataType: "VARCHAR", dataLength: -1 },
  { dataType: "VARCHAR", dataLength: "10" },
  { dataType: "DECIMAL", scale: 2 },
  { dataType: "DECIMAL", precision: 3, scale: 4 },
  { dataType: "ARRAY" },
  { dataType: "ARRAY", arrayDataType: "ARRAY" },
])("%j is refused", (column) => {
  expect(postgresTypeOf(column, "/c")).toMatchObject({
    problems: [{ where: expect.stringMatching(/^\/c\//) }],
  });
});

const typeNames = [
  "smallint",
  "integer",
  "bigint",
  "real",
  "double precision",
  "numeric",
  "text",
  "character varying",
  "boolean",
];
const anyType = fc.oneof(
  fc.constantFrom(...typeNames),
  fc.integer({ min: 1, max: 20 }).map((n) => `character varying(${n})`),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 }))
    .map(([p, s]) => `numeric(${p},${Math.min(p, s)})`),
);

test("widening is reflexive and transitive, and never goes both ways between different types but text's", () => {
  fc.assert(
    fc.property(anyType, anyType, anyType, (a, b, c) => {
      expect(canWiden(a, a)).toBe(true);
      if (canWiden(a, b) && canWiden(b, c)) expect(canWiden(a, c)).toBe(true);
      const textual = ["text", "character varying"];
      if (a !== b && canWiden(a, b) && !textual.includes(a)) expect(canWiden(b, a)).toBe(false);
    }),
    { numRuns: 2000 },
  );
  expect(canWiden("numeric(5,2)", "numeric(5,3)")).toBe(false);
  expect(canWiden("numeric(5,2)", "numeric(6,3)")).toBe(true);
  expect(canWiden("bigint", "double precision")).toBe(false);
});

const good: Array<[string, object]> = [
  ["SELECT 1;", { query: "SELECT 1", offset: 0 }],
  [
    "  -- hello ; \n/* a /* b */ ; */ with x as (select ';') select * from x ; ;",
    { query: "with x as (select ';') select * from x" },
  ],
  ["select $a$ ; ' ) $a$, E'\\' ; ', \"a;\"\"b\"", { offset: 0 }],
  [
    "insert into t select 1",
    { query: "select 1", offset: 14, insert: { target: { name: "t" }, columns: undefined } },
  ],
  [
    'INSERT INTO S."Tä" (a, "B") (SELECT 1, 2)',
    { query: "(SELECT 1, 2)", insert: { target: { schema: "s", name: "Tä" }, columns: ["a", "B"] } },
  ],
  ["insert into t (select 1)", { query: "(select 1)", insert: { columns: undefined } }],
  ["VALUES (1)", {}],
];
test.each(good)("SQL that may be tried: %s", (text, expected) => {
  expect(readWorkloadSql(text)).toMatchObject(expected);
});

test.each([
  ["", "no statement"],
  [" ; -- x", "no statement"],
  ["select 1; select 2", "more than one"],
  ["select 1)", "did not open"],
  ["select (1", "does not close"],
  ["select 'a", "quote"],
  ["select 1 /* a", "comment"],
  ["delete from t", "must be one SELECT"],
  ["insert into t default values", "must be one SELECT"],
  ["insert into a.b.c select 1", "schema.table"],
  ["insert t select 1", "INSERT INTO"],
])("SQL that is refused at once: %s", (text, problem) => {
  expect(readWorkloadSql(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test("reading SQL ends on any text, and what it takes as the query is part of it", () => {
  const piece = fc.constantFrom(
    "select ",
    "1",
    "(",
    ")",
    ";",
    "'",
    '"',
    "$$",
    "$a$",
    "--",
    "\n",
    "/*",
    "*/",
    "E'",
    "\\",
    "insert into t",
    "é",
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      (text) => {
        const read = readWorkloadSql(text);
        if ("query" in read)
          expect(text.slice(read.offset, read.offset + read.query.length)).toBe(read.query);
      },
    ),
    { numRuns: 3000 },
  );
});
