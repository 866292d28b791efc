/** Reads stored tokens with what is known of their owners, and notes who signs in and when a token is used. */
import type { Db } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Role } from "../../lib/actor.ts";
import { narrowed } from "./rights.ts";
import type { KnownOwner, OwnerSource, StoredToken, TokenKind } from "./token.ts";

/** A token by its hash, or by its id. */
export type TokenKey = { hash: Buffer } | { id: string };

export interface TokenRow {
  id: string;
  kind: TokenKind;
  roles: Role[];
  scopes: string[];
  expiresAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  ref: string | null;
  source: OwnerSource | null;
  provider: string | null;
  ownerRoles: Role[] | null;
  domains: string[] | null;
  knownAt: Date | null;
}

/** Of `access_tokens t`, with its owner `o`. */
export const tokenColumns = sql`t.id, t.kind, t.roles, t.scopes, t.expires_at as "expiresAt",
  t.revoked_at as "revokedAt", t.last_used_at as "lastUsedAt", o.ref, o.source, o.provider,
  o.roles as "ownerRoles", o.domains, o.known_at as "knownAt"`;

export async function readStoredToken(db: Db, key: TokenKey): Promise<StoredToken | null> {
  const isFound = "hash" in key ? sql`t.hash = ${key.hash}` : sql`t.id = ${key.id}`;
  const { rows } = await sql<TokenRow>`select ${tokenColumns}
    from access_tokens t left join token_owners o on o.ref = t.owner
    where ${isFound}`.execute(db);
  const [row] = rows;
  return row === undefined ? null : storedTokenOf(row);
}

export function storedTokenOf(row: TokenRow): StoredToken {
  const { id, kind, roles, scopes, expiresAt, revokedAt, lastUsedAt } = row;
  const { ref, source, provider, ownerRoles, domains, knownAt } = row;
  const isOwned =
    ref !== null && source !== null && provider !== null && ownerRoles !== null && knownAt !== null;
  const owner = isOwned ? { ref, source, provider, roles: ownerRoles, domains, knownAt } : null;
  return { id, kind, roles, scopes, expiresAt, revokedAt, lastUsedAt, owner };
}

export async function markTokenUsed(db: Db, id: string, at: Date): Promise<void> {
  await sql`update access_tokens set last_used_at = ${at}
    where id = ${id} and (last_used_at is null or last_used_at < ${at})`.execute(db);
}

/** What a sign-in showed. It only changes those who have tokens, and never goes back behind a later sign-in. */
export async function noteSignIn(db: Db, owner: Omit<KnownOwner, "source">): Promise<void> {
  const { ref, provider, roles, domains, knownAt } = owner;
  await sql`update token_owners set provider = ${provider}, roles = ${roles}::text[], domains = ${domains}::text[],
      known_at = ${knownAt}, updated_by = ${ref}
    where ref = ${ref} and source = 'signed' and known_at < ${knownAt}`.execute(db);
}

/**
 * What a JWT showed that does not say when it was issued. It may be an old one: so it takes away what it lacks, gives nothing, and does
 * not count as a later sign-in.
 */
export async function narrowOwner(
  db: Db,
  { ref, provider, roles, domains }: Omit<KnownOwner, "source" | "knownAt">,
): Promise<void> {
  const { rows } = await sql<Pick<KnownOwner, "roles" | "domains">>`select roles, domains from token_owners
    where ref = ${ref} and source = 'signed' and provider = ${provider}`.execute(db);
  const [known] = rows;
  const left = known && narrowed(known, { roles, domains });
  if (known === undefined || left === undefined) return;
  await sql`update token_owners set roles = ${left.roles}::text[], domains = ${left.domains}::text[], updated_by = ${ref}
    where ref = ${ref} and source = 'signed' and provider = ${provider} and roles = ${known.roles}::text[]
      and domains is not distinct from ${known.domains}::text[]`.execute(db);
}

/** Makes a token's owner known, with what it has shown just now. An account stays what it was made. */
export async function storeOwner(db: Db, owner: KnownOwner): Promise<void> {
  const { ref, source, provider, roles, domains, knownAt } = owner;
  await sql`insert into token_owners (ref, source, provider, roles, domains, known_at, updated_by)
    values (${ref}, ${source}, ${provider}, ${roles}::text[], ${domains}::text[], ${knownAt}, ${ref})
    on conflict (ref) do update set source = excluded.source, provider = excluded.provider, roles = excluded.roles,
      domains = excluded.domains, known_at = excluded.known_at, updated_by = excluded.updated_by
    where token_owners.source <> 'account' and token_owners.known_at <= excluded.known_at`.execute(db);
}
