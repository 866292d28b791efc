/** Pure: splits long texts into passages that one vector can represent. */
import type { PolicyId } from "../../platform/auth/policy.ts";

// The kinds of records that are searched, and the interface of their sources.

export const documentKinds = ["skill", "tool", "entity", "descriptor", "page"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** The rule that allows finding records of a kind: the one that allows reading them. */
export const ruleOfKind: Readonly<Record<DocumentKind, PolicyId>> = {
  skill: "readAssistant",
  tool: "readAssistant",
  entity: "readCatalogue",
  descriptor: "listResources",
  page: "readAssistant",
};

export interface Passage {
  title: string;
  text: string;
  /** What a reader finds it by, see the wire schema. */
  reference: string;
}

/** One skill, tool, entity, descriptor or page. */
export interface KnowledgeRecord {
  key: string;
  /** Names that people search by; they weigh more than the text. */
  names: readonly string[];
  /** At least one. */
  passages: readonly Passage[];
}

/** A source of records of one kind. */
export interface KnowledgeSource {
  kind: DocumentKind;
  /** A text that differs once something may have changed; cheap to read. Null when nothing changes while the process runs. */
  mark(): Promise<string | null>;
  /** The version of each record by key; it differs whenever the record has changed. */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** The records that still exist. */
  read(keys: readonly string[]): Promise<KnowledgeRecord[]>;
}

/** Characters of one passage; fits embedders with 512 tokens. */
export const longestPassage = 1_500;
/** Maximum number of passages of one record; further ones are not indexed. */
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

/** Pure: splits texts, names and identifiers into words, for documents and for queries. */

const longestWord = 64;

/**
 * Words in lower case and without accents. Identifiers are split: `customerOrders` is customer, orders and the whole;
 * `urn:dmb:cmp:sea_ports` is urn, dmb, cmp, sea and ports.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .toWellFormed()
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .normalize("NFC");
  const words: string[] = [];
  for (const [run] of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    const parts = run.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
    for (const part of parts.length > 1 ? [...parts, run] : parts) {
      words.push(part.toLowerCase().slice(0, longestWord).toWellFormed());
    }
  }
  return words;
}

/** The words as one text, of which the database makes lexemes. */
export const searchable = (text: string): string => wordsOf(text).join(" ");

/** Characters of a query that are used. */
const longestQuery = 4_000;
const maxQueryWords = 24;

/** The distinct words of a query. */
export const queryWords = (query: string): string[] =>
  [...new Set(wordsOf(query.slice(0, longestQuery)))].slice(0, maxQueryWords);

/** Terms of a tsquery; longer words also match as prefixes. Words have only letters and digits. */
export const queryTerms = (words: readonly string[]): string[] =>
  words.map((word) => (word.length < 3 ? `'${word}'` : `'${word}':*`));
