import type { TemplateValue } from "nunjitsu";
import { filters } from "./filters.ts";
import type { RenderResult } from "./template-value.ts";

/**
 * Fast paths that give the same result as the engine, which reads a template character by character several times, while most entity
 * files are plain text with a few expressions; a property test compares them with the engine. They serve the goal of a descriptor in
 * 1.5 of the time of reading its files (bench/descriptor-build.ts). An entity file costs 52 to 76 µs of CPU, and 114 to 219 µs with the
 * engine alone (`node bench/tricks.ts`); a build costs 0.87 of the CPU (`npm run bench:compare`, two pairs), 2026-11-22.
 */

/** An expression without braces and trimming marks, and with complete string literals without escapes, so that its first `}}` ends it. */
const simpleExpression = /\$\{\{(?!-)((?:[^{}'"`]|'[^{}'"`\\]*'|"[^{}'"`\\]*")*)(?<!-)\}\}/g;
const onlySimpleExpression = new RegExp(`^${simpleExpression.source}$`);
/** `path.to.value`, without filters, calls or operators. */
const plainPath = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
const anyTag = /\$\{\{|\{%|\{#/;

/** Characters that one template may render to. */
export const maxRenderedLength = 4 * 1024 * 1024;

/**
 * Renders a template of text and simple expressions one expression at a time: they cannot affect each other,
 * so the result is the same. Null for a template with any other tag.
 */
export const renderByExpression = (
  template: string,
  variables: ReadonlyMap<string, TemplateValue>,
  renderOne: (expression: string) => RenderResult,
): RenderResult | null => {
  const matches = [...template.matchAll(simpleExpression)];
  const gaps = matches.map((match, index) => template.slice(endOf(matches[index - 1]), match.index));
  const rest = template.slice(endOf(matches.at(-1)));
  if (anyTag.test(rest) || gaps.some((gap) => anyTag.test(gap))) return null;
  const parts: string[] = [];
  let length = rest.length;
  for (const [index, match] of matches.entries()) {
    const value = quickValue((match[1] ?? "").trim(), variables);
    const isSimple = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    const result: RenderResult = isSimple ? { ok: true, value: String(value) } : renderOne(match[0]);
    if (!result.ok) return shiftPosition(result, template.slice(0, match.index));
    const text = typeof result.value === "string" ? result.value : "";
    parts.push(gaps[index] ?? "", text);
    length += (gaps[index]?.length ?? 0) + text.length;
    if (length > maxRenderedLength) {
      return shiftPosition(
        { ok: false, reason: "the output is too large", line: 1, column: 1 },
        template.slice(0, match.index),
      );
    }
  }
  parts.push(rest);
  return { ok: true, value: parts.join("") };
};

const endOf = (match: RegExpExecArray | undefined): number =>
  match === undefined ? 0 : match.index + match[0].length;

export const isSingleExpression = (template: string): boolean => onlySimpleExpression.test(template);

/** The value of a template that is one expression: a path, perhaps with quick filters. Null when the engine has to evaluate it. */
export const evaluatePath = (
  template: string,
  variables: ReadonlyMap<string, TemplateValue>,
): RenderResult | null => {
  const value = quickValue(onlySimpleExpression.exec(template)?.[1]?.trim() ?? "", variables);
  return value === undefined ? null : { ok: true, value };
};

/** The value of `path | filter | filter('literal')`, with any number of filters; undefined when the engine has to evaluate it. */
const quickValue = (
  expression: string,
  variables: ReadonlyMap<string, TemplateValue>,
): TemplateValue | undefined => {
  const [path = "", ...uses] = expression.split("|");
  return applyFilters(lookUp(path.trim(), variables), uses);
};

/** Looks up a path through maps; undefined whenever the engine might return something else. */
const lookUp = (path: string, variables: ReadonlyMap<string, TemplateValue>): TemplateValue | undefined => {
  if (!plainPath.test(path)) return undefined;
  const [first = "", ...rest] = path.split(".");
  let value = variables.get(first);
  for (const key of rest) {
    if (typeof value !== "object" || value === null) return undefined;
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) return undefined;
    value = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
  }
  return value;
};

/**
 * A filter that runs in linear time. `argument` is the string literal between its parentheses, if there is one. Returns undefined
 * whenever the engine might return something else.
 */
type QuickFilter = (input: TemplateValue, argument: string | undefined) => TemplateValue | undefined;

const ofText =
  (change: (text: string) => TemplateValue | undefined): QuickFilter =>
  (input, argument) =>
    typeof input === "string" && argument === undefined ? change(input) : undefined;

const isListOfTexts = (value: TemplateValue): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const isPlainObject = (value: TemplateValue): boolean =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const quickFilters: Readonly<Record<string, QuickFilter>> = {
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  trim: ofText((text) => text.trim()),
  join: (input, separator = "") => (isListOfTexts(input) ? input.join(separator) : undefined),
  parseEntityRef: ofText((text) => filters.parseEntityRef(text, undefined)),
  parseRepoUrl: ofText((text) => filters.parseRepoUrl(text)),
  projectSlug: ofText((text) => filters.projectSlug(text)),
  pick: (input, key) => (key !== undefined && isPlainObject(input) ? filters.pick(input, key) : undefined),
};

/** `name` or `name('literal')` */
const filterUse = /^\s*([A-Za-z]+)\s*(?:\(\s*(?:'([^'|]*)'|"([^"|]*)")\s*\)\s*)?$/;

/** Also undefined when a filter refuses its input: the engine says then what is wrong, and where. */
function applyFilters(value: TemplateValue | undefined, uses: readonly string[]): TemplateValue | undefined {
  let current = value;
  for (const use of uses) {
    const [, name = "", single, double] = filterUse.exec(use) ?? [];
    if (current === undefined || !Object.hasOwn(quickFilters, name)) return undefined;
    try {
      current = quickFilters[name]?.(current, single ?? double);
    } catch {
      return undefined;
    }
  }
  return current;
}

/**
 * Passes `work` only the part from the first to the last tag. White space next to the tags is included,
 * because a tag may trim it.
 */
export const renderMiddle = (template: string, work: (middle: string) => RenderResult): RenderResult => {
  const first = template.search(anyTag);
  if (first === -1) return { ok: true, value: template };
  const start = template.slice(0, first).trimEnd().length;
  const end = endOfTags(template);
  const result = work(template.slice(start, end));
  if (result.ok) {
    const middle = typeof result.value === "string" ? result.value : "";
    return { ok: true, value: template.slice(0, start) + middle + template.slice(end) };
  }
  return shiftPosition(result, template.slice(0, start));
};

/** The position of an error, when only the part after `before` was rendered. */
const shiftPosition = (failure: RenderResult & { ok: false }, before: string): RenderResult => {
  if (failure.line === undefined) return failure;
  const lines = before.split("\n");
  const columns = failure.line === 1 ? (lines.at(-1)?.length ?? 0) : 0;
  return {
    ...failure,
    line: failure.line + lines.length - 1,
    ...(failure.column === undefined ? {} : { column: failure.column + columns }),
  };
};

/** Start of the plain text after the last tag; an unclosed tag extends to the end. */
const endOfTags = (template: string): number => {
  const opened = Math.max(...["${{", "{%", "{#"].map((mark) => template.lastIndexOf(mark)));
  const closed = Math.max(...["}}", "%}", "#}"].map((mark) => template.lastIndexOf(mark)));
  if (closed < opened) return template.length;
  const text = template.slice(closed + 2);
  return template.length - text.trimStart().length;
};
