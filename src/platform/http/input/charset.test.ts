import { expect, it } from "vitest";
import { foreignCharset } from "./charset.ts";

it.each([
  ["application/json", undefined],
  ["application/json; charset=utf-8", undefined],
  ["application/json;charset=UTF-8", undefined],
  ['application/json; charset="utf-8"', undefined],
  ["application/json; Charset=utf8; q=1", undefined],
  ["multipart/form-data; boundary=charset", undefined],
  ['multipart/form-data; boundary="; charset=latin1"', undefined],
  ["application/json; charset=iso-8859-1", "iso-8859-1"],
  ['application/json; charset="UTF-16"', "UTF-16"],
  ["application/json ;\tCHARSET = utf-16le", "utf-16le"],
  ["application/json; charset=utf-8; charset=latin1", "latin1"],
  ["application/json; charset=", ""],
  ["application/json; charset=us-ascii", "us-ascii"],
  ["application/json; charset='utf-8'", "'utf-8'"],
  ['multipart/form-data; boundary="x"; charset=latin1', "latin1"],
])("in %s it is %s", (type, expected) => {
  expect(foreignCharset(type)).toBe(expected);
});
