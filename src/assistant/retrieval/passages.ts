/** Pure: the indexed parts of records and pages, in passages that one vector can represent. Nothing else is sent to an embedder. */
import type { PolicyId } from "../../platform/auth/policy.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { askedAs } from "./phrases/asked-as.ts";

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
  /** What of the text says what it is about; it weighs more than the rest. */
  lead?: string;
  /** Phrases in which people ask for it, in its first passage; found, but never shown. */
  asked?: readonly string[] | undefined;
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
  /** Where their rows change, records may have changed. Null when nothing changes while the process runs. */
  tables: readonly string[] | null;
  /** Maximum number of records in one batch, all of which is in memory; 50 unless given. */
  batchSize?: number;
  /** The version of each record by key; it differs whenever the record has changed. */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** The records that still exist. */
  read(keys: readonly string[]): Promise<KnowledgeRecord[]>;
}

/** Characters of one passage; fits embedders with 512 tokens. */
export const longestPassage = 1_500;
/** Maximum number of passages of one record, or of one section of a page; further ones are not indexed. */
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

/** Passages of a shipped Markdown page by headings, all of them. `path` is the page's reference; sections below the title add an anchor. */
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
  return sections.flatMap(({ headings, lines }) => {
    const title = headings.join(" › ") || path;
    const reference = headings.length < 2 ? path : `${path}#${anchorOf(headings.at(-1) ?? "")}`;
    return piecesOf(lines.join("\n")).map((text, piece) => ({
      title,
      text,
      asked: piece === 0 ? askedAs(reference) : undefined,
      reference,
    }));
  });
}

/** The anchor that Markdown hosts make of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

// Skills, tools, entities and descriptors.

const longestTitle = 200;
const longestNames = 2_000;

interface Described {
  key: string;
  title: string;
  reference: string;
  names: readonly string[];
  /** Paragraphs; empty ones are left out. */
  text: readonly string[];
  /** The paragraph that describes it. */
  lead: string;
  asked?: readonly string[] | undefined;
}

function recordOf({ key, title, reference, names, text, lead, asked }: Described): KnowledgeRecord {
  const shown = title.slice(0, longestTitle).toWellFormed();
  const pieces = piecesOf(text.filter((part) => part !== "").join("\n\n"));
  const passages = (pieces.length === 0 ? [""] : pieces).map((piece, at) => ({
    title: shown,
    text: piece,
    lead: lead.slice(0, longestPassage),
    asked: at === 0 ? asked : undefined,
    reference,
  }));
  return { key, names: short(names), passages };
}

function short(names: readonly string[]): string[] {
  let left = longestNames;
  return names.filter((name) => name !== "" && (left -= name.length) >= 0);
}

export interface SkillSource {
  id: string;
  /** Of a shipped skill; empty for all others. */
  platformKey: string;
  name: string;
  description: string;
  content: string;
  tools: readonly string[];
}

export const skillRecord = (skill: SkillSource): KnowledgeRecord => {
  const { id, platformKey, name, description, content, tools } = skill;
  return recordOf({
    key: id,
    title: name,
    reference: id,
    names: tools,
    text: [description, content],
    lead: description,
    asked: askedAs(platformKey),
  });
};

export interface ToolSourceRow {
  id: string;
  name: string;
  /** For people; null when its server gives none. */
  title: string | null;
  description: string;
  inputSchema: unknown;
}

export function toolRecord({ id, name, title, description, inputSchema }: ToolSourceRow): KnowledgeRecord {
  const parameters = Object.entries(mapOf(mapOf(inputSchema)["properties"])).map(([parameter, schema]) =>
    `${parameter} ${textOf(mapOf(schema)["description"])}`.trim(),
  );
  return recordOf({
    key: id,
    title: title ? `${title} (${name})` : name,
    reference: id,
    names: [id],
    text: [description, parameters.join("\n")],
    lead: description,
    asked: askedAs(id),
  });
}

type Plain = Record<string, unknown>;

const mapOf = (value: unknown): Plain => (isRecord(value) ? value : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const textsOf = (value: unknown): string[] => listOf(value).map(textOf);
const line = (name: string, value: string): string => (value === "" ? "" : `${name}: ${value}`);

const shownOfSpec = ["type", "owner", "system", "domain", "lifecycle"];

/** Labels and other fields of `spec` are technical and may be confidential, so they are left out. */
export function entityRecord(ref: string, entity: Plain): KnowledgeRecord {
  const metadata = mapOf(entity["metadata"]);
  const spec = mapOf(entity["spec"]);
  const name = textOf(metadata["name"]);
  const kind = textOf(entity["kind"]);
  const tags = textsOf(metadata["tags"]);
  const facts = shownOfSpec.map((field) => line(field, textOf(spec[field])));
  return recordOf({
    key: ref,
    title: textOf(metadata["title"]) || textOf(mapOf(spec["profile"])["displayName"]) || name,
    reference: ref,
    names: [ref, kind, ...tags],
    lead: textOf(metadata["description"]),
    text: [
      textOf(metadata["description"]),
      [line("kind", kind), ...facts, line("tags", tags.join(", "))].filter((fact) => fact !== "").join("\n"),
    ],
  });
}

const shownOfUnit = ["name", "fullyQualifiedName", "kind", "domain", "version", "environment"];
const shownOfComponent = ["name", "fullyQualifiedName", "kind", "version", "infrastructureTemplateId"];

/** Passages of the unit first, then of each component. `specific` is left out, since it may contain passwords. */
export function descriptorRecord(key: string, unitId: string, descriptor: Plain): KnowledgeRecord {
  const title = (textOf(descriptor["name"]) || unitId).slice(0, longestTitle).toWellFormed();
  const unit = described(descriptor, shownOfUnit);
  const components = componentsOf(descriptor, 0).slice(0, maxPassages);
  const passages: Passage[] = [
    ...piecesOf([unitId, unit].join("\n")).map((text) => ({ title, text, reference: unitId })),
    ...components.flatMap((component) => {
      const id = textOf(component["id"]);
      const name = textOf(component["name"]) || id;
      const shown = `${title} › ${name}`.slice(0, longestTitle).toWellFormed();
      const text = [id, described(component, shownOfComponent), columnsOf(component)];
      return piecesOf(text.filter((part) => part !== "").join("\n")).map((piece) => ({
        title: shown,
        text: piece,
        reference: id || unitId,
      }));
    }),
  ];
  return { key, names: short([unitId]), passages: passages.slice(0, maxPassages) };
}

function described(part: Plain, fields: readonly string[]): string {
  const tags = listOf(part["tags"]).map((tag) => textOf(tag) || textOf(mapOf(tag)["tagFQN"]));
  return [
    textOf(part["description"]),
    ...fields.map((field) => line(field, textOf(part[field]))),
    line("tags", tags.filter((tag) => tag !== "").join(", ")),
  ]
    .filter((fact) => fact !== "")
    .join("\n");
}

const deepest = 3;

function componentsOf(part: Plain, depth: number): Plain[] {
  if (depth === deepest) return [];
  return listOf(part["components"])
    .map(mapOf)
    .flatMap((component) => [component, ...componentsOf(component, depth + 1)]);
}

const maxColumns = 200;

function columnsOf(component: Plain): string {
  const schema = listOf(mapOf(component["dataContract"])["schema"]).map(mapOf).slice(0, maxColumns);
  return schema
    .map((column) => `${textOf(column["name"])} ${textOf(column["description"])}`.trim())
    .filter((column) => column !== "")
    .join("\n");
}
