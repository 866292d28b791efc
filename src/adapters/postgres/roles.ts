/**
 * Roles that the adapter makes. None can log in; an operator grants them to login roles.
 * - A system's role owns the objects of one unit in one environment and runs its SQL, so that PostgreSQL itself
 *   keeps a system out of what others own.
 * - A reader's role stands for a `user:…` or `group:…` reference and holds the grants of access requests.
 * The comment of a role says what it stands for. Roles belong to the whole server, so they are never dropped here.
 */
import { DatabaseError } from "pg";

import { Failure } from "../../platform/errors/failure.ts";
import { invalid } from "../kit/descriptor.ts";
import type { Owner } from "./descriptor/component.ts";
import { quote, quoteLiteral, roleNameFor } from "./descriptor/identifiers.ts";
import type { Session } from "./session.ts";

/** @returns the name of the system's role, made when missing; the adapter can act as it. */
export async function ensureSystemRole(session: Session, owner: Owner): Promise<string> {
  const text = `system:${owner.environment}:${owner.unitId.toLowerCase()}`;
  try {
    const role = await ensureRole(session, { text, where: "/id" });
    // Before version 16 membership was enough to act as a role; since then it has to say so.
    const [row] = await session.query<{ member: boolean }>(
      `SELECT rolsuper OR pg_has_role(current_user, $1,
         CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) AS member
       FROM pg_roles WHERE rolname = current_user`,
      [role],
    );
    // A role that is not a superuser must be a member to act as the system.
    if (row?.member === false) await session.query(`GRANT ${quote(role)} TO CURRENT_USER`);
    return role;
  } catch (error) {
    throw rightsFailure(error, text);
  }
}

/** The author of a descriptor cannot fix missing rights here. */
function rightsFailure(error: unknown, role: string): unknown {
  if (!(error instanceof DatabaseError) || error.code !== "42501") return error;
  return new Failure({
    kind: "unavailable",
    code: "ADAPTER_DATABASE_RIGHTS",
    message: `The adapter's own role in the database may not make or use the role ${role}.`,
    solutions: [
      "Give the adapter's role CREATEROLE, and membership of roles that another login made for it.",
    ],
    cause: error,
  });
}

/** @returns the name of the reference's role, made when missing. */
export async function ensureReaderRole(session: Session, ref: string, where: string): Promise<string> {
  try {
    return await ensureRole(session, { text: ref, where });
  } catch (error) {
    throw rightsFailure(error, ref);
  }
}

async function ensureRole(
  session: Session,
  { text, where }: { text: string; where: string },
): Promise<string> {
  const name = roleNameFor(text);
  const comment = `plinth: ${text}`;
  if ((await commentOf(session, name)) === undefined) {
    await session.lock(`role:${name}`);
    if ((await commentOf(session, name)) === undefined) await createRole(session, name, comment);
  }
  if ((await commentOf(session, name)) !== comment) {
    throw invalid("A role of the database is in the way.", [
      {
        where,
        message: `the role ${name} exists and was not made by this adapter`,
        solution: "Let the operator of the database rename that role.",
      },
    ]);
  }
  return name;
}

/** @returns the role's comment, null when it has none, undefined when there is no such role. */
async function commentOf(session: Session, name: string): Promise<string | null | undefined> {
  const [row] = await session.query<{ comment: string | null }>(
    `SELECT shobj_description(oid, 'pg_authid') AS comment FROM pg_roles WHERE rolname = $1`,
    [name],
  );
  return row?.comment;
}

/** Another database of the same server may create the same role at the same time; then that role is used. */
async function createRole(session: Session, name: string, comment: string): Promise<void> {
  try {
    await session.savepoint(async () => {
      await session.query(`CREATE ROLE ${quote(name)} NOLOGIN`);
      await session.query(`COMMENT ON ROLE ${quote(name)} IS ${quoteLiteral(comment)}`);
    });
  } catch (error) {
    const madeByAnother = error instanceof DatabaseError && ["42710", "23505"].includes(error.code ?? "");
    if (!madeByAnother) throw error;
  }
}
