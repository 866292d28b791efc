/** Pure: fills in defaults, including those of conditional branches that apply to the value, and of definitions. */
import { definitionOf, type JsonObject, type JsonSchema } from "./json-schema.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

export type Fits = (part: JsonSchema, value: unknown) => boolean;

const maxDepth = 40;
/** Parts that are looked at behind references: definitions that refer to each other have paths without end. */
const maxParts = 20_000;

interface Scope {
  fits: Fits;
  /** The schema that references are resolved in. */
  root: JsonSchema;
  /** Parts that may still be looked at behind references. */
  left: number;
}

/** Where in the value, and how it was reached. */
interface At {
  depth: number;
  /** References that were followed since the last section that was given; none of them is followed again. */
  refs: readonly string[];
}

/** Changes the value in place. A branch applies when the value matches it without its defaults. */
export function applyDefaults(schema: JsonSchema, value: JsonObject, fits: Fits): void {
  applyPart(schema, value, { fits, root: schema, left: maxParts }, { depth: 0, refs: [] });
}

function applyPart(schema: JsonSchema, value: JsonObject, scope: Scope, at: At): void {
  // As many as somebody gives may have one reference each.
  if (at.refs.length > 1) scope.left -= 1;
  if (at.depth > maxDepth || scope.left < 0) return;
  fillProperties(schema, value, scope, at);
  const next = { ...at, depth: at.depth + 1 };
  for (const part of partsThatApply(schema, value, scope)) applyPart(part, value, scope, next);
  const definition = follow(schema, scope, at.refs);
  if (definition !== null)
    applyPart(definition.schema, value, scope, { ...next, refs: [...at.refs, definition.ref] });
}

function fillProperties(schema: JsonSchema, value: JsonObject, scope: Scope, at: At): void {
  const { properties, required } = schema;
  if (!isRecord(properties)) return;
  const depth = at.depth + 1;
  for (const [name, part] of Object.entries(properties)) {
    if (!isRecord(part)) continue;
    const isGiven = Object.hasOwn(value, name);
    const isRequired = Array.isArray(required) && required.includes(name);
    const given = defaultOf(part, scope);
    if (!isGiven && isWanted(part, given, { isRequired, fits: scope.fits })) define(value, name, given);
    // A section with nested defaults is created even when the user left it out.
    const isMade = !Object.hasOwn(value, name) && hasInnerDefault(part, scope, { ...at, depth });
    if (isMade) define(value, name, {});
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (isRecord(own)) applyPart(part, own, scope, { depth, refs: isGiven ? [] : at.refs });
    // One whose defaults are those of a definition stays out where they are not all that it needs.
    if (isMade && !isRequired && !hasOwnInnerDefault(part, depth) && !scope.fits(part, own))
      delete value[name];
    const items = Array.isArray(own)
      ? partOf(part, scope, ({ items: each }) => (isRecord(each) ? each : undefined))
      : undefined;
    if (!Array.isArray(own) || items === undefined) continue;
    for (const item of own) if (isRecord(item)) applyPart(items, item, scope, { depth, refs: [] });
  }
}

/** The definition that a schema refers to; null for one that has been followed. */
function follow(
  { $ref: ref }: JsonSchema,
  { root }: Pick<Scope, "root">,
  refs: readonly string[],
): { ref: string; schema: JsonSchema } | null {
  if (typeof ref !== "string" || refs.includes(ref)) return null;
  const schema = definitionOf(root, ref);
  return isRecord(schema) ? { ref, schema } : null;
}

/** What a schema has itself, or else the definition that it refers to. */
function partOf<T>(
  schema: JsonSchema,
  scope: Pick<Scope, "root">,
  read: (schema: JsonSchema) => T | undefined,
): T | undefined {
  const refs: string[] = [];
  for (let at: JsonSchema | undefined = schema; at !== undefined;) {
    const found = read(at);
    if (found !== undefined) return found;
    const definition = follow(at, scope, refs);
    if (definition !== null) refs.push(definition.ref);
    at = definition?.schema;
  }
  return undefined;
}

const defaultOf = (part: JsonSchema, scope: Pick<Scope, "root">): unknown =>
  partOf(part, scope, (schema) => schema["default"]);

/**
 * A default that its own schema refuses, such as an empty string for a field with a pattern, means that the
 * field stays empty. For a required field it is used nevertheless, and reported as invalid.
 */
const isWanted = (
  part: JsonSchema,
  given: unknown,
  { isRequired, fits }: { isRequired: boolean; fits: Fits },
): boolean => given !== undefined && (isRequired || isRecord(given) || fits(part, given));

/** Defines any key as an own property, also `__proto__`. */
function define(value: JsonObject, name: string, given: unknown): void {
  const copy: unknown = structuredClone(given);
  Object.defineProperty(value, name, { value: copy, enumerable: true, writable: true, configurable: true });
}

/** Without those of definitions. */
function hasOwnInnerDefault({ properties }: JsonSchema, depth: number): boolean {
  if (depth >= maxDepth || !isRecord(properties)) return false;
  return Object.values(properties).some(
    (part) => isRecord(part) && (part["default"] !== undefined || hasOwnInnerDefault(part, depth + 1)),
  );
}

function hasInnerDefault(schema: JsonSchema, scope: Scope, { depth, refs }: At): boolean {
  if (refs.length > 0) scope.left -= 1;
  if (depth >= maxDepth || scope.left < 0) return false;
  const { properties } = schema;
  const inner = { depth: depth + 1, refs };
  const isInside =
    isRecord(properties) &&
    Object.values(properties).some(
      (part) =>
        isRecord(part) && (defaultOf(part, scope) !== undefined || hasInnerDefault(part, scope, inner)),
    );
  if (isInside) return true;
  const definition = follow(schema, scope, refs);
  if (definition === null) return false;
  return hasInnerDefault(definition.schema, scope, { ...inner, refs: [...refs, definition.ref] });
}

function partsThatApply(schema: JsonSchema, value: JsonObject, scope: Scope): JsonSchema[] {
  const { fits } = scope;
  const { dependencies } = schema;
  const dependent = isRecord(dependencies)
    ? Object.entries(dependencies).flatMap(([name, part]) => (Object.hasOwn(value, name) ? [part] : []))
    : [];
  const chosen = ["oneOf", "anyOf"].flatMap((key) => {
    const branches: unknown = schema[key];
    if (!Array.isArray(branches)) return [];
    return branches
      .filter((branch) => isRecord(branch) && fits(withoutDefaulted(branch, scope), value))
      .slice(0, 1);
  });
  const { allOf } = schema;
  return [
    ...dependent,
    ...chosen,
    ...(Array.isArray(allOf) ? allOf : []),
    conditional(schema, value, fits),
  ].filter(isRecord);
}

function conditional(schema: JsonSchema, value: JsonObject, fits: Fits): unknown {
  const condition = schema["if"];
  if (!isRecord(condition)) return undefined;
  return fits(condition, value) ? schema["then"] : schema["else"];
}

const relaxed = new WeakMap<JsonSchema, JsonSchema>();

/** A branch that requires properties with defaults also applies without them. */
function withoutDefaulted(branch: JsonSchema, scope: Pick<Scope, "root">): JsonSchema {
  let copy = relaxed.get(branch);
  if (copy === undefined) {
    copy = relax(branch, scope, []);
    relaxed.set(branch, copy);
  }
  return copy;
}

function relax(branch: JsonSchema, scope: Pick<Scope, "root">, refs: readonly string[]): JsonSchema {
  const { required, properties, allOf } = branch;
  const definition = follow(branch, scope, refs);
  let copy = branch;
  if (Array.isArray(required) && isRecord(properties)) {
    const left = required.filter((name) => {
      const part = properties[String(name)];
      return !isRecord(part) || defaultOf(part, scope) === undefined;
    });
    copy = { ...branch, required: left };
  }
  if (definition === null) return copy;
  const { $ref: _ref, ...own } = copy;
  const referred = relax(definition.schema, scope, [...refs, definition.ref]);
  return { ...own, allOf: [...(Array.isArray(allOf) ? allOf : []), referred] };
}
