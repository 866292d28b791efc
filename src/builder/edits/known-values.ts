/** The content of an entity's `parameters.yaml`: as written, and as templates see it. */
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import type { FileToRead, ReadDocuments } from "../catalogue/entities/read-documents.ts";
import { readEntityText } from "../descriptors/entities/entity-text.ts";
import type { YamlMap, YamlValue } from "../descriptors/entities/yaml.ts";
import { builderFailure } from "../errors.ts";
import { overrunReason, type Renderer } from "../templates/renderer.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export interface KnownValues {
  /** As written, with its expressions. */
  document: YamlMap;
  /** Evaluated. */
  parameters: YamlMap;
  values: YamlMap;
  /** Evaluated, by environment. */
  environments: Record<string, YamlMap>;
}

export interface ParametersFile {
  /** Its path, for problems. */
  file: string;
  /** Null when there is none. */
  bytes: Buffer | null;
}

export interface ReadDeps {
  renderer: Pick<Renderer, "readDocuments">;
  renderTimeoutMs: number;
}

/** Rejects with a Failure that lists all problems of the file. */
export async function readKnownValues(
  deps: ReadDeps,
  { file, bytes }: ParametersFile,
  environments: readonly string[],
): Promise<KnownValues> {
  const known: KnownValues = { document: {}, parameters: {}, values: {}, environments: {} };
  if (bytes === null) return known;
  const read = readEntityText(bytes, file);
  if (!("text" in read)) throw unreadable([read]);
  const document = await readOne(deps, { file, bytes: Buffer.from(read.text), environment: "" });
  if (!isRecord(document) && document !== null)
    throw unreadable([{ where: file, message: "The file must hold a map of sections." }]);
  known.document = document ?? {};
  for (const environment of environments) {
    const [parameters, values, own] = await readAll(deps, {
      file,
      bytes: Buffer.alloc(0),
      parameters: { file, bytes },
      environment,
      sections: ["parameters", "values", "env"],
    });
    if (environment === environments[0]) {
      known.parameters = mapOf(parameters);
      known.values = mapOf(values);
    }
    known.environments[environment] = mapOf(own);
  }
  return known;
}

const mapOf = (value: YamlValue | undefined): YamlMap => (isRecord(value) ? value : {});

/** The single document of a file, rendered when it is a template. */
export async function readOne(deps: ReadDeps, input: FileToRead): Promise<YamlValue> {
  const documents = await readAll(deps, input);
  if (documents.length > 1)
    throw unreadable([{ where: input.file, message: "The file holds more than one document." }]);
  return documents[0] ?? null;
}

async function readAll({ renderer, renderTimeoutMs }: ReadDeps, input: FileToRead): Promise<YamlValue[]> {
  const result = await renderer.readDocuments([input]);
  if ("overrun" in result) {
    const message = `The file was given up: ${overrunReason(result, renderTimeoutMs)}.`;
    throw unreadable([{ where: input.file, message }]);
  }
  const [{ documents, problems }] = result as [ReadDocuments];
  if (problems.length > 0) throw unreadable(problems);
  return documents;
}

const unreadable = (problems: Problem[]): Failure =>
  builderFailure("BUILDER_NOT_EDITABLE", {
    message: "The files of the entity cannot be read, so they cannot be changed.",
    problems,
  });
