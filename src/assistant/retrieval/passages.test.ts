import fc from "fast-check";
import { expect, it } from "vitest";
import { longestPassage, maxPassages, pagePassages, piecesOf } from "./passages.ts";

it("a page comes apart at its headings, each with the way to it", () => {
  const page =
    "<!-- made -->\n# Tides\n\nHigh and low.\n\n## When `it` turns\n\nAt noon.\n\n```sh\n# no heading\n```\n";
  expect(pagePassages("docs/tides.md", page)).toEqual([
    { title: "Tides", text: "High and low.", reference: "docs/tides.md" },
    {
      title: "Tides › When `it` turns",
      text: "At noon.\n\n```sh\n# no heading\n```",
      reference: "docs/tides.md#when-it-turns",
    },
  ]);
});

it("headings next to each other and skipped levels lose nothing", () => {
  const titles = pagePassages("a.md", "before\n# A\n### C\nx\n## B\ny").map(({ title }) => title);
  expect(titles).toEqual(["a.md", "A › C", "A › B"]);
});

it("a long text is cut between paragraphs, else between words", () => {
  expect(piecesOf("one two.\n\nthree four", 12)).toEqual(["one two.", "three four"]);
  expect(piecesOf("alpha beta gamma", 11)).toEqual(["alpha beta", "gamma"]);
  expect(piecesOf("x".repeat(25), 10)).toEqual(["x".repeat(10), "x".repeat(10), "xxxxx"]);
});

it("pieces are never too long or too many, and lose only the end of what is too long", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 4, max: 60 }), (text, longest) => {
      const pieces = piecesOf(text, longest);
      expect(pieces.every((piece) => piece.length <= longest && piece.length > 0)).toBe(true);
      expect(pieces.join("").replaceAll(/\s/g, "")).toBe(
        pieces.length < maxPassages ? text.replaceAll(/\s/g, "") : expect.any(String),
      );
    }),
  );
  expect(piecesOf("y".repeat(longestPassage * 200))).toHaveLength(maxPassages);
});

it("a page is indexed to its last section", () => {
  const sections = Array.from({ length: 3 * maxPassages }, (_, at) => `## Section ${String(at)}\nx`);
  expect(pagePassages("a.md", ["# A", ...sections].join("\n"))).toHaveLength(sections.length);
});
