/**
 * Tokens that the platform has made: opaque ones, of which only the hash is stored, and short-lived JWTs that stand for a stored
 * token or a session. What a check has found holds for three seconds, so a token that was revoked, and roles that its owner
 * has lost, are refused in every process after that time; no process depends on a notice.
 */
import { createHash } from "node:crypto";
import type { Database } from "../../db/database.ts";
import type { Failure } from "../../errors/failure.ts";
import type { Actor } from "../../lib/actor.ts";
import { DatabaseWait } from "../../lib/database-wait.ts";
import { withinDatabaseWait } from "../../lib/request-scope.ts";
import { newSecret } from "../../lib/ids.ts";
import type { Logger } from "../../lib/logger.ts";
import type { SecretBox } from "../../lib/secrets/secret-box.ts";
import { authFailure } from "../errors.ts";
import { isWithin } from "./known-scopes.ts";
import { actorOfToken, type ActiveProviders } from "./rights.ts";
import { sharedRoles } from "./role-order.ts";
import { looksSigned, signToken, verifySigned, type SignedToken } from "./signed-token.ts";
import { markTokenUsed, narrowOwner, noteSignIn, readStoredToken } from "./token-store.ts";
import type { StoredToken } from "./token.ts";

const prefix = "plinth_";
const freshMs = 3_000;
const usedEveryMs = 60_000;
/** Of the keys that sign. */
const purpose = "access tokens";
/** How long a request waits for the database until it is known who calls. */
const waitMs = 4_000;

export interface CheckedToken {
  actor: Actor;
  /** When the token has to be checked again. */
  freshUntilMs: number;
  /** When it expires. */
  expiresAtMs: number;
}

/** What an identity provider says of somebody. */
export interface VouchedFor {
  actor: Actor;
  issuedAtMs: number;
  expiresAtMs: number;
}

/** What the authenticator of the process tells the stored tokens. */
export interface TokenUse {
  providers: ActiveProviders;
  /** Checks a JWT of that identity provider, as it is checked where it comes with a request. */
  vouch(provider: string, token: string): Promise<VouchedFor | Failure>;
  /** Removes what was remembered of the token. */
  forget(tokenId: string): void;
}

export interface StoredTokens {
  /** Whether it is, or claims to be, a token that was made here. */
  isOwn(token: string): boolean;
  /** Rejects with a Failure `unauthenticated` that says why, or with an error of the database. */
  check(token: string): Promise<CheckedToken>;
  /** A JWT that stands for a stored token. */
  sign(token: SignedToken): Promise<string>;
  /**
   * Notes what an owner's sign-in showed; does not wait, and reports no failure.
   * @param atMs when the identity provider said it; null where that is not known.
   */
  signedIn(actor: Actor, atMs: number | null): void;
  /** Checks a JWT of that identity provider; the Failure says why it is not accepted. */
  vouch(provider: string, token: string): Promise<VouchedFor | Failure>;
  /** This process refuses the token from now on. */
  forget(tokenId: string): void;
  /** Called by the authenticator that is in use. */
  use(by: TokenUse): void;
  readonly providers: ActiveProviders;
}

export interface StoredTokensOptions {
  database: Database;
  secrets: Pick<SecretBox, "derive" | "deriveAll">;
  ownerDays: number;
  now: () => Date;
  log: Logger;
}

/** A new token; it can't be had again from what is stored. */
export const newToken = (): string => `${prefix}${newSecret()}`;

export const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

const nobody: TokenUse = {
  providers: { guest: undefined, fixed: () => undefined, issuers: new Set() },
  vouch: async () => authFailure("PLATFORM_AUTH_UNAVAILABLE", "This process checks no tokens."),
  forget: () => undefined,
};

export function openStoredTokens(options: StoredTokensOptions): StoredTokens {
  const { database, secrets, now, log } = options;
  let user = nobody;
  const inBackground = (what: string, work: Promise<void>): void =>
    void work.catch((error: Error) => log.debug({ reason: error.message }, `${what} could not be noted`));

  const readSigned = async (token: string): Promise<{ signed: SignedToken; stored: StoredToken | null }> => {
    const signed = await verifySigned(token, { keys: secrets.deriveAll(purpose), now });
    return { signed, stored: await readStoredToken(database.db, { id: signed.tokenId }) };
  };
  const check = async (token: string): Promise<CheckedToken> => {
    const at = now();
    const { signed, stored } = looksSigned(token)
      ? await readSigned(token)
      : { signed: null, stored: await readStoredToken(database.db, { hash: hashOf(token) }) };
    if (stored === null) throw authFailure("PLATFORM_TOKEN_INVALID", "The token is not known.");
    const expiresAtMs = Math.min(stored.expiresAt.getTime(), signed?.expiresAtMs ?? Infinity);
    if (stored.expiresAt.getTime() <= at.getTime())
      throw authFailure("PLATFORM_TOKEN_EXPIRED", "The token has expired.");
    const { ownerDays } = options;
    const actor = actorOfToken(stored, { providers: user.providers, now: at, ownerDays });
    if ("refusal" in actor) throw authFailure("PLATFORM_TOKEN_INVALID", actor.refusal);
    if (at.getTime() - (stored.lastUsedAt?.getTime() ?? 0) > usedEveryMs)
      inBackground("the use of a token", markTokenUsed(database.db, stored.id, at));
    const { scopes: granted = [] } = actor;
    const roles = signed?.roles ? Object.freeze(sharedRoles(actor.roles, signed.roles)) : actor.roles;
    const scopes = signed?.scopes.filter((scope) => isWithin(scope, granted)) ?? granted;
    // Counted from before the read: what changed after it is seen within the time all the same.
    return {
      actor: Object.freeze({ ...actor, roles, scopes }),
      expiresAtMs,
      freshUntilMs: Math.min(expiresAtMs, at.getTime() + freshMs),
    };
  };

  return {
    isOwn: (token) => token.startsWith(prefix) || looksSigned(token),
    check: (token) => withinDatabaseWait(new DatabaseWait(waitMs), () => check(token)),
    sign: (token) => signToken(secrets.derive(purpose), token, now()),
    signedIn({ ref, provider, roles, domains }, atMs) {
      const owner = { ref, provider, roles: [...roles], domains: domains ? [...domains] : null };
      const noted =
        atMs === null
          ? narrowOwner(database.db, owner)
          : noteSignIn(database.db, { ...owner, knownAt: new Date(Math.min(atMs, now().getTime())) });
      inBackground("a sign-in", noted);
    },
    vouch: (provider, token) => user.vouch(provider, token),
    forget: (tokenId) => user.forget(tokenId),
    use(by) {
      user = by;
    },
    get providers() {
      return user.providers;
    },
  };
}
