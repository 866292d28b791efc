/**
 * Sessions of browsers: an opaque cookie, of which only the hash is stored, stands for somebody who has signed in at an identity
 * provider. What may be done with it is worked out as for the platform's own tokens (tokens/rights.ts), anew every three seconds; what
 * the provider says of the person is asked for anew shortly before the token that said it ends.
 */
import { setTimeout as wait } from "node:timers/promises";
import { peopleProviders } from "../../config/rules/auth.ts";
import type { AuthSettings } from "../../config/schema/schema-auth.ts";
import type { Database, Db } from "../../db/database.ts";
import { Failure } from "../../errors/failure.ts";
import type { Actor } from "../../lib/actor.ts";
import { DatabaseWait } from "../../lib/database-wait.ts";
import { withinDatabaseWait } from "../../lib/request-scope.ts";
import type { Logger } from "../../lib/logger.ts";
import type { SecretBox } from "../../lib/secrets/secret-box.ts";
import { authFailure } from "../errors.ts";
import { actorOfToken } from "../tokens/rights.ts";
import { hashOf, type CheckedToken, type StoredTokens } from "../tokens/stored-tokens.ts";
import type { StoredToken } from "../tokens/token.ts";
import { cookieNames, type CookieNames } from "./cookies.ts";
import { longestRenewalMs, type BrowserProvider, type ProviderClient } from "./provider-client.ts";
import { renew, type Renewing } from "./renewal.ts";
import {
  claimRenewal,
  extendSession,
  readBrowserSession,
  readSessionToken,
  type BrowserSession,
} from "./session-store.ts";

export interface BrowserSessions {
  cookies: CookieNames;
  /** Of `server.baseUrl`. */
  ownOrigin: string | undefined;
  /** Identity providers at which people sign in by browser. */
  providers: readonly BrowserProvider[];
  client(provider: string): ProviderClient | undefined;
  /** Who the value of the cookie stands for. Rejects with a Failure `unauthenticated`, or with an error of the database. */
  check(value: string): Promise<CheckedToken>;
  /** Who the cookie stands for by the provider's last answer, without asking it again; null where the session has ended. */
  lastKnown(value: string): Promise<Actor | null>;
  /** The session of that value of the cookie, whatever has become of it. */
  find(db: Db, value: string): Promise<BrowserSession | null>;
  /** Moves the end of the session on, since it is used; does not wait, and reports no failure. */
  used(id: string): void;
  /** The end that a session has from now on where it is not used again. */
  idleEnd(at: Date): Date;
  /** The end that a session has however much it is used. */
  lastEnd(at: Date): Date;
}

export interface BrowserSessionsOptions {
  database: Database;
  tokens: StoredTokens;
  secrets: SecretBox;
  providers: readonly BrowserProvider[];
  openClient: (provider: BrowserProvider) => ProviderClient;
  limits: { idleMinutes: number; maxHours: number };
  ownerDays: number;
  baseUrl: string | undefined;
  now: () => Date;
  log: Logger;
}

const freshMs = 3_000;
const usedEveryMs = 60_000;
const maxRemembered = 10_000;
/** How long a request waits for the database until it is known who calls. */
const databaseMs = 4_000;
/** For so long no other process sends the same refresh token: until the answer of the provider is stored, or none comes any more. */
const renewalMs = longestRenewalMs + databaseMs + 1_000;
const renewalWaitMs = 5_000;

/** The identity providers with a client for browsers. */
export const browserProviders = (auth: AuthSettings): BrowserProvider[] =>
  peopleProviders(auth).flatMap(({ name, settings }) =>
    settings.browser === undefined ? [] : [{ name, settings: { ...settings, browser: settings.browser } }],
  );

export const browserProvider = (auth: AuthSettings, name: string): BrowserProvider | undefined =>
  browserProviders(auth).find((provider) => provider.name === name);

const ended = (message: string) => authFailure("PLATFORM_SESSION_ENDED", message);

export function openBrowserSessions(options: BrowserSessionsOptions): BrowserSessions {
  const { database, limits, now, log, baseUrl, providers } = options;
  const clients = new Map(providers.map((each) => [each.name, options.openClient(each)]));
  const renewing: Renewing = { ...options, clientOf: (name) => clients.get(name) };
  /** When the use of a session was noted last. */
  const noted = new Map<string, number>();
  const idleEnd = (at: Date): Date => new Date(at.getTime() + limits.idleMinutes * 60_000);
  return {
    cookies: cookieNames(baseUrl),
    ownOrigin: baseUrl === undefined ? undefined : new URL(baseUrl).origin,
    providers,
    client: (name) => clients.get(name),
    check: (value) => withinDatabaseWait(new DatabaseWait(databaseMs), () => check(value, options, renewing)),
    lastKnown: (value) => lastKnown(value, options),
    find: (db, value) => readBrowserSession(db, { hash: hashOf(value) }),
    used(id) {
      const at = now();
      if (at.getTime() - (noted.get(id) ?? 0) < usedEveryMs) return;
      if (noted.size >= maxRemembered) noted.clear();
      noted.set(id, at.getTime());
      void extendSession(database.db, id, { at, until: idleEnd(at) }).catch((error: Error) =>
        log.debug({ reason: error.message }, "the use of a session could not be noted"),
      );
    },
    idleEnd,
    lastEnd: (at) => new Date(at.getTime() + limits.maxHours * 3_600_000),
  };
}

interface Found {
  stored: StoredToken;
  session: BrowserSession;
  actor: Actor;
}

async function check(
  value: string,
  options: BrowserSessionsOptions,
  renewing: Renewing,
): Promise<CheckedToken> {
  const at = options.now();
  let found = await find(value, options, at);
  const { session } = found;
  let waitMs = renewalWaitMs;
  if (session.renewAt <= at && (session.sealed !== null || session.vouchedUntil <= at)) {
    const isMine = await claimRenewal(options.database.db, session.id, {
      at,
      until: new Date(at.getTime() + renewalMs),
    });
    const work = isMine ? renew(session, renewing) : Promise.resolve();
    if (session.vouchedUntil > at) inBackground(work, options.log);
    else await work;
    // Then nobody else renews it.
    if (isMine) waitMs = 0;
  }
  if (session.vouchedUntil <= at) found = await renewed(value, options, waitMs);
  const expiresAtMs = found.stored.expiresAt.getTime();
  const knownUntilMs = Math.min(expiresAtMs, found.session.vouchedUntil.getTime());
  return {
    actor: found.actor,
    expiresAtMs,
    freshUntilMs: Math.min(knownUntilMs, at.getTime() + freshMs),
  };
}

const inBackground = (work: Promise<void>, log: Logger): void =>
  void work.catch((error: Error) => log.warn({ reason: error.message }, "a session could not be renewed"));

async function find(value: string, options: BrowserSessionsOptions, at: Date): Promise<Found> {
  const { database, tokens, ownerDays } = options;
  const found = await readSessionToken(database.db, hashOf(value));
  if (found === null) throw ended("The session is not known here.");
  const { stored, session } = found;
  if (stored.revokedAt !== null) throw ended("The session was ended.");
  if (stored.expiresAt <= at || session === null)
    throw ended("The session has ended, because it was not used or is too old.");
  const actor = actorOfToken(stored, { providers: tokens.providers, now: at, ownerDays });
  if ("refusal" in actor) throw ended("Whoever the session belongs to can't sign in here any more.");
  return { stored, session, actor };
}

async function lastKnown(value: string, options: BrowserSessionsOptions): Promise<Actor | null> {
  try {
    return (await find(value, options, options.now())).actor;
  } catch (error) {
    if (error instanceof Failure && error.kind === "unauthenticated") return null;
    throw error;
  }
}

/** Waits so long for whoever renews it. */
async function renewed(value: string, options: BrowserSessionsOptions, waitMs: number): Promise<Found> {
  const untilMs = options.now().getTime() + waitMs;
  for (;;) {
    const at = options.now();
    const found = await find(value, options, at);
    if (found.session.vouchedUntil > at) return found;
    if (at.getTime() >= untilMs)
      throw authFailure(
        "PLATFORM_AUTH_UNAVAILABLE",
        "The identity provider can't be asked to renew the session now.",
        {
          retryAfterSeconds: 5,
        },
      );
    await wait(100);
  }
}
