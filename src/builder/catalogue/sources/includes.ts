/**
 * `$text`, `$json` and `$yaml` in a document: replaced by the content of the named file of the same location.
 */
import type { Problem } from "../../../platform/errors/failure.ts";
import { escapeKey } from "../../../platform/lib/json-pointer.ts";
import type { YamlMap, YamlValue } from "../entities/yaml.ts";
import { folderOf, resolvePath } from "./target.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export const includeLimits = { count: 200, depth: 5, bytes: 4 * 1024 * 1024 } as const;

export interface IncludeReader {
  /** A file of the location; null when there is none. Throws a Failure for a file that may not be read. */
  read: (path: string) => Promise<Buffer | null>;
  /** The single document of a YAML or JSON file. */
  parse: (path: string, bytes: Buffer) => Promise<{ ok: boolean; value: YamlValue; problems: Problem[] }>;
}

export interface IncludeProblem {
  /** Place of the instruction in the document. */
  pointer: string;
  message: string;
}

export interface Resolved {
  value: YamlValue;
  problems: IncludeProblem[];
  /** Number of instructions that were resolved. */
  count: number;
}

const instructions = ["$text", "$json", "$yaml"] as const;

/** `file` is the path of the document; paths in it are relative to its folder. */
export async function resolveIncludes(
  document: YamlValue,
  file: string,
  reader: IncludeReader,
): Promise<Resolved> {
  const state: State = { reader, problems: [], count: 0, bytes: 0 };
  const value = await resolveValue(document, { file, pointer: "", depth: 0 }, state);
  return { value, problems: state.problems, count: state.count };
}

interface State {
  reader: IncludeReader;
  problems: IncludeProblem[];
  count: number;
  bytes: number;
}

interface At {
  file: string;
  pointer: string;
  /** Files through which this one was included. */
  depth: number;
}

async function resolveValue(value: YamlValue, at: At, state: State): Promise<YamlValue> {
  if (Array.isArray(value)) {
    const items: YamlValue[] = [];
    for (const [index, item] of value.entries()) {
      items.push(await resolveValue(item, { ...at, pointer: `${at.pointer}/${index}` }, state));
    }
    return items;
  }
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  const instruction = keys.length === 1 ? instructions.find((name) => name === keys[0]) : undefined;
  if (instruction !== undefined) return include(value[instruction] ?? null, instruction, { at, state });
  const map: YamlMap = {};
  for (const key of keys) {
    map[key] = await resolveValue(
      value[key] ?? null,
      { ...at, pointer: `${at.pointer}/${escapeKey(key)}` },
      state,
    );
  }
  return map;
}

async function include(
  path: YamlValue,
  instruction: (typeof instructions)[number],
  { at, state }: { at: At; state: State },
): Promise<YamlValue> {
  const refuse = (message: string): null => {
    // Problems in an included file are reported at the place that includes it.
    state.problems.push({ pointer: at.pointer, message });
    return null;
  };
  if (typeof path !== "string") return refuse(`${instruction} needs the path of a file.`);
  state.count += 1;
  if (state.count > includeLimits.count) {
    return state.count === includeLimits.count + 1
      ? refuse(`The document includes more than ${includeLimits.count} files.`)
      : null;
  }
  if (at.depth >= includeLimits.depth) {
    return refuse(`Files include each other deeper than ${includeLimits.depth} levels, at ${shown(path)}.`);
  }
  const inside = /^[a-z][a-z0-9+.-]*:/i.test(path) ? null : resolvePath(folderOf(at.file), path);
  if (inside === null || path.startsWith("/")) {
    return refuse(`${instruction} may only name a file of the same location; it is ${shown(path)}.`);
  }
  const bytes = await state.reader.read(inside);
  if (bytes === null) return refuse(`The file ${shown(path)} that ${instruction} names is not there.`);
  state.bytes += bytes.length;
  if (state.bytes > includeLimits.bytes) {
    return refuse(`The included files have more than ${includeLimits.bytes} bytes together.`);
  }
  if (instruction === "$text") return bytes.toString("utf8").replaceAll("\0", "");
  const parsed = await state.reader.parse(inside, bytes);
  if (!parsed.ok) {
    for (const { where, message } of parsed.problems) refuse(`${where}: ${message}`);
    return null;
  }
  return resolveValue(parsed.value, { file: inside, pointer: at.pointer, depth: at.depth + 1 }, state);
}

const shown = (path: string): string => `"${path.slice(0, 200)}"`;
