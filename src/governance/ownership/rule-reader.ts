/** Reads the stored rules; they are cached until they change. */
import type { Database } from "../../platform/db/database.ts";
import type { OwnershipRule } from "./rules.ts";
import { readRules } from "./store.ts";

export type ReadOwnershipRules = () => Promise<readonly OwnershipRule[]>;

/** The rules as they are when it is called; `readRevision` gives a number that is raised by each change of them. */
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
