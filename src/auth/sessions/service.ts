/** Short-lived JWTs for a token or a session, and who the caller is: what clients of earlier releases ask for. */
import { readBrowserSession } from "../../platform/auth/browser/session-store.ts";
import { authFailure } from "../../platform/auth/errors.ts";
import type { RequestHeaders } from "../../platform/auth/guest.ts";
import { presentedTimes } from "../../platform/auth/presented.ts";
import type { SignedToken } from "../../platform/auth/tokens/signed-token.ts";
import { storeOwner } from "../../platform/auth/tokens/token-store.ts";
import { inTransaction, type Transaction } from "../../platform/db/database.ts";
import type { Actor } from "../../platform/lib/actor.ts";
import { newId } from "../../platform/lib/ids.ts";
import { writeAudit, type AuthContext } from "../context.ts";
import { authFailureOf } from "../errors.ts";
import { insertToken, readTokenRow } from "../tokens/store.ts";
import { ownerOf } from "../owner.ts";
import type { Caller, JwtAnswer, SessionAnswer, UserInfo, WantedJwt, WantedSession } from "./schema.ts";
import { countActiveNamedSessions, findSession, renewNamedSession, type NamedSession } from "./store.ts";
import { scopesBeyond, unknownScopes } from "../wanted-scopes.ts";

/** For a token that was made here, which is the credential. */
export async function exchangeAccessToken(
  ctx: AuthContext,
  { access_token: token, ...wanted }: WantedJwt & { access_token: string },
): Promise<JwtAnswer> {
  const { tokens } = ctx.auth;
  if (!tokens.isOwn(token)) throw authFailure("PLATFORM_TOKEN_INVALID", "The token is not known.");
  const { actor, expiresAtMs } = await tokens.check(token);
  const terms = readTerms(ctx, wanted, { actor, expiresAtMs });
  return signFor(ctx, { tokenId: actor.tokenId ?? "", owner: actor.ref, roles: actor.roles, ...terms });
}

/** For the caller's own session, however it signed in; never with more rights, and never for longer. */
export async function exchangeSession(
  ctx: AuthContext,
  { session_name: name, ...wanted }: WantedSession,
  headers: RequestHeaders,
): Promise<SessionAnswer> {
  const { actor } = ctx;
  const presented = presentedTimes(headers).expiresAtMs ?? Infinity;
  const { tokenId: id } = actor;
  const { db } = ctx.auth.database;
  const [stored, ofBrowser] =
    id === undefined
      ? [null, null]
      : await Promise.all([readTokenRow(db, id), readBrowserSession(db, { id })]);
  const expiresAtMs = Math.min(
    presented,
    stored?.expiresAt.getTime() ?? Infinity,
    // The identity provider is asked about the person by then, and not by whoever has the JWT.
    ofBrowser?.vouchedUntil.getTime() ?? Infinity,
  );
  const terms = readTerms(ctx, wanted, { actor, expiresAtMs });
  const tokenId = stored?.id ?? (await sessionOf(ctx, headers, { untilMs: terms.expiresAtMs, name }));
  const signed = await signFor(ctx, { tokenId, owner: actor.ref, roles: actor.roles, ...terms });
  return { ...signed, session_id: tokenId };
}

interface Terms {
  scopes: readonly string[];
  expiresAtMs: number;
}

/** What the JWT is good for, and until when; refuses what is more than it is got for. */
function readTerms(
  { auth, now }: AuthContext,
  { duration_seconds: seconds, scope }: WantedJwt,
  { actor, expiresAtMs }: { actor: Actor; expiresAtMs: number },
): Terms {
  const { maxJwtSeconds } = auth.settings;
  const { scopes: granted = ["all"] } = actor;
  const scopes = scope === undefined ? granted : [...new Set(scope.split(" ").filter((one) => one !== ""))];
  const problems = unknownScopes(scopes, () => "/scope");
  if (seconds > maxJwtSeconds)
    problems.push({ where: "/duration_seconds", message: `is ${maxJwtSeconds} at most` });
  if (problems.length > 0)
    throw authFailureOf("AUTH_INVALID_TOKEN", { message: "The JWT can't be issued.", problems });
  const beyond = scopesBeyond(scopes, granted);
  if (beyond.length > 0)
    throw authFailureOf("AUTH_TOO_WIDE", {
      message: `The JWT can't have ${beyond.join(", ")}: what it is got for is good for ${granted.join(", ")} only.`,
      where: "/scope",
    });
  return { scopes, expiresAtMs: Math.min(expiresAtMs, now().getTime() + seconds * 1_000) };
}

/**
 * The record that the caller's JWTs name, so that they can be listed and revoked: one for all of the same rights, or the one of
 * that name.
 */
async function sessionOf(
  ctx: AuthContext,
  headers: RequestHeaders,
  { untilMs, name }: { untilMs: number; name: string | undefined },
): Promise<string> {
  const { actor, auth } = ctx;
  const roles = [...actor.roles].toSorted();
  const scopes = actor.scopes ?? ["all"];
  return inTransaction(auth.database, async (tx) => {
    await storeOwner(tx, ownerOf(ctx, headers));
    const createdAt = ctx.now();
    const longestMs = auth.settings.maxJwtSeconds * 1_000;
    // One for all JWTs lasts longer than any of them, so that the next JWT of the longest life has it too.
    const expiresAt = new Date(createdAt.getTime() + (name === undefined ? 2 * longestMs : longestMs));
    const rights = { owner: actor.ref, roles, scopes };
    const known =
      name === undefined
        ? await findSession(tx, { ...rights, until: new Date(untilMs) })
        : await continueNamed(ctx, tx, { ...rights, name, expiresAt });
    if (known !== null) return known;
    const id = newId();
    await insertToken(tx, {
      id,
      kind: "session",
      owner: actor.ref,
      name: name ?? `session of ${actor.provider}`,
      hash: null,
      ending: null,
      roles,
      scopes,
      createdAt,
      createdBy: actor.ref,
      expiresAt,
      shared: name === undefined,
    });
    await writeAudit(tx, ctx, {
      operation: "exchangeSessionToken",
      subject: `token:${id}`,
      detail: { owner: actor.ref, roles, scopes, expiresAt },
    });
    return id;
  });
}

/** Null where there is none of that name yet, and there may be one more. */
async function continueNamed(
  ctx: AuthContext,
  tx: Transaction,
  session: NamedSession,
): Promise<string | null> {
  const { perOwner } = ctx.auth.settings;
  // Counted first: it waits for whoever makes another session of the owner.
  const active = await countActiveNamedSessions(tx, session.owner, ctx.now());
  const known = await renewNamedSession(tx, session);
  if (known?.isRevoked)
    throw authFailureOf("AUTH_SESSION_REVOKED", {
      message: `The session ${session.name} was revoked, so no JWT is issued for it.`,
      where: "/session_name",
    });
  if (known === null && active >= perOwner)
    throw authFailureOf("AUTH_TOKEN_LIMIT", {
      message: `${session.owner} has ${active} sessions with a name already; ${perOwner} is the limit.`,
    });
  return known?.id ?? null;
}

async function signFor(
  { auth, now }: AuthContext,
  token: Terms & Pick<SignedToken, "tokenId" | "owner" | "roles">,
): Promise<JwtAnswer> {
  return {
    jwt: await auth.tokens.sign(token),
    expires_in: Math.max(0, Math.round((token.expiresAtMs - now().getTime()) / 1_000)),
    scope: token.scopes.join(" "),
  };
}

export async function getCaller({ actor, auth }: AuthContext, headers: RequestHeaders): Promise<Caller> {
  const { ref, provider, roles, scopes, tokenId } = actor;
  const stored = tokenId === undefined ? null : await readTokenRow(auth.database.db, tokenId);
  const presented = presentedTimes(headers).expiresAtMs ?? Infinity;
  const expiresAtMs = Math.min(presented, stored?.expiresAt.getTime() ?? Infinity);
  return {
    ref,
    provider,
    roles: [...roles],
    scopes: [...(scopes ?? ["all"])],
    tokenId: tokenId ?? null,
    expiresAt: expiresAtMs === Infinity ? null : new Date(expiresAtMs).toISOString(),
  };
}

/** As Backstage answers it. */
export async function getUserInfo({ actor, auth }: AuthContext, headers: RequestHeaders): Promise<UserInfo> {
  if (!actor.ref.startsWith("user:"))
    throw authFailureOf("AUTH_NOT_A_USER", { message: `${actor.ref} is no user.` });
  const groups = await auth.readGroups(actor.ref);
  const { expiresAtMs } = presentedTimes(headers);
  return {
    claims: {
      sub: actor.ref,
      ent: [...new Set([actor.ref, ...groups])],
      ...(expiresAtMs === null ? {} : { exp: Math.floor(expiresAtMs / 1_000) }),
    },
  };
}
