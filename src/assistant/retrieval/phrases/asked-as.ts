/** Pure: the phrases in which people ask for what is shipped. */
import { createHash } from "node:crypto";
import asked from "./asked-as.json" with { type: "json" };

/** By the key of what is asked for: a tool, a page or its section by reference, a skill by its key. */
export const askedPhrases: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(asked));

export const askedAs = (reference: string): readonly string[] | undefined => askedPhrases.get(reference);

/** Differs for other phrases. */
export const phrasesVersion = createHash("sha256")
  .update(JSON.stringify(asked))
  .digest("base64url")
  .slice(0, 8);
