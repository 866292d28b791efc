/** Pure: computes the new contents of an entity's files from the values of a form or an adapter. */
import { isDeepStrictEqual } from "node:util";
import { dump } from "js-yaml";
import { isMap as isNodeMap, parseDocument, type Document } from "yaml";
import { asTextSection } from "../../descriptors/entities/parameters-text.ts";
import { type YamlMap, type YamlValue, parseYaml } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export interface SectionChange {
  /** The section as written. */
  own: YamlValue | undefined;
  /** The evaluated section. */
  known: YamlMap;
  /** The values that it must evaluate to; null removes a key. Keys that are not named stay. */
  given: YamlMap;
}

/** The section to write: unchanged values keep their expression, changed ones become literals. */
export function changeSection({ own, known, given }: SectionChange): YamlMap {
  const written: YamlMap = isRecord(own) ? { ...own } : {};
  for (const [key, value] of Object.entries(given)) {
    if (isDeepStrictEqual(value, known[key])) continue;
    if (value === null) delete written[key];
    else Object.assign(written, asTextSection({ [key]: value }));
  }
  return written;
}

/** A change of an entity, requested by an adapter. */
interface Update {
  path: string[];
  value: YamlValue;
}

export interface Updates {
  /** Updates of `parameters.yaml`, by section. */
  parameters: Update[];
  /** Updates of the entity itself. */
  entity: Update[];
  problems: string[];
}

const sections = new Set(["parameters", "values", "readonly", "environmentParameters"]);
const reserved = new Set(["__proto__", "constructor", "prototype"]);
/** Fields that identify an entity; changing them would make it another entity. */
const fixed = new Set(["metadata.name", "metadata.namespace"]);

/**
 * Parses the updates of an adapter: a path with dots and its value, `spec.mesh.specific.table`. Parameters
 * are named by their section, or by the older `witboost.parameters`. Names in square brackets and quotes may
 * contain dots.
 */
export function readUpdates(updates: Readonly<Record<string, unknown>>): Updates {
  const found: Updates = { parameters: [], entity: [], problems: [] };
  for (const update of Object.entries(updates).flatMap(([key, value]) => spread(pathOf(key), value))) {
    const { path } = update;
    const key = path.join(".");
    const isLegacy = path[0] === "witboost" && path[1] === "parameters";
    if (path.length < 2 || path.some((name) => name === "" || reserved.has(name)))
      found.problems.push(`"${key}" is not a path in the entity.`);
    else if (fixed.has(key)) found.problems.push(`"${key}" identifies the entity and can't be changed.`);
    else if (isLegacy && path.length > 2) found.parameters.push({ ...update, path: path.slice(1) });
    else if (sections.has(path[0] ?? "") && path.length > 1) found.parameters.push(update);
    else found.entity.push(update);
  }
  return found;
}

/** A key without dots whose value is a map changes only the values in it: each becomes an update. */
const spread = (path: string[], value: unknown, isWhole = path.length === 1): Update[] =>
  isWhole && isRecord(value)
    ? Object.entries(value).flatMap(([name, below]) => spread([...path, name], below, true))
    : [{ path, value: value as YamlValue }];

const pathOf = (key: string): string[] =>
  [...key.matchAll(/\["([^"]*)"\]|\['([^']*)'\]|([^.[\]]+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );

/**
 * Applies each update at its path, in order, and creates missing maps. One that leads into anything else, except an item of a
 * list, is left out and added to `problems`. `section` is where the document stands. The input is not changed.
 */
export function applyUpdates(
  document: YamlMap,
  updates: readonly Update[],
  { problems, section = [] }: { problems: string[]; section?: readonly string[] },
): YamlMap {
  const changed = structuredClone(document);
  for (const update of updates) {
    const problem = applyUpdate(changed, update, section);
    if (problem !== null && !problems.includes(problem)) problems.push(problem);
  }
  return changed;
}

function applyUpdate(document: YamlMap, { path, value }: Update, section: readonly string[]): string | null {
  const nameOf = (end: number): string => [...section, ...path.slice(0, end)].join(".");
  let holder: YamlMap | YamlValue[] = document;
  for (const [depth, name] of path.entries()) {
    if (Array.isArray(holder) && !isIndexOf(holder, name))
      return `"${nameOf(path.length)}" names no item of the list ${nameOf(depth)}.`;
    if (depth === path.length - 1) {
      Reflect.set(holder, name, structuredClone(value));
      return null;
    }
    const below: unknown = Object.hasOwn(holder, name) ? Reflect.get(holder, name) : null;
    const next: unknown = below ?? {};
    if (!Array.isArray(next) && !isRecord<YamlValue>(next))
      return `"${nameOf(path.length)}" leads into ${nameOf(depth + 1)}, which is no map.`;
    if (below === null) Reflect.set(holder, name, next);
    holder = next;
  }
  return null;
}

const isIndexOf = (list: readonly unknown[], name: string): boolean =>
  /^(?:0|[1-9]\d*)$/.test(name) && Number(name) < list.length;

/** Longer texts are rewritten: the editing parser is slow. */
const longestPatched = 256 * 1024;

/** `before` is the parsed text, null for a new file. */
export function patchYaml(text: string, before: YamlMap | null, after: YamlMap): string {
  const anew = (): string => dump(after, { noRefs: true, lineWidth: -1 });
  if (before === null || text.length > longestPatched) return anew();
  const patched = patch(text, before, after);
  const parsed = patched === null ? null : parseYaml(patched, { file: "" });
  // Verify the patched text, because aliases and tags could change its meaning.
  return patched !== null && parsed?.ok === true && isDeepStrictEqual(parsed.value, after) ? patched : anew();
}

function patch(text: string, before: YamlMap, after: YamlMap): string | null {
  try {
    const document = parseDocument(text, { uniqueKeys: false });
    if (document.errors.length > 0 || !isNodeMap(document.contents)) return null;
    patchMap(document, [], { before, after });
    return document.toString({ lineWidth: 0 });
  } catch {
    return null;
  }
}

function patchMap(
  document: Document,
  path: readonly string[],
  { before, after }: { before: YamlMap; after: YamlMap },
): void {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) document.deleteIn([...path, key]);
  for (const [key, value] of Object.entries(after)) {
    const known = Object.hasOwn(before, key) ? before[key] : undefined;
    const at = [...path, key];
    if (isDeepStrictEqual(known, value)) continue;
    if (isRecord(known) && isRecord(value) && isNodeMap(document.getIn(at, true)))
      patchMap(document, at, { before: known, after: value });
    else document.setIn(at, document.createNode(value));
  }
}
