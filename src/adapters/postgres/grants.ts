/** Who may read a relation: the live grants, and how to bring them to a wanted set. */
import type { RelationName } from "./descriptor/identifiers.ts";
import { quote, quoteRelation } from "./descriptor/identifiers.ts";
import type { Session } from "./session.ts";

/** Roles beside the owner that hold any privilege on the relation or its columns; `public` for everybody. */
export async function readGrantees(session: Session, oid: string): Promise<string[]> {
  const rows = await session.query<{ grantee: string }>(
    `SELECT DISTINCT CASE g.grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(g.grantee)::text END AS grantee
     FROM pg_class c
       CROSS JOIN LATERAL (
         SELECT (aclexplode(c.relacl)).grantee
         UNION SELECT (aclexplode(a.attacl)).grantee FROM pg_attribute a WHERE a.attrelid = c.oid) g
     WHERE c.oid = $1::oid AND g.grantee <> c.relowner ORDER BY 1`,
    [oid],
  );
  return rows.map((row) => row.grantee);
}

/** Roles beside the owner that may SELECT the whole relation. */
export async function readReaders(session: Session, oid: string): Promise<string[]> {
  const rows = await session.query<{ grantee: string }>(
    `SELECT DISTINCT CASE g.grantee WHEN 0 THEN 'public' ELSE pg_get_userbyid(g.grantee)::text END AS grantee
     FROM pg_class c, aclexplode(c.relacl) g
     WHERE c.oid = $1::oid AND g.grantee <> c.relowner AND g.privilege_type = 'SELECT' ORDER BY 1`,
    [oid],
  );
  return rows.map((row) => row.grantee);
}

const roleList = (roles: string[]): string =>
  roles.map((role) => (role === "public" ? "PUBLIC" : quote(role))).join(", ");

/** Takes every privilege away, also those that a grantee passed on. */
export async function revokeAll(session: Session, relation: RelationName, roles: string[]): Promise<void> {
  if (roles.length === 0) return;
  await session.query(`REVOKE ALL ON TABLE ${quoteRelation(relation)} FROM ${roleList(roles)} CASCADE`);
}

export async function grantSelect(session: Session, relation: RelationName, roles: string[]): Promise<void> {
  if (roles.length === 0) return;
  await session.query(`GRANT SELECT ON TABLE ${quoteRelation(relation)} TO ${roleList(roles)}`);
}

/**
 * Gives USAGE on a schema to roles that need it now, and takes it from reader roles that no relation in it needs.
 * Grants on one schema change one row of the catalogue, so they are made one after the other.
 */
export async function settleUsage(session: Session, schema: string, roles: string[]): Promise<void> {
  const named = roles.filter((role) => role !== "public");
  if (named.length === 0) return;
  const wanted = await usageChanges(session, schema, named);
  if (wanted.give.length === 0 && wanted.take.length === 0) return;
  await session.lock(`grants:${schema}`);
  const { give, take } = await usageChanges(session, schema, named);
  if (give.length > 0) await session.query(`GRANT USAGE ON SCHEMA ${quote(schema)} TO ${roleList(give)}`);
  if (take.length > 0) await session.query(`REVOKE USAGE ON SCHEMA ${quote(schema)} FROM ${roleList(take)}`);
}

async function usageChanges(
  session: Session,
  schema: string,
  roles: string[],
): Promise<{ give: string[]; take: string[] }> {
  const rows = await session.query<{ role: string; has: boolean; needs: boolean; ours: boolean }>(
    `SELECT r.rolname AS role,
       EXISTS (SELECT 1 FROM aclexplode(n.nspacl) g WHERE g.grantee = r.oid AND g.privilege_type = 'USAGE') AS has,
       EXISTS (SELECT 1 FROM pg_class c, aclexplode(c.relacl) g
               WHERE c.relnamespace = n.oid AND g.grantee = r.oid AND c.relowner <> r.oid) AS needs,
       coalesce(shobj_description(r.oid, 'pg_authid') ~ '^plinth: (user|group):', false) AS ours
     FROM pg_roles r, pg_namespace n WHERE r.rolname = ANY ($1::text[]) AND n.nspname = $2`,
    [roles, schema],
  );
  return {
    give: rows.filter((row) => row.needs && !row.has).map((row) => row.role),
    take: rows.filter((row) => row.has && !row.needs && row.ours).map((row) => row.role),
  };
}
