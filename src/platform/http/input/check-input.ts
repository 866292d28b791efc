import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { Type, type TObject, type TSchema } from "typebox";
import type { InputPlace, InputProblem } from "../operation.ts";
import { problemsOf } from "./problems.ts";

export type Check = (value: unknown) => InputProblem[];

export interface Checker {
  /** A function that validates in place (filling in defaults) and says what is wrong. */
  compile: (place: InputPlace, schema: TSchema) => Check;
}

/** Limit of listed errors: each costs memory, and a hostile body can have millions. */
const maxErrors = 1000;

/** Frozen: every input without a problem has this one. */
const noProblems = Object.freeze<InputProblem[]>([]) as InputProblem[];

/**
 * Two validators stand behind one check. The first stops at the first error and decides alone; the second, compiled
 * on the first refusal, lists all errors and gives up listing after `maxErrors`. Neither coerces: bodies are taken as
 * they are, and parameters were read by their types before (query.ts). Both are compiled when they are needed first: a
 * process has hundreds of operations, and compiling all of them was the longest part of its start.
 */
export const createChecker = (shared: Record<string, TSchema> = {}): Checker => {
  const first = createAjv(shared, { allErrors: false });
  const every = createAjv(shared, { allErrors: true, code: { process: stopAfterMaxErrors } });
  return {
    compile: (place, schema) => {
      let decide: ValidateFunction | undefined;
      let list: ValidateFunction | undefined;
      return (value) => {
        decide ??= first.compile(schema);
        if (decide(value)) {
          return noProblems;
        }
        list ??= every.compile(schema);
        return problemsOf(place, listErrors(list, value), value);
      };
    },
  };
};

type AjvOptions = NonNullable<ConstructorParameters<typeof Ajv2020>[0]>;

const createAjv = (shared: Record<string, TSchema>, options: AjvOptions): Ajv2020 => {
  const ajv = new Ajv2020({
    strict: false,
    useDefaults: true,
    meta: false,
    validateSchema: false,
    logger: false,
    ...options,
  });
  formats.default(ajv);
  for (const [name, schema] of Object.entries(shared)) {
    ajv.addSchema(schema, name);
  }
  return ajv;
};

/** Ajv has no limit on the errors it collects, so the generated code gets one where it counts them. */
const stopAfterMaxErrors = (code: string): string =>
  code
    .replaceAll("errors++;", `errors++;if(errors>${maxErrors})throw vErrors;`)
    .replaceAll("errors = vErrors.length;", `errors = vErrors.length;if(errors>${maxErrors})throw vErrors;`);

const listErrors = (validate: ValidateFunction, value: unknown): ErrorObject[] => {
  try {
    validate(value);
  } catch (found) {
    if (Array.isArray(found)) {
      return found;
    }
    throw found;
  }
  return validate.errors ?? [];
};

/**
 * The schema as the caller sees it: a property that has a default is not required. Areas write such properties as
 * plain ones, so that handlers get them without `undefined`.
 */
export const asInput = (schema: TSchema): TSchema => relaxObject({ ...schema });

const relax = (node: unknown): unknown => {
  if (Array.isArray(node)) {
    return node.map(relax);
  }
  if (typeof node !== "object" || node === null) {
    return node;
  }
  return relaxObject({ ...node });
};

const relaxObject = (node: Record<string, unknown>): Record<string, unknown> => {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    copy[key] = verbatimKeywords.has(key) ? value : relax(value);
  }
  const { required, properties } = copy;
  if (Array.isArray(required) && typeof properties === "object" && properties !== null) {
    const left = required.filter((name) => !hasDefault(Reflect.get(properties, String(name))));
    if (left.length > 0) {
      copy["required"] = left;
    } else {
      delete copy["required"];
    }
  }
  return copy;
};

/** Values, not schemas: a default that looks like a schema must stay as it is. */
const verbatimKeywords = new Set(["default", "const", "enum", "examples", "example"]);

const hasDefault = (schema: unknown): boolean =>
  typeof schema === "object" && schema !== null && Object.hasOwn(schema, "default");

/** The router takes no longer ones (server.ts). */
const maxNameLength = 2048;

/** Parameters of a path without a schema of its own: each a string that is not empty. */
export const pathSchema = (names: readonly string[]): TObject =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Type.String({ minLength: 1, maxLength: maxNameLength })])),
  );
