/**
 * The phrases in which people ask for what is shipped, by its key: a tool, a page or its section by reference, a skill by its key. They are
 * two megabytes that are needed at the start and when somebody asks first, so they are read then and not retained.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Phrases = Readonly<Record<string, readonly string[]>>;

const file = join(import.meta.dirname, "asked-as.json");
let lastRead: WeakRef<Phrases> | undefined;
let version: string | undefined;

export function askedPhrases(): Phrases {
  const known = lastRead?.deref();
  if (known !== undefined) return known;
  const read = JSON.parse(readFileSync(file, "utf8")) as Phrases;
  lastRead = new WeakRef(read);
  return read;
}

export const askedAs = (key: string): readonly string[] | undefined => {
  const all = askedPhrases();
  return Object.hasOwn(all, key) ? all[key] : undefined;
};

/** Differs for other phrases. */
export const phrasesVersion = (): string =>
  (version ??= createHash("sha256").update(readFileSync(file)).digest("base64url").slice(0, 8));
