/** Pure: splits long texts into passages that one vector can represent. */
import type { Passage } from "../knowledge.ts";

/** Characters of one passage; fits embedders with 512 tokens. */
export const longestPassage = 1_500;
/** Passages of one record; further ones are not indexed. */
export const maxPassages = 100;

/** Pieces of a text, cut between paragraphs, else lines, sentences or words. */
export function piecesOf(text: string, longest = longestPassage): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > longest && pieces.length < maxPassages) {
    const head = rest.slice(0, longest);
    const least = longest / 2;
    const cut =
      ["\n\n", "\n", ". ", " "].map((mark) => head.lastIndexOf(mark)).find((at) => at >= least) ??
      longest - 1;
    pieces.push(
      rest
        .slice(0, cut + 1)
        .trim()
        .toWellFormed(),
    );
    rest = rest.slice(cut + 1).trim();
  }
  if (rest !== "" && pieces.length < maxPassages) pieces.push(rest.toWellFormed());
  return pieces;
}

interface Section {
  /** The headings from the title of the page to this one. */
  headings: string[];
  lines: string[];
}

/** Passages of a Markdown page by headings. `path` is the page's reference; sections below the title add an anchor. */
export function pagePassages(path: string, markdown: string): Passage[] {
  const sections: Section[] = [{ headings: [], lines: [] }];
  let isCode = false;
  for (const line of markdown.replaceAll(/<!--[\s\S]*?-->/g, "").split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const heading = isCode ? null : /^(#{1,6})\s+(.+?)\s*#*$/.exec(line);
    if (heading === null) sections.at(-1)?.lines.push(line);
    else {
      const above = sections.at(-1)?.headings.slice(0, (heading[1]?.length ?? 1) - 1) ?? [];
      sections.push({ headings: [...above, heading[2] ?? ""], lines: [] });
    }
  }
  return sections
    .flatMap(({ headings, lines }) => {
      const title = headings.join(" › ") || path;
      const reference = headings.length < 2 ? path : `${path}#${anchorOf(headings.at(-1) ?? "")}`;
      return piecesOf(lines.join("\n")).map((text) => ({ title, text, reference }));
    })
    .slice(0, maxPassages);
}

/** The anchor that Markdown hosts make of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
