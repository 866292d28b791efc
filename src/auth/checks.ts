/** The check of access tokens: programs stop working when theirs ends. */
import type { Db } from "../platform/db/database.ts";
import { counted, databaseCheck, ok, warning, type Check, type Finding } from "../platform/lib/check.ts";
import { listSome } from "../platform/lib/list-some.ts";
import { listEnding, type EndingToken } from "./ending-store.ts";

const soonDays = 7;
const dayMs = 86_400_000;

export const authChecks = (db: Db, now: () => number): Check[] => [
  {
    name: "access tokens",
    guide: "tokens.md#listing-and-revoking",
    needs: databaseCheck,
    async look() {
      const at = now();
      const before = new Date(at + soonDays * dayMs);
      return tokensFinding(await listEnding(db, { now: new Date(at), before, limit: 100 }), at);
    },
  },
];

export function tokensFinding(ending: readonly EndingToken[], now: number): Finding {
  if (ending.length === 0) return ok(`None that is in use ends within ${soonDays} days.`);
  const textOf = ({ name, owner, expiresAt }: EndingToken): string =>
    `${name} of ${owner} in ${counted(Math.floor((expiresAt.getTime() - now) / dayMs), "day")}`;
  return warning(
    `Tokens that are in use end soon: ${listSome(ending, 5, textOf)}.`,
    "Make new ones with `plinth token create`, and give them to the programs.",
  );
}
