/** Pure: parses the bytes of a catalogue file into documents. Runs in the render worker. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { evaluateParameters } from "./parameters.ts";
import { hasTemplateMarks, readEntityText } from "../../templates/engine/expressions.ts";
import { parseYaml, type YamlValue, yamlLimits } from "./yaml.ts";
import { parseParts, type DocumentsPart } from "./yaml-documents.ts";
import { EVENT_ID, getScalarValue, parseEvents } from "js-yaml";
import { escapeKey } from "../../../platform/lib/json-pointer.ts";

/** A file, or some documents of a large one. */
export interface FileToRead {
  /** Path for problems. */
  file: string;
  bytes: Uint8Array;
  /** Number of lines of the file before these; default 0. */
  linesBefore?: number;
  /** The `parameters.yaml` beside it; a file that begins with %SKELETON is rendered with it. */
  parameters?: { file: string; bytes: Uint8Array };
  /** Environment that such a file is rendered for. */
  environment: string;
  /** Places whose lines are requested. */
  places?: WantedPlace[];
  /** Instead of the documents, returns what templates see of `parameters` in each of these environments. */
  sections?: ("parameters" | "values" | "env")[];
}

export interface ReadDocuments {
  /** The valid documents; a broken one adds a problem instead. */
  documents: YamlValue[];
  problems: Problem[];
  /** `file:line:column` of each requested place. */
  places: string[];
}

/** Calls `onStep` with the number of each file before it is read. */
export const readFiles = (inputs: readonly FileToRead[], onStep: (step: number) => void): ReadDocuments[] =>
  inputs.map((input, index) => {
    onStep(index);
    return readDocuments(input);
  });

function readDocuments(input: FileToRead): ReadDocuments {
  const { file, environment } = input;
  const failed = (problems: Problem[]): ReadDocuments => ({ documents: [], problems, places: [] });
  if (input.sections !== undefined) {
    const scope = scopeOf(input);
    if ("problems" in scope) return failed(scope.problems);
    const documents = input.sections.map((name) => {
      const section = scope.evaluate(`\${{ ${name} }}`);
      return section.ok ? (section.value as YamlValue) : null;
    });
    return { documents, problems: [], places: [] };
  }
  const read = readEntityText(input.bytes, file);
  if (!("text" in read)) return failed([read]);
  const linesCut = read.linesCut + (input.linesBefore ?? 0);
  let { text } = read;
  const template = text;
  const rendered = read.skeleton && hasTemplateMarks(text);
  if (rendered) {
    const scope = scopeOf(input);
    if ("problems" in scope) return failed(scope.problems);
    const result = scope.render(text);
    if (!result.ok) {
      const line = result.line === undefined ? "" : `:${result.line + linesCut}:${result.column ?? 1}`;
      return failed([{ where: `${file}${line}`, message: `Template: ${result.reason}.` }]);
    }
    text = typeof result.value === "string" ? result.value : "";
  }
  const parts = parseParts(text, { file, linesCut, ...(rendered ? { template } : {}) });
  return {
    documents: parts.flatMap(({ values }) => values),
    problems: parts.flatMap(({ problem }) => problem ?? []),
    places: placesIn(parts, input.places ?? []).map(
      ({ line, column }) => `${file}:${line + linesCut}:${column}`,
    ),
  };

  function scopeOf({ parameters }: FileToRead) {
    const at = parameters?.file ?? file;
    let document: YamlValue = null;
    if (parameters !== undefined) {
      const given = readEntityText(parameters.bytes, at);
      if (!("text" in given)) return { problems: [given] };
      const values = parseYaml(given.text, { file: at, linesCut: given.linesCut });
      if (!values.ok) return { problems: [values.problem] };
      document = values.value;
    }
    const evaluated = evaluateParameters(document, { environment, file: at });
    return evaluated.problems.length > 0 ? { problems: evaluated.problems } : evaluated.scope;
  }
}

/** Numbers documents across all parts; broken documents are not counted. */
function placesIn(parts: readonly DocumentsPart[], wanted: readonly WantedPlace[]): Place[] {
  const places = wanted.map((): Place => ({ line: 1, column: 1 }));
  let first = 0;
  for (const { text, line, values } of parts) {
    const inside = [...wanted.entries()].filter(
      ([, { document }]) => document >= first && document < first + values.length,
    );
    const local = inside.map(([, { document, pointer }]) => ({ document: document - first, pointer }));
    for (const [at, place] of locatePointers(text, local).entries()) {
      places[inside[at]![0]] = { ...place, line: place.line + line };
    }
    first += values.length;
  }
  return places;
}

// Lines and columns of places in YAML text. Computed only when there is a problem to report.

interface WantedPlace {
  /** Number of the document in its file, from 0. */
  document: number;
  /** JSON pointer within it. */
  pointer: string;
}

interface Place {
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
