/** Pure: masks secrets in JSON values, and replaces masks that are sent back by the stored values. */
import { maskCredentials } from "../platform/lib/secrets/secret-names.ts";
import type { SecretBox } from "../platform/lib/secrets/secret-box.ts";
import { assistantFailure } from "./error-codes.ts";

/** Replaces a secret in responses; sent back, it keeps the value that is stored at its place. */
export const mask = "********";

/** Which values are masked: all texts; texts in the form of a secret; or, below the name of a secret, all texts and numbers. */
type MaskScope = "all" | "named" | "below";

/** A masked copy of the same structure, so that `unmasked` finds the place of each mask. */
export function maskTexts(value: unknown, scope: MaskScope, isSecret: (name: string) => boolean): unknown {
  if (typeof value === "string") return isMasked(value, scope) ? mask : value;
  if (typeof value === "number") return scope === "below" ? mask : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskTexts(item, scope, isSecret));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      maskTexts(item, isSecret(name) ? "below" : scope, isSecret),
    ]),
  );
}

const isMasked = (text: string, scope: MaskScope): boolean =>
  text !== "" && (scope !== "named" || maskCredentials(text) !== text);

export interface Unmasked {
  value: unknown;
  /** Paths of masks without a stored value; they are left out of `value`. */
  unknown: string[][];
}

/** Replaces each mask by the value that is stored at the same place. */
export function unmasked(given: unknown, stored: unknown): Unmasked {
  const unknown: string[][] = [];
  const value = restoreMasks(given, stored, { path: [], unknown });
  return { value, unknown };
}

interface Place {
  path: string[];
  unknown: string[][];
}

function restoreMasks(given: unknown, stored: unknown, { path, unknown }: Place): unknown {
  if (given === mask) {
    if (typeof stored === "string" || typeof stored === "number") return stored;
    unknown.push(path);
    return undefined;
  }
  if (typeof given !== "object" || given === null) return given;
  const at = (name: string): unknown =>
    typeof stored === "object" && stored !== null && Object.hasOwn(stored, name)
      ? Reflect.get(stored, name)
      : undefined;
  const inside = (item: unknown, name: string): unknown =>
    restoreMasks(item, at(name), { path: [...path, name], unknown });
  if (Array.isArray(given))
    return given.map((item, n) => inside(item, String(n))).filter((item) => item !== undefined);
  const entries = Object.entries(given).map(([name, item]) => [name, inside(item, name)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

// Opens stored secrets; one that can't be opened is an error and never treated as missing.

interface Sealed {
  sealed: Buffer;
  /** The context that it was sealed for. */
  about: string;
  /** The owner, for the message. */
  what: string;
}

/** Throws ASSISTANT_SECRET_UNREADABLE when it was sealed with another key or for another context, or was changed. */
export function openSecret(box: Pick<SecretBox, "open">, { sealed, about, what }: Sealed): string {
  const opened = box.open(sealed, about);
  if (opened !== null) return opened.toString("utf8");
  throw assistantFailure("ASSISTANT_SECRET_UNREADABLE", {
    message: `The stored secrets of ${what} can't be opened with the key of this installation. Give them again.`,
  });
}
