/** Pure: the indexed parts of skills, tools, entities and descriptors. Nothing else of them is sent to an embedder. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { type KnowledgeRecord, type Passage, maxPassages, piecesOf } from "./passages.ts";

const longestTitle = 200;
const longestNames = 2_000;

interface Described {
  key: string;
  title: string;
  reference: string;
  names: readonly string[];
  /** Paragraphs; empty ones are left out. */
  text: readonly string[];
}

function recordOf({ key, title, reference, names, text }: Described): KnowledgeRecord {
  const shown = title.slice(0, longestTitle).toWellFormed();
  const pieces = piecesOf(text.filter((part) => part !== "").join("\n\n"));
  const passages = (pieces.length === 0 ? [""] : pieces).map((piece) => ({
    title: shown,
    text: piece,
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
  name: string;
  description: string;
  content: string;
  tools: readonly string[];
}

export const skillRecord = ({ id, name, description, content, tools }: SkillSource): KnowledgeRecord =>
  recordOf({ key: id, title: name, reference: id, names: tools, text: [description, content] });

export interface ToolSourceRow {
  id: string;
  name: string;
  description: string;
  inputSchema: unknown;
}

export function toolRecord({ id, name, description, inputSchema }: ToolSourceRow): KnowledgeRecord {
  const parameters = Object.entries(mapOf(mapOf(inputSchema)["properties"])).map(([parameter, schema]) =>
    `${parameter} ${textOf(mapOf(schema)["description"])}`.trim(),
  );
  return recordOf({
    key: id,
    title: name,
    reference: id,
    names: [id],
    text: [description, parameters.join("\n")],
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
