/** Values that templates work with. */
import type { TemplateContext, TemplateValue } from "nunjitsu";

export type { TemplateContext, TemplateValue };

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type RenderResult =
  | { ok: true; value: TemplateValue | undefined }
  | { ok: false; reason: string; line?: number; column?: number };

/** For what is neither a text nor a key, and for each item. */
const shortestValue = 16;

/** About the memory that a value takes, in characters; an object that is in it twice counts twice. Stops above `most`. */
export function lengthOf(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return shortestValue;
  let length = shortestValue;
  for (const [key, item] of Object.entries(value)) {
    if (length > most) break;
    const named = Array.isArray(value) ? 0 : key.length + shortestValue;
    length += named + lengthOf(item, most - length);
  }
  return length;
}

/** The strings of a value with their paths, in the order in which they are rendered. */
export function textsOf(value: unknown, path: string[] = []): { path: string[]; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsOf(item, [...path, key]));
}
