/** Makes, lists and revokes tokens. */
import { authFailure } from "../../platform/auth/errors.ts";
import type { RequestHeaders } from "../../platform/auth/guest.ts";
import { dropSession } from "../../platform/auth/browser/session-store.ts";
import { hashOf, newToken } from "../../platform/auth/tokens/stored-tokens.ts";
import { isRoleWithin } from "../../platform/auth/tokens/role-order.ts";
import { storeOwner } from "../../platform/auth/tokens/token-store.ts";
import { inTransaction, type Transaction } from "../../platform/db/database.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import type { Actor, Role } from "../../platform/lib/actor.ts";
import { isUuid, newId } from "../../platform/lib/ids.ts";
import { isCursorTime, pageOf, readPageCursor } from "../../platform/lib/page-cursor.ts";
import { accountRef } from "../accounts/account-ref.ts";
import { lockAccount } from "../accounts/store.ts";
import { writeAudit, type AuthContext } from "../context.ts";
import { authFailureOf } from "../errors.ts";
import { ownerOf } from "../owner.ts";
import type { MadeToken, NewToken, TokenList, TokenQuery, TokenView } from "./schema.ts";
import {
  countActiveTokens,
  insertToken,
  listTokenRows,
  readTokenRow,
  revokeTokenRow,
  type NewTokenRow,
  type TokenRow,
} from "./store.ts";
import { scopesBeyond, unknownScopes } from "../wanted-scopes.ts";

const dayMs = 86_400_000;

export async function createToken(
  ctx: AuthContext,
  wanted: NewToken,
  headers: RequestHeaders,
): Promise<MadeToken> {
  const { database } = ctx.auth;
  refuseMaker(ctx, wanted, headers);
  const days = readDays(ctx, wanted);
  const token = newToken();
  const row = await inTransaction(database, async (tx) => {
    const owner = await prepareOwner(ctx, tx, { wanted, headers });
    const made = newRow(ctx, { wanted, owner, token, days });
    await refuseTooMany(ctx, tx, owner.ref);
    await insertToken(tx, made);
    const { kind, name, roles, scopes, expiresAt } = made;
    await writeAudit(tx, ctx, {
      operation: "createToken",
      subject: `token:${made.id}`,
      detail: { kind, owner: owner.ref, name, roles, scopes, expiresAt },
    });
    return made;
  });
  return { ...viewOf({ ...row, lastUsedAt: null, revokedAt: null, revokedBy: null }, ctx.now()), token };
}

/** Whoever has a token that was made here could otherwise outlive its end. */
function refuseMaker({ actor, auth }: AuthContext, { service }: NewToken, headers: RequestHeaders): void {
  if (!auth.settings.enabled) throw authFailureOf("AUTH_TOKENS_OFF", { message: "No tokens are made here." });
  if (actor.tokenId !== undefined && !isOfBrowser(headers))
    throw authFailureOf("AUTH_MADE_BY_TOKEN", {
      message: "The request came with a token that was made here, and such a token makes no others.",
    });
  if (service !== undefined && !actor.roles.includes("admin"))
    throw authFailureOf("AUTH_NOT_ADMIN", {
      message: `A token of the service account ${service} is made by administrators.`,
    });
}

/** Whoever is signed in with a browser has signed in; the session is no token that somebody has handed on. */
const isOfBrowser = ({ authorization }: RequestHeaders): boolean => authorization === undefined;

/** Refuses everything that is wrong with the request by itself. */
function readDays({ auth }: AuthContext, { scopes, expiresInDays }: NewToken): number {
  const { maxDays, defaultDays } = auth.settings;
  const problems: Problem[] = unknownScopes(scopes, (index) => `/scopes/${index}`);
  if (expiresInDays !== undefined && expiresInDays > maxDays) {
    const message = `a token lasts ${maxDays} days at most`;
    problems.push({ where: "/expiresInDays", message, solution: "Ask for fewer days, or renew it in time." });
  }
  if (problems.length > 0)
    throw authFailureOf("AUTH_INVALID_TOKEN", { message: "The token can't be made.", problems });
  return expiresInDays ?? Math.min(defaultDays, maxDays);
}

interface Owner {
  ref: string;
  roles: readonly Role[];
}

/** The service account, or the caller with what it has shown just now. */
async function prepareOwner(
  ctx: AuthContext,
  tx: Transaction,
  { wanted, headers }: { wanted: NewToken; headers: RequestHeaders },
): Promise<Owner> {
  // The owner of a session is stored with it, as of the sign-in.
  if (wanted.service === undefined && ctx.actor.tokenId !== undefined) return ctx.actor;
  if (wanted.service === undefined) {
    const owner = ownerOf(ctx, headers);
    await storeOwner(tx, owner);
    return owner;
  }
  const ref = accountRef(wanted.service);
  // Locked, so that whoever deletes the account meanwhile waits for the token, and revokes it.
  const roles = await lockAccount(tx, ref);
  if (roles !== null) return { ref, roles };
  throw authFailureOf("AUTH_ACCOUNT_NOT_FOUND", {
    message: `There is no service account ${wanted.service}.`,
    where: "/service",
  });
}

interface Making {
  wanted: NewToken;
  owner: Owner;
  token: string;
  days: number;
}

function newRow(ctx: AuthContext, { wanted, owner, token, days }: Making): NewTokenRow {
  const { actor } = ctx;
  const { name, service, roles = owner.roles, scopes } = wanted;
  const beyond = roles.filter((role) => !isRoleWithin(role, owner.roles));
  if (beyond.length > 0) throw tooWide("roles", beyond, `${owner.ref} does not have`);
  const wide = scopesBeyond(scopes, actor.scopes);
  if (wide.length > 0) throw tooWide("scopes", wide, "the token of this request is not good for");
  const createdAt = ctx.now();
  return {
    id: newId(),
    kind: service === undefined ? "personal" : "service",
    owner: owner.ref,
    name,
    hash: hashOf(token),
    ending: token.slice(-4),
    roles,
    scopes,
    createdAt,
    createdBy: actor.ref,
    expiresAt: new Date(createdAt.getTime() + days * dayMs),
  };
}

const tooWide = (field: string, beyond: readonly string[], why: string) =>
  authFailureOf("AUTH_TOO_WIDE", {
    message: `The token can't have ${beyond.join(", ")}, which ${why}.`,
    where: `/${field}`,
  });

async function refuseTooMany(ctx: AuthContext, tx: Transaction, owner: string): Promise<void> {
  const { perOwner } = ctx.auth.settings;
  if ((await countActiveTokens(tx, owner, ctx.now())) < perOwner) return;
  throw authFailureOf("AUTH_TOKEN_LIMIT", { message: `${owner} has ${perOwner} tokens already.` });
}

export async function listTokens(ctx: AuthContext, query: TokenQuery): Promise<TokenList> {
  const { actor, auth } = ctx;
  const { owner = actor.ref, status, limit } = query;
  if (owner !== actor.ref && !maySeeAll(actor))
    throw authFailure(
      "PLATFORM_FORBIDDEN",
      "listTokens needs one of these roles for others: operator, admin.",
    );
  const rows = await listTokenRows(auth.database.db, {
    owner: owner === "all" ? null : owner,
    status,
    now: ctx.now(),
    after: readCursor(query.after),
    limit: limit + 1,
  });
  const { page, next } = pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]);
  return { data: page.map((row) => viewOf(row, ctx.now())), meta: { pagination: { limit, next } } };
}

const maySeeAll = ({ roles }: Actor): boolean => roles.includes("operator") || roles.includes("admin");

function readCursor(text: string | undefined): { createdAt: string; id: string } | null {
  if (text === undefined) return null;
  const [createdAt = "", id = ""] = readPageCursor(text, 2) ?? [];
  if (isCursorTime(createdAt) && isUuid(id)) return { createdAt, id };
  throw authFailureOf("AUTH_INVALID_CURSOR", { message: "The cursor is not valid.", where: "after" });
}

/** Once it has returned no process accepts the token for longer than three seconds, and this one not at all. */
export async function revokeToken(ctx: AuthContext, id: string): Promise<void> {
  const { actor, auth } = ctx;
  await inTransaction(auth.database, async (tx) => {
    const row = isUuid(id) ? await readTokenRow(tx, id) : null;
    if (row === null || (row.owner !== actor.ref && !maySeeAll(actor)))
      throw authFailureOf("AUTH_TOKEN_NOT_FOUND", { message: `There is no token ${id}.`, where: "tokenId" });
    const isChanged = await revokeTokenRow(tx, id, { by: actor.ref, at: ctx.now() });
    if (!isChanged) return;
    const { kind, owner, name } = row;
    await dropSession(tx, id);
    await writeAudit(tx, ctx, {
      operation: "revokeToken",
      subject: `token:${id}`,
      detail: { kind, owner, name },
    });
  });
  auth.tokens.forget(id);
}

function viewOf(row: TokenRow, now: Date): TokenView {
  const { id, kind, owner, name, ending, roles, scopes, createdBy, revokedBy } = row;
  const status = row.revokedAt !== null ? "revoked" : row.expiresAt <= now ? "expired" : "active";
  return {
    id,
    kind,
    owner,
    name,
    ending,
    roles: [...roles],
    scopes: [...scopes],
    status,
    createdAt: row.createdAt.toISOString(),
    createdBy,
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    revokedBy,
  };
}
