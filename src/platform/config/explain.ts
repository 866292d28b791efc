import type { ErrorObject } from "ajv/dist/2020.js";
import { unescapeKey } from "../lib/json-pointer.ts";
import { nearest } from "./hints.ts";
import { settingsJson } from "./schema/schema.ts";
import { nodeAt, placeOf, type Located, type Path } from "./source/located.ts";
import type { ConfigProblems } from "./source/problems.ts";
import { listSettings, schemaAt } from "./source/schema-paths.ts";

/** Turns validator errors into problems with a place and a message, without any value. */
export function explainErrors(
  errors: readonly ErrorObject[],
  { root, failed, problems }: { root: Located; failed: readonly Path[]; problems: ConfigProblems },
): void {
  const known = new Set(failed.map((path) => JSON.stringify(path)));
  for (const error of errors) {
    const path = pathOf(error.instancePath, root);
    const subject = subjectOf(error, path);
    if (known.has(JSON.stringify(path)) || known.has(JSON.stringify(subject))) continue;
    const which = error.keyword === "additionalProperties" ? "key" : "value";
    problems.add(placeOf(root, subject, which), subject, explain(error, path, root));
  }
}

function subjectOf(error: ErrorObject, path: Path): Path {
  if (error.keyword === "additionalProperties") return [...path, wordOf(error, "additionalProperty")];
  if (error.keyword === "required") return [...path, wordOf(error, "missingProperty")];
  return path;
}

/** A JSON pointer to a path; a part is an index where the tree has a list. */
function pathOf(pointer: string, root: Located): Path {
  const path: (string | number)[] = [];
  for (const part of pointer.split("/").slice(1)) {
    const key = unescapeKey(part);
    path.push(nodeAt(root, path)?.kind === "list" ? Number(key) : key);
  }
  return path;
}

/** Parameters of an error, which the validator leaves untyped. */
const wordOf = ({ params }: ErrorObject, name: string): string => String(params[name]);

const wordsOf = ({ params }: ErrorObject, name: string): string[] => [params[name]].flat().map(String);

interface Remark {
  message: string;
  solution?: string;
}

function explain(error: ErrorObject, path: Path, root: Located): Remark {
  const { keyword, params } = error;
  const expected = schemaAt(settingsJson, path)?.["x-expects"];
  switch (keyword) {
    case "additionalProperties":
      return { message: "is not a known setting", ...hintFor(wordOf(error, "additionalProperty"), path) };
    case "required":
      return { message: "is required" };
    case "type":
      return explainType(wordsOf(error, "type"), path, root);
    case "enum":
      return explainEnum(wordsOf(error, "allowedValues"), path, root);
    case "minimum":
      return { message: `must be at least ${params["limit"]}` };
    case "maximum":
      return { message: `must be at most ${params["limit"]}` };
    case "minLength":
      return {
        message:
          params["limit"] === 1 ? "must not be empty" : `must have at least ${params["limit"]} characters`,
      };
    case "maxLength":
      return { message: `must have at most ${params["limit"]} characters` };
    case "minItems":
      return {
        message: params["limit"] === 1 ? "must not be an empty list" : `needs ${params["limit"]} entries`,
      };
    case "maxItems":
      return { message: `must have at most ${params["limit"]} entries` };
    case "uniqueItems":
      return { message: "has the same entry twice" };
    default:
      return { message: expected ? `must be ${expected}` : "is not valid" };
  }
}

const typeWords: Record<string, string> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a map of settings",
};

function explainType(wanted: string[], path: Path, root: Located): Remark {
  const message = `must be ${wanted.map((name) => typeWords[name] ?? name).join(" or ")}`;
  const node = nodeAt(root, path);
  if (node?.kind !== "leaf" || node.source.type !== "plain") return { message };
  const { value } = node.source;
  if (typeof value === "string") {
    const looksRight =
      wanted.some((name) => name === "integer" || name === "number") && /^-?\d+(\.\d+)?$/.test(value)
        ? true
        : wanted.includes("boolean") && /^(true|false)$/.test(value);
    return looksRight ? { message, solution: "Remove the quotes." } : { message };
  }
  const needsQuotes = wanted.includes("string") && value !== null;
  return needsQuotes ? { message, solution: "Put the value in quotes." } : { message };
}

function explainEnum(allowed: string[], path: Path, root: Located): Remark {
  const message = `must be one of ${allowed.join(", ")}`;
  const node = nodeAt(root, path);
  const written = node?.kind === "leaf" && node.source.type === "plain" ? node.source.value : undefined;
  const meant = typeof written === "string" ? nearest(written, allowed) : undefined;
  return meant ? { message, solution: `Did you mean ${meant}?` } : { message };
}

/** A similar name beside it, the same name elsewhere, or else the list of names that are possible here. */
function hintFor(key: string, parent: Path): { solution?: string } {
  const schema = schemaAt(settingsJson, parent);
  const siblings = Object.keys(schema?.properties ?? {});
  const similar = nearest(key, siblings);
  if (similar) return { solution: `Did you mean ${similar}?` };
  const elsewhere = listSettings(settingsJson)
    .filter(({ path, schema: { properties } }) => path.at(-1) === key && !properties)
    .map(({ path }) => path.join("."));
  if (elsewhere.length > 0 && elsewhere.length <= 3)
    return { solution: `Did you mean ${elsewhere.join(" or ")}?` };
  return siblings.length > 0 ? { solution: `Possible here: ${siblings.join(", ")}.` } : {};
}
