/** Pure. A YAML file of the older installation: its text, its tree with places, and its plain content. */
import { parseAllDocuments, parseDocument } from "yaml";
import type { Located, LocatedMap } from "../../platform/config/source/located.ts";
import { newProblems, type ConfigProblem } from "../../platform/config/source/problems.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { parseYaml } from "../../platform/config/source/yaml.ts";

export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain };

export interface YamlFile {
  /** As it was named. */
  file: string;
  text: string;
  /** Every key and value with its place; an empty map where the file cannot be read. */
  root: LocatedMap;
  /** As the YAML says: `${…}` and `$env` are not followed. */
  plain: { [key: string]: Plain };
  /** Why it cannot be read. */
  problems: ConfigProblem[];
  /** Files that it includes; they are read only where they are named too. */
  includes: string[];
}

export function readYamlFile(file: string, text: string): YamlFile {
  const problems = newProblems();
  const includes: string[] = [];
  const reading = { cwd: "", env: {}, problems, filesRead: 0, nodesRead: 0 };
  const parsed = parseYaml(text, {
    reading,
    file,
    folder: "",
    include: (target) => void includes.push(target),
  });
  const empty: LocatedMap = { kind: "map", place: { file, line: 1, column: 1 }, entries: new Map() };
  if (parsed !== undefined && parsed.kind !== "map")
    problems.add(parsed.place, [], { message: "must be a map of settings" });
  const root = parsed?.kind === "map" ? parsed : empty;
  return { file, text, root, plain: plainOf(text), problems: problems.list, includes };
}

/** An empty map for what is no map, or cannot be read. */
export function plainOf(text: string): { [key: string]: Plain } {
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: "silent" });
    const content: unknown = document.errors.length > 0 ? null : document.toJS();
    return isMap(content) ? content : {};
  } catch {
    return {};
  }
}

/** The maps of a file of several documents; none where one of them cannot be read. */
export function plainDocumentsOf(text: string): { [key: string]: Plain }[] {
  try {
    const documents = parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" });
    if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return [];
    return documents.map((document): unknown => document.toJS()).filter(isMap);
  } catch {
    return [];
  }
}

export const isMap = (value: unknown): value is { [key: string]: Plain } => isRecord(value);

/** A text that takes its value from elsewhere; what it is, nobody can say here. */
const isReference = (node: Located): boolean => node.kind === "leaf" && node.source.type !== "plain";

/** Keys and values as far as the file itself says them; a reference is a text of its own. */
export function settingsOf(node: Located): Plain {
  if (node.kind === "list") return node.items.map(settingsOf);
  if (node.kind === "map")
    return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, settingsOf(value)]));
  if (isReference(node)) return referenceText;
  return node.source.type === "plain" ? node.source.value : null;
}

export const referenceText = "${…}";
