/** Pure: masks secret values in texts that leave the process. */
import { createTextSearch, shortestSearched, type TextSearch } from "./text-search.ts";

export interface Mask {
  text(text: string): string;
  /** The same in every text of a value, keys included. */
  json<T>(value: T): T;
  /** Whether a secret is in these bytes. */
  finds(bytes: Buffer): boolean;
  /** For one text that arrives in chunks. */
  pieces(): PieceMask;
  /** Whether there is anything to hide. */
  isEmpty: boolean;
}

export interface PieceMask {
  /** The masked text so far; a possible beginning of a secret is held back until the next piece. */
  push(piece: string): string;
  /** What was held back at the last piece. */
  end(): string;
}

export const hidden = "***";

/** Hides the secrets, also as they look in JSON, in a URL or in base64, and each line of those that have several. */
export function createMask(secrets: readonly string[]): Mask {
  const given = new Set(secrets.filter((secret) => secret !== ""));
  const parts = [...given].flatMap((secret) => [secret, ...secret.split(/\r?\n/).map((line) => line.trim())]);
  // Shorter ones are hidden only where they stand alone: they are part of every other word.
  const forms = parts.filter((part) => part.length >= shortestSearched).flatMap(formsOf);
  const search = createTextSearch(forms);
  const text = (value: string): string => (given.has(value) ? hidden : hideIn(value, search));
  return {
    isEmpty: given.size === 0,
    text,
    json: (value) => (given.size === 0 ? value : maskJson(value, text)),
    finds: createFinder(forms),
    pieces: () => maskPieces(search),
  };
}

function hideIn(text: string, search: TextSearch): string {
  let masked = "";
  let end = 0;
  for (const { index, length } of search.in(text)) {
    masked += text.slice(end, index) + hidden;
    end = index + length;
  }
  return end === 0 ? text : masked + text.slice(end);
}

/** Node.js finds one text in bytes much faster than a search finds it; this many take as long. */
const maxOneByOne = 50;
/** Larger content is searched in parts of this length. */
const partBytes = 1024 * 1024;

function createFinder(forms: readonly string[]): Mask["finds"] {
  if (forms.length <= maxOneByOne) return (bytes) => forms.some((form) => bytes.includes(form));
  let search: TextSearch | undefined;
  return (bytes) => {
    // With a character for each byte, on both sides.
    search ??= createTextSearch(forms.map((form) => Buffer.from(form).toString("latin1")));
    for (let from = 0; from < bytes.length; from += partBytes) {
      const part = bytes.toString("latin1", from, from + partBytes + search.longest);
      for (const _match of search.in(part)) return true;
    }
    return false;
  };
}

function maskPieces(search: TextSearch): PieceMask {
  let held = "";
  return {
    push(piece) {
      held += piece;
      const certain = search.openAt(held);
      const out = hideIn(held.slice(0, certain), search);
      held = held.slice(certain);
      return out;
    },
    end() {
      const out = hideIn(held, search);
      held = "";
      return out;
    },
  };
}

const formsOf = (part: string): string[] => {
  const bytes = Buffer.from(part);
  return [
    part,
    JSON.stringify(part).slice(1, -1),
    encodeURIComponent(part.toWellFormed()),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
};

/** Without recursion: what others send may be nested deeper than the stack allows. */
function maskJson<T>(value: T, text: (value: string) => string): T;
function maskJson(value: unknown, text: (value: string) => string): unknown {
  const open: { from: object; copy: Record<string, unknown> | unknown[] }[] = [];
  const masked = (item: unknown): unknown => {
    if (typeof item === "string") return text(item);
    if (typeof item === "number") return text(String(item)) === hidden ? hidden : item;
    if (typeof item !== "object" || item === null) return item;
    const copy = Array.isArray(item) ? [] : {};
    open.push({ from: item, copy });
    return copy;
  };
  const whole = masked(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, copy } = next;
    if (Array.isArray(copy)) for (const item of Object.values(from)) copy.push(masked(item));
    else for (const [key, item] of Object.entries(from)) setOwn(copy, text(key), masked(item));
  }
  return whole;
}

/** An assignment to `__proto__` would set the prototype. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Every text and number in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
