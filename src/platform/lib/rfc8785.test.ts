import { expect, test } from "vitest";
import { rfc8785 } from "./rfc8785.ts";

test.each([
  ["the order of keys", { b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
  ["keys that are numbers", { 9: 1, 10: 2, "1a": 3 }, '{"10":2,"1a":3,"9":1}'],
  ["keys by UTF-16 code units", { "\u{1f600}": 1, "\ufb33": 2 }, '{"\u{1f600}":1,"\ufb33":2}'],
  ["numbers as ECMAScript writes them", [1e21, 1.0, -0, 1e-7, 0.1], "[1e+21,1,0,1e-7,0.1]"],
  ["texts with as few escapes as there can be", '€\u000f\n"\\/\u2028', '"€\\u000f\\n\\"\\\\/\u2028"'],
  ["what is undefined", { a: undefined, b: [undefined] }, '{"b":[null]}'],
])("%s", (_case, value, text) => expect(rfc8785(value)).toBe(text));
