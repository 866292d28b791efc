/**
 * String methods that the engine lacks, as filters: `name.padStart(8)` becomes `(name | method.padStart(8))`.
 */
import type { TemplateFilter, TemplateValue } from "nunjitsu";
import { maxRenderedLength } from "./shortcuts.ts";

type Value = TemplateValue | undefined;

/** The form in which a regular expression arrives; see method-calls.ts. */
export interface RegexLiteral {
  regex: string;
  flags: string;
}

const texts: Record<string, (text: string, ...given: Value[]) => Value> = {
  at: (text, index) => text.at(Number(index ?? 0)),
  codePointAt: (text, index) => text.codePointAt(Number(index ?? 0)),
  localeCompare: (text, other) => text.localeCompare(shown(other)),
  match: (text, pattern) => listOf(text.match(patternOf(pattern))),
  normalize: (text, form) => text.normalize(form === undefined ? "NFC" : shown(form)),
  padEnd: (text, length, filling) => text.padEnd(lengthOf(length), fillingOf(filling)),
  padStart: (text, length, filling) => text.padStart(lengthOf(length), fillingOf(filling)),
  repeat(text, count) {
    lengthOf(text.length * Number(count));
    return text.repeat(Number(count));
  },
  replaceAll: (text, wanted, replacement) => replaceAll(text, wanted, replacement),
  search: (text, pattern) => text.search(patternOf(pattern)),
  substr(text, start, length) {
    const from = Number(start ?? 0);
    const begin = from < 0 ? Math.max(0, text.length + from) : from;
    return text.slice(begin, length === undefined ? undefined : begin + Math.max(0, Number(length)));
  },
  toLocaleLowerCase: (text) => text.toLowerCase(),
  toLocaleUpperCase: (text) => text.toUpperCase(),
  toString: (text: string) => text,
  trimLeft: (text) => text.trimStart(),
  trimRight: (text) => text.trimEnd(),
};

export const methodNames: readonly string[] = Object.keys(texts);

/** By their names in the engine. */
export const methodFilters: Record<string, TemplateFilter> = Object.fromEntries(
  methodNames.map((name) => [
    `method.${name}`,
    (receiver: Value, ...given: Value[]) => callMethod(name, receiver, given),
  ]),
);

function callMethod(name: string, receiver: Value, given: Value[]): Value {
  const method = texts[name];
  if (typeof receiver === "string" && method !== undefined) return method(receiver, ...given);
  if (Array.isArray(receiver) && name === "at") return (receiver as Value[]).at(Number(given[0] ?? 0));
  if (name === "toString" && receiver !== null && receiver !== undefined) return shown(receiver, given[0]);
  const what = receiver === null || receiver === undefined ? "nothing" : kindOf(receiver);
  throw new TypeError(`${what} has no method ${name}`);
}

/** Converts a value to text like JavaScript does. */
function shown(value: Value, radix?: Value): string {
  if (typeof value === "number") return value.toString(radix === undefined ? undefined : Number(radix));
  if (Array.isArray(value))
    return value.map((item: TemplateValue) => (item === null ? "" : shown(item))).join(",");
  return typeof value === "object" && value !== null ? "[object Object]" : String(value);
}

const kindOf = (value: TemplateValue): string => (Array.isArray(value) ? "a list" : `a ${typeof value}`);

function lengthOf(given: Value): number {
  const length = Number(given);
  if (length > maxRenderedLength) throw new RangeError("the output is too large");
  return length;
}

const fillingOf = (filling: Value): string => (filling === undefined ? " " : shown(filling));

function replaceAll(text: string, wanted: Value, given: Value): string {
  const replacement = shown(given);
  const pattern = isPattern(wanted) ? patternOf(wanted) : shown(wanted);
  if (pattern instanceof RegExp && !pattern.global) throw new TypeError("replaceAll needs the flag g");
  const found = pattern instanceof RegExp ? (text.match(pattern)?.length ?? 0) : text.split(pattern).length;
  // `$` patterns in the replacement could insert the whole text.
  const most = replacement.length + (replacement.split("$").length - 1) * text.length;
  lengthOf(text.length + found * most);
  return text.replaceAll(pattern, replacement);
}

const isPattern = (value: Value): value is TemplateValue & RegexLiteral =>
  typeof value === "object" && value !== null && "regex" in value && "flags" in value;

const patternOf = (value: Value): RegExp =>
  isPattern(value)
    ? new RegExp(value.regex, value.flags)
    : new RegExp(value === undefined ? "" : shown(value));

const listOf = (match: readonly (string | undefined)[] | null): TemplateValue =>
  match === null ? null : Array.from(match, (part) => part ?? null);
