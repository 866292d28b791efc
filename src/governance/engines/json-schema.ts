/** JSON Schema, compiled by Ajv. Runs in the threads only: patterns of a schema have no limit of time. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { isRecord } from "../../platform/lib/is-record.ts";
import { fits, type EngineInput, type EngineOutcome, type SpecProblem, type Violation } from "./engine.ts";
import { cappedErrors } from "./limits.ts";

export type CompiledSchema = ValidateFunction;

const newAjv = (): Ajv2020 => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true, logger: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv;
};

/** Each schema has an instance of its own, so that the ids of one are not seen by another. */
export function compileSchema(schema: unknown): CompiledSchema {
  // Ajv makes a function of it that answers a promise, which would count as satisfied.
  if (isAsync(schema)) throw new Error("it is asynchronous ($async)");
  return newAjv().compile(withoutDraft(schema));
}

/** Keywords whose value is a map of schemas by names of the author, and those whose value is no schema. */
const mapsOfSchemas: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
const values: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** Whether the schema, or one at any depth of it, is asynchronous. */
function isAsync(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if (Array.isArray(schema)) return schema.some(isAsync);
  return Object.entries(schema).some(([keyword, value]: [string, unknown]) => {
    if (keyword === "$async") return Boolean(value);
    if (values.has(keyword)) return false;
    const isMap = mapsOfSchemas.has(keyword) && isRecord(value);
    return isMap ? Object.values(value).some(isAsync) : isAsync(value);
  });
}

/** Other drafts are read as the newest: what they share is what policies use. */
function withoutDraft(schema: unknown): object | boolean {
  if (typeof schema !== "object" || schema === null) return schema === true;
  const { $schema: _draft, ...rest } = schema as { $schema?: unknown };
  return rest;
}

export function checkSchema(schema: unknown): SpecProblem[] {
  try {
    compileSchema(schema);
    return [];
  } catch (error) {
    return [
      {
        path: "spec.schema",
        message: `The schema can't be compiled: ${(error as Error).message}.`,
        solution: "Give a JSON Schema without $async and without references to other documents.",
      },
    ];
  }
}

export function evaluateSchema(validate: CompiledSchema, { resource }: EngineInput): EngineOutcome {
  if (validate(resource)) return fits;
  const found = validate.errors ?? [];
  return {
    ok: true,
    satisfied: false,
    errors: cappedErrors(found.slice(0, 101).map(violationOf), found.length),
  };
}

const violationOf = ({ instancePath, message, params }: ErrorObject): Violation => {
  const path = instancePath.slice(1).replaceAll("/", ".").replaceAll("~1", "/").replaceAll("~0", "~");
  const extra = "additionalProperty" in params ? ` (${String(params["additionalProperty"])})` : "";
  return { ...(path === "" ? {} : { path }), message: `${message ?? "does not fit"}${extra}` };
};
