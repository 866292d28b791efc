/** Pure: masks secret values in texts that leave the process. */

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

/** Shorter ones are hidden only where they stand alone: they are part of every other word. */
const shortest = 3;

/** Hides the secrets, also as they look in JSON, in a URL or in base64, and each line of those that have several. */
export function createMask(secrets: readonly string[]): Mask {
  const given = new Set(secrets.filter((secret) => secret !== ""));
  const parts = [...given].flatMap((secret) => [secret, ...secret.split(/\r?\n/).map((line) => line.trim())]);
  const forms = new Set(parts.filter((part) => part.length >= shortest).flatMap(formsOf));
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  const pattern =
    longestFirst.length === 0 ? null : new RegExp(longestFirst.map(escapePattern).join("|"), "g");
  const text = (value: string): string => {
    if (given.has(value)) return hidden;
    return pattern === null ? value : value.replace(pattern, hidden);
  };
  return {
    isEmpty: given.size === 0,
    text,
    json: (value) => (given.size === 0 ? value : maskJson(value, text)),
    finds: (bytes) => longestFirst.some((form) => bytes.includes(form)),
    pieces: () => maskPieces(longestFirst, pattern),
  };
}

function maskPieces(forms: readonly string[], pattern: RegExp | null): PieceMask {
  const firsts = new Set(forms.map((form) => form.charCodeAt(0)));
  const longest = forms[0]?.length ?? 0;
  let held = "";
  /** Where the first incomplete secret may begin. */
  const openAt = (): number => {
    for (let at = Math.max(held.length - longest + 1, 0); at < held.length; at += 1) {
      if (!firsts.has(held.charCodeAt(at))) continue;
      const rest = held.slice(at);
      if (forms.some((form) => form.length > rest.length && form.startsWith(rest))) return at;
    }
    return held.length;
  };
  return {
    push(piece) {
      if (pattern === null) return piece;
      held += piece;
      let certain = openAt();
      for (const { index, 0: found } of held.matchAll(pattern))
        if (index < certain) certain = Math.max(certain, index + found.length);
      const out = held.slice(0, certain).replace(pattern, hidden);
      held = held.slice(certain);
      return out;
    },
    end() {
      const out = pattern === null ? held : held.replace(pattern, hidden);
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

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

function maskJson<T>(value: T, text: (value: string) => string): T;
function maskJson(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (typeof value === "number") return text(String(value)) === hidden ? hidden : value;
  if (Array.isArray(value)) return value.map((item: unknown) => maskJson(item, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), maskJson(item, text)]));
}

/** Every text and number in a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
