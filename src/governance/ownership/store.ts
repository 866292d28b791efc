/** Rows of the rules about who may touch whose unit. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { OwnershipRule } from "./rules.ts";

export interface StoredRules {
  version: number;
  rules: OwnershipRule[];
  createdAt: Date;
  createdBy: string;
}

/** The highest version; null while there is none. */
export async function readRules(db: Db): Promise<StoredRules | null> {
  const { rows } =
    await sql<StoredRules>`select version, rules, created_at as "createdAt", created_by as "createdBy"
    from ownership_rules order by version desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** The next version; false when there is another one than `from` by now. */
export async function insertRules(
  db: Db,
  { from, rules, at, by }: { from: number; rules: readonly OwnershipRule[]; at: Date; by: string },
): Promise<boolean> {
  const { rows } = await sql`insert into ownership_rules (version, rules, created_at, created_by)
    select ${from + 1}::int, ${JSON.stringify(rules)}::jsonb, ${at}::timestamptz, ${by}::text
    where ${from}::int = (select coalesce(max(version), 0) from ownership_rules)
    on conflict do nothing returning version`.execute(db);
  return rows.length > 0;
}
