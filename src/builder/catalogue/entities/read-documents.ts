/** Pure: parses the bytes of a catalogue file into documents. Runs in the render worker. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { evaluateParameters } from "../../descriptors/entities/parameters.ts";
import { hasTemplateMarks, readEntityText } from "../../descriptors/files/entity-text.ts";
import { parseYaml, type YamlValue } from "../../descriptors/files/yaml.ts";
import { parseParts, type DocumentsPart } from "../../descriptors/files/yaml-documents.ts";
import { locatePointers, type Place, type WantedPlace } from "./locate.ts";

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
