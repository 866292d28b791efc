/** Service accounts: programs that act by tokens of their own, with roles that administrators set. */
import { inTransaction, type Transaction } from "../../platform/db/database.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import { accountRef } from "./account-ref.ts";
import {
  deleteAccount,
  listAccounts,
  lockAccount,
  revokeTokensOf,
  writeAccount,
  type AccountRow,
} from "./store.ts";
import { writeAudit, type AuthContext } from "../context.ts";
import { authFailureOf } from "../errors.ts";
import type { WriteConditions } from "./headers.ts";
import type { AccountBody, AccountList, AccountView } from "./schema.ts";

/** What actors of service accounts have as their provider. */
const provider = "account";

export async function listServiceAccounts(ctx: AuthContext): Promise<AccountList> {
  return { data: (await listAccounts(ctx.auth.database.db, ctx.now())).map(viewOf) };
}

/** Makes it, or gives it other roles, as far as the conditions allow: all its tokens have those within seconds. */
export async function putServiceAccount(
  ctx: AuthContext,
  { name, isKnown, isNew }: { name: string } & WriteConditions,
  { roles, domains: given, description: said }: AccountBody,
): Promise<AccountView> {
  const { database, tokens } = ctx.auth;
  const ref = accountRef(name);
  const domains = given ?? null;
  const description = said ?? null;
  return inTransaction(database, async (tx) => {
    if (isKnown && (await lockAccount(tx, ref)) === null) throw notFound(name);
    const change = { ref, provider, roles, domains, description, at: ctx.now(), by: ctx.actor.ref, isNew };
    const isTaken = tokens.providers.fixed(ref) !== undefined || !(await writeAccount(tx, change));
    if (isTaken) throw await takenFailure(ctx, tx, ref);
    await writeAudit(tx, ctx, {
      operation: "putServiceAccount",
      subject: ref,
      detail: { roles, domains, description },
    });
    const [row] = await listAccounts(tx, ctx.now(), ref);
    return viewOf(row!);
  });
}

/** Why no account of that reference was written. */
async function takenFailure(ctx: AuthContext, tx: Transaction, ref: string): Promise<Failure> {
  const [known] = await listAccounts(tx, ctx.now(), ref);
  return known === undefined
    ? authFailureOf("AUTH_ACCOUNT_TAKEN", {
        message: `${ref} signs in by other means already.`,
        where: "name",
      })
    : authFailureOf("AUTH_ACCOUNT_EXISTS", {
        message: `There is a service account ${ref} already.`,
        where: "name",
      });
}

/** Its tokens are revoked. */
export async function deleteServiceAccount(ctx: AuthContext, name: string): Promise<void> {
  const { database, tokens } = ctx.auth;
  const ref = accountRef(name);
  const revoked = await inTransaction(database, async (tx) => {
    if (!(await deleteAccount(tx, ref))) throw notFound(name);
    const ids = await revokeTokensOf(tx, ref, { by: ctx.actor.ref, at: ctx.now() });
    await writeAudit(tx, ctx, {
      operation: "deleteServiceAccount",
      subject: ref,
      detail: { revoked: ids },
    });
    return ids;
  });
  for (const id of revoked) tokens.forget(id);
}

const notFound = (name: string): Failure =>
  authFailureOf("AUTH_ACCOUNT_NOT_FOUND", {
    message: `There is no service account ${name}.`,
    where: "name",
  });

const viewOf = ({ ref, updatedAt, ...row }: AccountRow): AccountView => ({
  name: ref.slice(ref.indexOf("/") + 1),
  ref,
  roles: row.roles,
  domains: row.domains,
  description: row.description,
  activeTokens: row.activeTokens,
  updatedAt: updatedAt.toISOString(),
  updatedBy: row.updatedBy,
});
