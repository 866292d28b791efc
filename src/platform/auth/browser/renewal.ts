/** Asks the identity provider anew who somebody is, with the refresh token of the session. */
import { inTransaction, type Database } from "../../db/database.ts";
import type { Failure } from "../../errors/failure.ts";
import type { Logger } from "../../lib/logger.ts";
import type { SecretBox } from "../../lib/secrets/secret-box.ts";
import { authFailure } from "../errors.ts";
import { noteSignIn, readStoredToken } from "../tokens/token-store.ts";
import type { StoredTokens, VouchedFor } from "../tokens/stored-tokens.ts";
import type { IssuedTokens, ProviderClient } from "./provider-client.ts";
import {
  aboutSession,
  endSession,
  renewSession,
  storeRefreshToken,
  storeRenewal,
  type BrowserSession,
} from "./session-store.ts";

export interface Renewing {
  database: Database;
  tokens: StoredTokens;
  secrets: SecretBox;
  clientOf: (provider: string) => ProviderClient | undefined;
  now: () => Date;
  log: Logger;
}

/** When a provider is asked again whose answer did not help. */
const againMs = 5_000;
const longestLeadMs = 60_000;

/** When to renew a token: a fifth of its lifetime before it expires, at most a minute before. */
export function renewalTime(issuedAt: Date, until: Date): Date {
  const leadMs = Math.min(longestLeadMs, Math.max(0, until.getTime() - issuedAt.getTime()) / 5);
  return new Date(until.getTime() - leadMs);
}

/** The caller has claimed the renewal. Ends the session where the provider does not vouch for the person any more. */
export async function renew(session: BrowserSession, deps: Renewing): Promise<void> {
  const { id, provider } = session;
  const { log, secrets } = deps;
  const client = deps.clientOf(provider);
  const refreshToken = session.sealed && secrets.open(session.sealed, aboutSession(id));
  if (client === undefined || refreshToken === null)
    return end(session, deps, "it can't be renewed here any more");
  const issued = await client.renew(refreshToken.toString("utf8"));
  if (!("refusal" in issued)) return take(session, issued, deps);
  const { refusal, why } = issued;
  // Only a sign-in helps where the person is needed there.
  if (refusal === "not-accepted" || refusal === "denied") return end(session, deps, why);
  if (refusal === "provider") {
    // It may be a fault that passes, so what the provider has said last holds until its end, and no longer.
    if (session.vouchedUntil <= deps.now()) return end(session, deps, why);
    await storeRenewal(deps.database.db, id, nextAttempt(session, deps.now()));
  }
  log.warn({ session: id, provider, reason: why }, "the identity provider did not renew a session");
}

/** Nobody waits for the end of the claim, since the answer is known; at the end of what was said the session is decided. */
const nextAttempt = ({ vouchedUntil }: BrowserSession, at: Date): Date =>
  new Date(Math.min(at.getTime() + againMs, vouchedUntil.getTime()));

async function take(session: BrowserSession, issued: IssuedTokens, deps: Renewing): Promise<void> {
  const { id, provider } = session;
  const { database, tokens, secrets, now } = deps;
  if (issued.refreshToken !== null) {
    // Stored before anything else can fail: the one of before may be good no longer.
    const sealed = secrets.seal(Buffer.from(issued.refreshToken), aboutSession(id));
    await storeRefreshToken(database.db, id, { sealed, renewAt: new Date(now().getTime() + againMs) });
  }
  const vouched = await firstGood(tokens, provider, issued.candidates);
  if ("kind" in vouched) {
    if (vouched.kind === "unavailable") return undefined;
    return end(session, deps, vouched.message);
  }
  const { actor, issuedAtMs, expiresAtMs } = vouched;
  const stored = await readStoredToken(database.db, { id });
  if (stored?.owner?.ref !== actor.ref)
    return end(session, deps, "the provider renewed it for somebody else");
  const vouchedUntil = new Date(expiresAtMs);
  await inTransaction(database, async (tx) => {
    await renewSession(tx, id, {
      roles: actor.roles,
      scopes: actor.scopes ?? ["all"],
      vouchedUntil,
      renewAt: renewalTime(now(), vouchedUntil),
    });
    const domains = actor.domains === undefined ? null : [...actor.domains];
    const knownAt = new Date(Math.min(issuedAtMs, now().getTime()));
    await noteSignIn(tx, { ref: actor.ref, provider, roles: [...actor.roles], domains, knownAt });
  });
  tokens.forget(id);
}

async function end(
  { id, provider }: BrowserSession,
  { database, tokens, log, now }: Renewing,
  why: string,
): Promise<void> {
  log.info({ session: id, provider, reason: why }, "a session has ended at its identity provider");
  await inTransaction(database, (tx) => endSession(tx, id, { by: `provider:${provider}`, at: now() }));
  tokens.forget(id);
}

/** What the first token says that is good for this server, or why none is. */
export async function firstGood(
  tokens: Pick<StoredTokens, "vouch">,
  provider: string,
  candidates: readonly string[],
): Promise<VouchedFor | Failure> {
  let undecided: Failure | undefined;
  let refused: Failure | undefined;
  for (const candidate of candidates) {
    const vouched = await tokens.vouch(provider, candidate);
    if (!("kind" in vouched)) return vouched;
    // Another may be good all the same: some providers do not publish the keys of their access tokens.
    if (vouched.kind === "unavailable") undecided ??= vouched;
    else refused ??= vouched;
  }
  return (
    undecided ??
    refused ??
    authFailure("PLATFORM_TOKEN_INVALID", "The identity provider issued no token that could be checked.")
  );
}
