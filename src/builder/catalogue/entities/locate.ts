/** Pure: lines and columns of places in YAML text. Computed only when there is a problem to report. */
import { EVENT_ID, getScalarValue, parseEvents } from "js-yaml";
import { escapeKey } from "../../../platform/lib/json-pointer.ts";
import { yamlLimits } from "../../descriptors/files/yaml.ts";

export interface WantedPlace {
  /** Number of the document in its file, from 0. */
  document: number;
  /** JSON pointer within it. */
  pointer: string;
}

export interface Place {
  line: number;
  column: number;
}

/** The place of each pointer, or of its nearest ancestor that exists. The text is known to parse. */
export function locatePointers(text: string, wanted: readonly WantedPlace[]): Place[] {
  if (wanted.length === 0) return [];
  const offsets = readOffsets(text);
  return wanted.map(({ document, pointer }) => {
    let at = pointer;
    let offset = offsets.get(`${document}${at}`);
    while (offset === undefined && at !== "") {
      at = at.slice(0, at.lastIndexOf("/"));
      offset = offsets.get(`${document}${at}`);
    }
    return placeOf(text, offset ?? 0);
  });
}

interface Level {
  pointer: string;
  isMap: boolean;
  /** In a map the key whose value comes next, in a list the index of the next item. */
  key: string | null;
  index: number;
}

/**
 * Offset of each value in the text by document number and pointer; for a value in a map, the offset of its
 * key.
 */
function readOffsets(text: string): Map<string, number> {
  const offsets = new Map<string, number>();
  const levels: Level[] = [];
  let document = -1;
  const note = (pointer: string, offset: number): void => {
    const id = `${document}${pointer}`;
    if (!offsets.has(id)) offsets.set(id, offset);
  };
  /** Returns the pointer of the value that begins and advances its level. */
  const begin = (): string => {
    const level = levels.at(-1);
    if (level === undefined) return "";
    if (!level.isMap) return `${level.pointer}/${level.index++}`;
    const key = level.key ?? "";
    level.key = null;
    return `${level.pointer}/${escapeKey(key)}`;
  };
  for (const event of parseEvents(text, { maxDepth: yamlLimits.maxDepth })) {
    const level = levels.at(-1);
    if (event.type === EVENT_ID.DOCUMENT) {
      document += 1;
      levels.push({ pointer: "", isMap: false, key: null, index: -1 });
    } else if (event.type === EVENT_ID.POP) {
      levels.pop();
    } else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      const pointer = isRoot(level) ? "" : isAtKey(level) ? keyBelow(level) : begin();
      note(pointer, event.start);
      levels.push({ pointer, isMap: event.type === EVENT_ID.MAPPING, key: null, index: 0 });
    } else if (isAtKey(level) && event.type === EVENT_ID.SCALAR) {
      level.key = getScalarValue(text, event);
      note(`${level.pointer}/${escapeKey(level.key)}`, event.valueStart);
    } else if (isAtKey(level)) {
      keyBelow(level);
    } else {
      const start = event.type === EVENT_ID.SCALAR ? event.valueStart : event.anchorStart;
      note(isRoot(level) ? "" : begin(), start);
    }
  }
  return offsets;
}

const isAtKey = (level: Level | undefined): level is Level => level?.isMap === true && level.key === null;

/** A key that is a collection or an alias: places below it are not searched, and its value comes next. */
function keyBelow(level: Level): string {
  level.key = "";
  return `${level.pointer}/`;
}

const isRoot = (level: Level | undefined): boolean => level === undefined || level.index === -1;

function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, Math.max(0, offset));
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - lineStart + 1 };
}
