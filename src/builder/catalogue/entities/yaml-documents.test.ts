import { describe, expect, it } from "vitest";
import { parseParts, splitDocuments, splitText } from "./yaml-documents.ts";

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

describe("splitText", () => {
  const texts = [
    "",
    "a: 1",
    "a: 1\n---\nb: 2\n\n--- # c\nc: 3\n---",
    "---\n---\n---\n",
    "\n---\na: 1\n----\n--- \n\n\n---b\n---\tc\n",
    "a: 1\r\n---\r\nb: 2\r\n---\r\n",
    `a: ${"x".repeat(20)}\n---\nb: 2\n---\nc: ${"y".repeat(20)}\nd: 4\n---\n`,
    "\n----".repeat(10),
    `${"\n----".repeat(10)}\n---\na`,
  ];

  it.each(texts)("puts as many documents of %j into a part as fit", (text) => {
    for (let most = 1; most <= text.length + 1; most += 1) {
      const expected: { text: string; line: number }[] = [];
      for (const document of splitDocuments(text)) {
        const last = expected.at(-1);
        if (last !== undefined && last.text.length + document.text.length <= most) last.text += document.text;
        else expected.push({ ...document });
      }
      expect([...splitText(text, most)], `at most ${most}`).toEqual(expected);
    }
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
