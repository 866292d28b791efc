/** Rows of service accounts: owners of tokens whose roles administrators set. */
import type { Db, Transaction } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { Role } from "../../platform/lib/actor.ts";

export interface AccountRow {
  ref: string;
  roles: Role[];
  domains: string[] | null;
  description: string | null;
  activeTokens: number;
  updatedAt: Date;
  updatedBy: string;
}

/** All of them, or the one of that reference. */
export async function listAccounts(db: Db, now: Date, ref: string | null = null): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`select ref, roles, domains, description, known_at as "updatedAt",
      updated_by as "updatedBy", (select count(*) from access_tokens t
        where t.owner = o.ref and t.revoked_at is null and t.expires_at > ${now}) as "activeTokens"
    from token_owners o where source = 'account' and (${ref}::text is null or ref = ${ref}) order by ref`.execute(
    db,
  );
  return rows;
}

/** The roles of an account, which no other transaction changes or deletes before this one ends; null where there is none. */
export async function lockAccount(tx: Transaction, ref: string): Promise<Role[] | null> {
  const { rows } = await sql<{ roles: Role[] }>`select roles from token_owners
    where ref = ${ref} and source = 'account' for update`.execute(tx);
  return rows[0]?.roles ?? null;
}

export interface AccountChange {
  ref: string;
  provider: string;
  roles: readonly Role[];
  domains: readonly string[] | null;
  description: string | null;
  at: Date;
  by: string;
  /** Changes nothing when the account exists already. */
  isNew: boolean;
}

/** False where the reference is of somebody who signs in, or of an account while a new one is to be made. */
export async function writeAccount(db: Db, change: AccountChange): Promise<boolean> {
  const { ref, provider, roles, domains, description, at, by, isNew } = change;
  const { rows } =
    await sql`insert into token_owners (ref, source, provider, roles, domains, description, known_at,
      updated_by)
    values (${ref}, 'account', ${provider}, ${[...roles]}::text[], ${domains && [...domains]}::text[],
      ${description}, ${at}, ${by})
    on conflict (ref) do update set roles = excluded.roles, domains = excluded.domains,
      description = excluded.description, known_at = excluded.known_at, updated_by = excluded.updated_by
    where token_owners.source = 'account' and not ${isNew}::boolean returning 1`.execute(db);
  return rows.length > 0;
}

export async function deleteAccount(db: Db, ref: string): Promise<boolean> {
  const { rows } =
    await sql`delete from token_owners where ref = ${ref} and source = 'account' returning 1`.execute(db);
  return rows.length > 0;
}

/** The ids of those that it has revoked. */
export async function revokeTokensOf(
  db: Db,
  owner: string,
  { by, at }: { by: string; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`update access_tokens set revoked_at = ${at}, revoked_by = ${by}
    where owner = ${owner} and revoked_at is null and expires_at > ${at} returning id`.execute(db);
  return rows.map(({ id }) => id);
}
