/** Pure: new contents of an entity's files, from what a form or an adapter has answered. */
import { isDeepStrictEqual } from "node:util";
import { asTextSection } from "../descriptors/entities/parameters-text.ts";
import type { YamlMap, YamlValue } from "../descriptors/entities/yaml.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface SectionChange {
  /** The section as it is written. */
  own: YamlValue | undefined;
  /** The section as it evaluates. */
  known: YamlMap;
  /** What it shall evaluate to; null takes a key away. Keys that are not named stay. */
  given: YamlMap;
}

/** The section as it is to be written: what stays the same keeps its expression, anything else is text. */
export function changeSection({ own, known, given }: SectionChange): YamlMap {
  const written: YamlMap = isRecord(own) ? { ...own } : {};
  for (const [key, value] of Object.entries(given)) {
    if (isDeepStrictEqual(value, known[key])) continue;
    if (value === null) delete written[key];
    else Object.assign(written, asTextSection({ [key]: value }));
  }
  return written;
}

/** One change of an entity that an adapter asks for. */
interface Update {
  path: string[];
  value: YamlValue;
}

export interface Updates {
  /** Of `parameters.yaml`, by section. */
  parameters: Update[];
  /** Of the entity itself. */
  entity: Update[];
  problems: string[];
}

const sections = new Set(["parameters", "values", "readonly", "environmentParameters"]);
const reserved = new Set(["__proto__", "constructor", "prototype"]);
/** What an entity is known by: a change of it would be another entity. */
const fixed = new Set(["metadata.name", "metadata.namespace"]);

/**
 * Updates as adapters answer them: a path in dots with its value, `spec.mesh.specific.table`. Parameters are named by
 * their section, or by the older `witboost.parameters`. Names within square brackets and quotes may hold dots.
 */
export function readUpdates(updates: Readonly<Record<string, unknown>>): Updates {
  const found: Updates = { parameters: [], entity: [], problems: [] };
  for (const update of Object.entries(updates).flatMap(([key, value]) => spread(pathOf(key), value))) {
    const { path } = update;
    const key = path.join(".");
    const isLegacy = path[0] === "witboost" && path[1] === "parameters";
    if (path.length < 2 || path.some((name) => name === "" || reserved.has(name)))
      found.problems.push(`"${key}" is no path of an entity.`);
    else if (fixed.has(key)) found.problems.push(`"${key}" identifies the entity and can't be changed.`);
    else if (isLegacy && path.length > 2) found.parameters.push({ ...update, path: path.slice(1) });
    else if (sections.has(path[0] ?? "") && path.length > 1) found.parameters.push(update);
    else found.entity.push(update);
  }
  return found;
}

/** A map without a path in dots is the entity itself, as far as it changes: each value in it is an update. */
const spread = (path: string[], value: unknown, isWhole = path.length === 1): Update[] =>
  isWhole && isRecord(value)
    ? Object.entries(value).flatMap(([name, below]) => spread([...path, name], below, true))
    : [{ path, value: value as YamlValue }];

const pathOf = (key: string): string[] =>
  [...key.matchAll(/\["([^"]*)"\]|\['([^']*)'\]|([^.[\]]+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );

/** The document with each update at its path, in their order; maps are made on the way. The input is not changed. */
export function applyUpdates(document: YamlMap, updates: readonly Update[]): YamlMap {
  const changed = structuredClone(document);
  for (const { path, value } of updates) {
    let holder: YamlMap = changed;
    for (const name of path.slice(0, -1)) {
      const below = Object.hasOwn(holder, name) ? holder[name] : undefined;
      const next: YamlMap = isRecord(below) ? below : {};
      holder[name] = next;
      holder = next;
    }
    holder[path.at(-1) ?? ""] = structuredClone(value);
  }
  return changed;
}
