import { describe, expect, it } from "vitest";
import { parseParts, splitDocuments } from "./yaml-documents.ts";

describe("splitDocuments", () => {
  it.each<[string, string, [string, number][]]>([
    ["one document", "a: 1\nb: 2\n", [["a: 1\nb: 2\n", 0]]],
    [
      "three, each with its lines before it",
      "a: 1\n---\nb: 2\n\n--- # c\nc: 3",
      [
        ["a: 1\n", 0],
        ["---\nb: 2\n\n", 1],
        ["--- # c\nc: 3", 4],
      ],
    ],
    ["dashes that separate nothing", "a: ---x\nb: |\n  ---\n----\n", [["a: ---x\nb: |\n  ---\n----\n", 0]]],
    [
      "line ends of other systems",
      "a: 1\r\n---\r\nb: 2",
      [
        ["a: 1\r\n", 0],
        ["---\r\nb: 2", 1],
      ],
    ],
  ])("%s", (_case, text, parts) => {
    expect(splitDocuments(text).map(({ text: part, line }) => [part, line])).toEqual(parts);
  });
});

describe("parseParts", () => {
  it("leaves a sound text in one part", () => {
    expect(parseParts("a: 1\n---\nb: 2", { file: "f" })).toMatchObject([
      { line: 0, values: [{ a: 1 }, { b: 2 }], problem: null },
    ]);
  });

  it("keeps the documents beside a broken one, and tells its line", () => {
    const parts = parseParts("a: 1\n---\nb: [\nc: 1\n---\nd: 2\n", { file: "f", linesCut: 10 });
    expect(parts.map(({ values }) => values)).toEqual([[{ a: 1 }], [], [{ d: 2 }]]);
    expect(parts.map(({ problem }) => problem?.where)).toEqual([undefined, "f:13:4", undefined]);
  });

  it("finds the lines of a template that has as many", () => {
    const parts = parseParts("a: 1\n---\nb: x\nb: y\n", {
      file: "f",
      template: "a: ${{ one }}\n---\nb: ${{ x }}\nb: ${{ y }}\n",
    });
    expect(parts[1]?.problem).toEqual({ where: "f:4:1", message: "YAML: duplicated mapping key." });
  });
});
