/** Reads the stored rules; they are cached until they change. */
import type { Database } from "../../platform/db/database.ts";
import type { OwnershipRule } from "./rules.ts";
import { readRules } from "./store.ts";

export type ReadOwnershipRules = () => Promise<readonly OwnershipRule[]>;

/** Returns a function that reads the current rules. Each change of the rules also changes the result of `readRevision`. */
export function createRuleReader(
  { db }: Pick<Database, "db">,
  readRevision: () => Promise<string>,
): ReadOwnershipRules {
  let cached: { revision: string; rules: readonly OwnershipRule[] } | null = null;
  return async () => {
    // Read before the rules: what is changed in between is read again at the next call.
    const revision = await readRevision();
    if (cached?.revision !== revision) cached = { revision, rules: (await readRules(db))?.rules ?? [] };
    return cached.rules;
  };
}
