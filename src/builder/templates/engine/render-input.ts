/** Pure: renders every string of a nested value, and finds errors in the strings without rendering them. */
import { filtersIn, hasTags } from "./expressions.ts";
import { checkSyntax, createStepScope, isKnownFilter } from "./render.ts";
import { textsOf, type TemplateContext, type Json } from "./template-value.ts";

export interface InputJob {
  input: Json;
  context: TemplateContext;
  /** The result of `failure()`. */
  hasFailed: boolean;
}

/** An error in one string of the input. */
export interface InputFault {
  /** Keys and indexes that lead to the string. */
  path: string[];
  reason: string;
  line?: number;
  column?: number;
}

export type InputResult = { ok: true; value: Json | undefined } | { ok: false; fault: InputFault };

/** Total length of all rendered strings of one input. */
const maxRenderedLength = 8 * 1024 * 1024;

class RenderStop extends Error {
  readonly fault: InputFault;
  constructor(fault: InputFault) {
    super(fault.reason);
    this.fault = fault;
  }
}

/**
 * Renders one input as a whole. A key whose text renders to nothing is dropped; a list item becomes null.
 * `atText` is called with the number of each text before it is rendered, in the order of `textsOf`.
 */
export function renderInput(job: InputJob, atText: (index: number) => void): InputResult {
  const evaluate = createStepScope(job.context, job.hasFailed);
  let index = 0;
  let length = 0;
  const renderText = (text: string, path: string[]): Json | undefined => {
    atText(index);
    index += 1;
    if (!hasTags(text)) return text;
    const result = evaluate(text);
    if (!result.ok) {
      const { ok: _ok, ...fault } = result;
      throw new RenderStop({ path, ...fault });
    }
    const { value } = result;
    if (value === undefined) return undefined;
    const rendered = typeof value === "string" ? value : asJson(value);
    length += typeof rendered === "string" ? rendered.length : (JSON.stringify(rendered)?.length ?? 0);
    if (length > maxRenderedLength) throw new RenderStop({ path, reason: "the output is too large" });
    return rendered;
  };
  const walk = (value: Json, path: string[]): Json | undefined => {
    if (typeof value === "string") return renderText(value, path);
    if (Array.isArray(value)) return value.map((item, at) => walk(item, [...path, String(at)]) ?? null);
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const rendered = walk(item, [...path, key]);
      return rendered === undefined ? [] : [[key, rendered]];
    });
    return Object.fromEntries(entries);
  };
  try {
    return { ok: true, value: walk(job.input, []) };
  } catch (error) {
    if (error instanceof RenderStop) return { ok: false, fault: error.fault };
    throw error;
  }
}

/**
 * Converts values of the engine to plain JSON: its records have no prototype, and its maps and sets have no
 * JSON form.
 */
const asJson = (value: unknown): Json => {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), asJson(item)]));
  if (value instanceof Set || Array.isArray(value)) return [...value].map(asJson);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object") return null;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item)]));
};

/** All errors that can be found without rendering: syntax, reserved names, unknown filters. */
export function checkInput(input: Json, atText: (index: number) => void): InputFault[] {
  return textsOf(input).flatMap(({ path, text }, index) => {
    atText(index);
    if (!hasTags(text)) return [];
    const refusal = checkSyntax(text);
    if (refusal !== null) {
      const { ok: _ok, ...fault } = refusal;
      return [{ path, ...fault }];
    }
    return filtersIn(text)
      .filter(({ name }) => !isKnownFilter(name))
      .map(({ name, line, column }) => ({ path, reason: `there is no filter "${name}"`, line, column }));
  });
}
