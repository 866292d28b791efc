import { describe, expect, it } from "vitest";
import { hasTemplateMarks, readEntityText } from "./expressions.ts";

const read = (text: string | Uint8Array) =>
  readEntityText(typeof text === "string" ? Buffer.from(text) : text, "a/b.yaml");

describe("readEntityText", () => {
  it.each([
    ["plain", "kind: System\n", { text: "kind: System\n", skeleton: false, linesCut: 0 }],
    ["skeleton", "%SKELETON\nkind: X\n", { text: "kind: X\n", skeleton: true, linesCut: 1 }],
    [
      "skeleton with BOM and CRLF",
      "\uFEFF%SKELETON\r\nkind: X\r\n",
      { text: "kind: X\r\n", skeleton: true, linesCut: 1 },
    ],
    [
      "skeleton with trailing blanks",
      "%SKELETON  \nkind: X",
      { text: "kind: X", skeleton: true, linesCut: 1 },
    ],
    ["only the marker", "%SKELETON", { text: "", skeleton: true, linesCut: 1 }],
    [
      "the marker further down",
      "a: 1\n%SKELETON\n",
      { text: "a: 1\n%SKELETON\n", skeleton: false, linesCut: 0 },
    ],
    ["a longer word", "%SKELETONS\n", { text: "%SKELETONS\n", skeleton: false, linesCut: 0 }],
  ])("%s", (_case, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("refuses what is not UTF-8", () => {
    expect(read(Buffer.from([0x61, 0xff, 0xfe]))).toMatchObject({
      where: "a/b.yaml",
      message: "The file is not UTF-8 text.",
    });
  });
});

it.each([
  ["${{ a }}", true],
  ["{% if a %}", true],
  ["{# a #}", true],
  ["{{ a }} $x {a: 1}", false],
])("hasTemplateMarks(%s) is %s", (text, expected) => {
  expect(hasTemplateMarks(text)).toBe(expected);
});
