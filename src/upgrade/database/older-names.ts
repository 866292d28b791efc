/** Pure. How an installation with variables of older releases reaches its database. */
import { renamedVariables } from "../../platform/config/renames.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The same variables under their new names; a new name that is set counts. */
export function withNewNames(env: Variables): Record<string, string | undefined> {
  const known: Record<string, string | undefined> = { ...env };
  for (const { old, now } of renamedVariables) {
    if (!env[old]) continue;
    for (const { name, fallback } of now) if (!env[name] && !env[fallback ?? ""]) known[name] = env[old];
    delete known[old];
  }
  return known;
}
