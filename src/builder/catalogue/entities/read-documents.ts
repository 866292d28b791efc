/** Pure: from the bytes of a file of the catalogue to its documents. Runs in the render worker. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { evaluateParameters } from "../../descriptors/entities/parameters.ts";
import { hasTemplateMarks, readEntityText } from "../../descriptors/entities/entity-text.ts";
import { parseYaml, parseYamlDocuments, type YamlValue } from "../../descriptors/entities/yaml.ts";
import { locatePointers, type WantedPlace } from "./locate.ts";

export interface FileToRead {
  /** Path for problems. */
  file: string;
  bytes: Uint8Array;
  /** The `parameters.yaml` beside it, which a file that begins with %SKELETON is rendered with. */
  parameters?: { file: string; bytes: Uint8Array };
  /** Environment that such a file is rendered for. */
  environment: string;
  /** Places in it whose lines are wanted. */
  places?: WantedPlace[];
  /** Instead of its documents, what templates see of `parameters` in that environment: one for each of these names. */
  sections?: ("parameters" | "values" | "env")[];
}

export interface ReadDocuments {
  documents: YamlValue[];
  problems: Problem[];
  /** `file:line:column` for each of the wanted places. */
  places: string[];
}

export function readDocuments(input: FileToRead): ReadDocuments {
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
  let { text } = read;
  const rendered = read.skeleton && hasTemplateMarks(text);
  if (rendered) {
    const scope = scopeOf(input);
    if ("problems" in scope) return failed(scope.problems);
    const result = scope.render(text);
    if (!result.ok) {
      const line = result.line === undefined ? "" : `:${result.line + read.linesCut}:${result.column ?? 1}`;
      return failed([{ where: `${file}${line}`, message: `Template: ${result.reason}.` }]);
    }
    text = typeof result.value === "string" ? result.value : "";
  }
  const parsed = parseYamlDocuments(text, { file, linesCut: read.linesCut, rendered });
  if (!parsed.ok) return failed([parsed.problem]);
  const places = locatePointers(text, input.places ?? []).map(
    ({ line, column }) => `${file}:${line + read.linesCut}:${column}`,
  );
  return { documents: parsed.values, problems: [], places };

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
