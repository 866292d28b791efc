import { chooseProviders } from "../config/rules/auth.ts";
import type { Mode } from "../config/schema/schema.ts";
import type { AuthSettings, ServiceSettings } from "../config/schema/schema-auth.ts";
import { Failure, type Problem } from "../errors/failure.ts";
import type { Actor } from "../lib/actor.ts";
import type { Logger } from "../lib/logger.ts";
import { showPath } from "../config/source/located.ts";
import {
  isUse,
  mayChange,
  refuseForeignPages,
  refuseOtherPages,
  sessionValue,
} from "./browser/request-rules.ts";
import type { BrowserSessions } from "./browser/sessions.ts";
import { authFailure } from "./errors.ts";
import { createGuestAccess, type GuestAccess, type Remote, type RequestHeaders } from "./guest.ts";
import { verifyJwt, type TokenIssuer } from "./jwt.ts";
import { oidcIssuer } from "./oidc.ts";
import { possibleIssuers } from "./possible-issuers.ts";
import { createTokenLookup, hmacIssuers, jwksIssuers, type TokenLookup } from "./service.ts";
import type { ActiveProviders } from "./tokens/rights.ts";
import type { CheckedToken, StoredTokens, VouchedFor } from "./tokens/stored-tokens.ts";
import { createTokenCache, digestOf, type TokenCache } from "./token-cache.ts";

/** Longer tokens are refused unread. */
const maxTokenLength = 8192;

export interface AuthenticatorOptions {
  auth: AuthSettings;
  mode: Mode;
  /** Whether the server listens on a loopback address only. */
  loopbackOnly: boolean;
  log: Logger;
  /** Reads a JSON document of an issuer through the outbound client; throws when it cannot. */
  fetchJson: (url: string) => Promise<unknown>;
  /** Tokens that the platform has made; without them there are none. */
  tokens?: StoredTokens | undefined;
  /** Sessions of browsers; without them cookies are not looked at. */
  sessions?: SessionCheck | undefined;
  /** Of `server.baseUrl`: pages from there are this server's own. */
  ownOrigin?: string | undefined;
  now?: () => Date;
}

/** What it needs of the sessions of browsers. */
export type SessionCheck = Pick<BrowserSessions, "cookies" | "check" | "used">;

/**
 * The actor of a request. Synchronous for a guest and for a cached token, which is nearly always; a promise
 * when a signature has to be checked. A bearer token goes before a cookie. Throws, or rejects with, Failure `unauthenticated` (no valid
 * credentials) or `unavailable` (cannot be checked now); `challengeOf` makes the WWW-Authenticate header of
 * the former. Requests of a browser that come from another site, and could change something, throw `forbidden`.
 */
export type Authenticate = (
  headers: RequestHeaders,
  remote: Remote,
  /** Null where it is only found out whether a request from before is still good. */
  method?: string | null,
) => Actor | Promise<Actor>;

export interface Authenticator {
  authenticate: Authenticate;
  /**
   * Checks other fixed tokens, and another secret of JWTs of services, and changes nothing; throws as `openAuthenticator` does. The
   * function that it returns takes them into use: from then on a token that is not among them is refused. What `auth` says besides
   * stays as it was.
   */
  reload: (auth: AuthSettings) => () => void;
}

/** An authenticator whose settings stay as they are. */
export const createAuthenticator = (options: AuthenticatorOptions): Authenticate =>
  openAuthenticator(options).authenticate;

/** Throws Failure `invalid`, PLATFORM_AUTH_CONFIG, when nobody, or in production everybody, could sign in. */
export function openAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { log, fetchJson, tokens, sessions, ownOrigin, now = () => new Date() } = options;
  const { guest, service, people } = providersOf(options);
  const issuerOptions = { fetchJson, log, now };
  // Made once: they have fetched keys, and are not to fetch them anew while requests come.
  const entry = guest ? createGuestAccess(guest) : undefined;
  const ofPeople = people.map((provider) => oidcIssuer(provider, issuerOptions));
  const publishedKeys = service ? jwksIssuers(service, issuerOptions) : [];
  // With a cache of its own: what the settings of before have found is not looked up any more, also where it is found only now.
  const prepare = (active: ServiceSettings | undefined): AuthenticatorDeps => ({
    guest: entry,
    fixed: active ? createTokenLookup(active) : undefined,
    tokens,
    sessions,
    ownOrigin,
    checking: new Map(),
    // People before services: an identity provider may issue both, and then the audience decides.
    issuers: [...ofPeople, ...(active ? hmacIssuers(active) : []), ...publishedKeys],
    cache: createTokenCache(),
    now,
  });
  let deps = prepare(service);
  const take = (next: AuthenticatorDeps, active: ServiceSettings | undefined): void => {
    deps = next;
    tokens?.use({
      providers: activeProviders(next, { service: active, people }),
      async vouch(name, token) {
        const issuer = ofPeople[people.findIndex((provider) => provider.name === name)];
        return issuer === undefined
          ? authFailure("PLATFORM_TOKEN_INVALID", "The identity provider is not accepted any more.")
          : vouchFor(issuer, token, now);
      },
      forget(tokenId) {
        next.cache.forget(tokenId);
        // Checks that are under way may have read the token as it was before: nobody else gets their result.
        next.checking.clear();
      },
    });
  };
  take(deps, service);
  if (guest) {
    const fields = { ref: guest.userEntityRef, roles: guest.roles };
    if (guest.dangerouslyAllowInProduction) log.warn(fields, "every request is accepted without credentials");
    else log.info(fields, "requests from this machine are accepted without credentials");
  }
  return {
    authenticate(headers, remote, method = "GET") {
      const { authorization } = headers;
      if (authorization === undefined)
        return enterBySession(deps, headers, method) ?? enterAsGuest(deps, headers, { remote, method });
      const token = bearerToken(authorization);
      const digest = digestOf(token);
      return deps.cache.get(digest, now().getTime()) ?? checkToken(token, digest, deps);
    },
    reload(auth) {
      const { service: active } = providersOf({ ...options, auth });
      const next = prepare(active);
      return () => take(next, active);
    },
  };
}

interface AuthenticatorDeps {
  guest: GuestAccess | undefined;
  fixed: TokenLookup | undefined;
  tokens: StoredTokens | undefined;
  sessions: SessionCheck | undefined;
  ownOrigin: string | undefined;
  /** Checks of stored tokens and sessions that are under way, by their digest. */
  checking: Map<string, Promise<Actor>>;
  issuers: readonly TokenIssuer[];
  cache: TokenCache;
  now: () => Date;
}

function providersOf({ auth, mode, loopbackOnly }: AuthenticatorOptions) {
  const problems: Problem[] = [];
  const chosen = chooseProviders(
    auth,
    // Whether the setting was written only matters for a warning, which loadConfig has given.
    { mode, loopbackOnly, environmentIsSet: true },
    {
      problem: (path, remark) => {
        const where = showPath(path);
        problems.push({ ...remark, where, message: `${where} ${remark.message}` });
      },
      warning: () => undefined,
    },
  );
  if (problems.length > 0) {
    throw new Failure({
      kind: "invalid",
      code: "PLATFORM_AUTH_CONFIG",
      message: "The server cannot start with these settings for signing in.",
      problems,
    });
  }
  const guestIsOff = chosen.guest && !chosen.guest.dangerouslyAllowInProduction && !loopbackOnly;
  return guestIsOff ? { ...chosen, guest: undefined } : chosen;
}

/** Whose tokens are still good, by these settings. */
const activeProviders = (
  { guest, fixed }: AuthenticatorDeps,
  { service, people }: Pick<ReturnType<typeof providersOf>, "service" | "people">,
): ActiveProviders => ({
  guest: guest?.actor,
  fixed: (ref) => fixed?.byRef(ref),
  issuers: new Set([
    ...people.map(({ name }) => name),
    ...(service?.hmac || service?.jwks ? ["service"] : []),
  ]),
});

function enterAsGuest(
  { guest, ownOrigin }: AuthenticatorDeps,
  headers: RequestHeaders,
  { remote, method }: { remote: Remote; method: string | null },
): Actor {
  const refusal = guest?.refusal(headers, remote);
  if (guest === undefined || refusal !== undefined)
    throw authFailure("PLATFORM_UNAUTHENTICATED", refusal ?? "The request has no credentials.");
  if (mayChange(method)) refuseForeignPages(headers, ownOrigin);
  return guest.actor;
}

/** Undefined where the request has no cookie of a session. */
function enterBySession(
  deps: AuthenticatorDeps,
  headers: RequestHeaders,
  method: string | null,
): Actor | Promise<Actor> | undefined {
  const { sessions, cache, ownOrigin, now } = deps;
  const value = sessions && sessionValue(headers, sessions.cookies.session);
  if (sessions === undefined || value === undefined) return undefined;
  if (mayChange(method)) refuseOtherPages(headers, ownOrigin);
  const use = (actor: Actor): Actor => {
    if (isUse(headers, method) && actor.tokenId !== undefined) sessions.used(actor.tokenId);
    return actor;
  };
  // No bearer token has a blank, so that none is taken for the value of a cookie.
  const digest = digestOf(`cookie ${value}`);
  const known = cache.get(digest, now().getTime());
  return known === undefined ? checkOnce(digest, () => sessions.check(value), deps).then(use) : use(known);
}

function bearerToken(given: string | string[]): string {
  const invalid = (message: string) => authFailure("PLATFORM_TOKEN_INVALID", message);
  const authorization = typeof given === "string" ? given : given.join(", ");
  const isTooLong = authorization.length > maxTokenLength + 8;
  const token = isTooLong
    ? undefined
    : /^Bearer {1,8}([\x21-\x7e]{1,8192})$/i.exec(authorization.trimEnd())?.[1];
  if (token !== undefined) return token;
  if (/, (?:Bearer|Basic) /i.test(authorization))
    throw invalid("The request has more than one Authorization header.");
  if (isTooLong) throw invalid(`The token is longer than ${maxTokenLength} characters.`);
  throw invalid("The Authorization header is not of the form Bearer <token>.");
}

function checkToken(token: string, digest: string, deps: AuthenticatorDeps): Actor | Promise<Actor> {
  const fixed = deps.fixed?.byDigest(digest);
  const { tokens } = deps;
  if (fixed === undefined && tokens?.isOwn(token)) return checkOnce(digest, () => tokens.check(token), deps);
  if (fixed === undefined) return checkJwt(token, digest, deps);
  deps.cache.put(digest, fixed, { nowMs: deps.now().getTime(), expiresAtMs: Number.POSITIVE_INFINITY });
  return fixed;
}

/** Many requests with one token, or of one session, ask the database once. */
function checkOnce(
  digest: string,
  find: () => Promise<CheckedToken>,
  { checking, cache, now }: AuthenticatorDeps,
): Promise<Actor> {
  const running = checking.get(digest);
  if (running !== undefined) return running;
  const check: Promise<Actor> = find()
    .then(({ actor, freshUntilMs }) => {
      if (checking.get(digest) === check)
        cache.put(digest, actor, { nowMs: now().getTime(), expiresAtMs: freshUntilMs });
      return actor;
    })
    .finally(() => {
      if (checking.get(digest) === check) checking.delete(digest);
    });
  checking.set(digest, check);
  return check;
}

async function vouchFor(issuer: TokenIssuer, token: string, now: () => Date): Promise<VouchedFor | Failure> {
  try {
    const verified = await verifyJwt(token, { ...issuer, key: issuer.issuedKey ?? issuer.key, now });
    const { issuedAtMs, expiresAtMs } = verified;
    // What is not known to be newer than what was said before can't be the basis of a session.
    if (issuedAtMs === null)
      return authFailure(
        "PLATFORM_TOKEN_INVALID",
        "The token lacks the claim iat, without which no session can begin.",
        { solutions: ["Have the identity provider put the claim iat into its tokens."] },
      );
    return { actor: issuer.toActor(verified), issuedAtMs, expiresAtMs };
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

async function checkJwt(
  token: string,
  digest: string,
  { issuers, tokens, cache, now }: AuthenticatorDeps,
): Promise<Actor> {
  const failures: Failure[] = [];
  for (const issuer of possibleIssuers(token, issuers)) {
    try {
      const verified = await verifyJwt(token, { ...issuer, now });
      const actor = issuer.toActor(verified);
      cache.put(digest, actor, { nowMs: now().getTime(), expiresAtMs: verified.expiresAtMs });
      tokens?.signedIn(actor, verified.issuedAtMs);
      return actor;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
    }
  }
  // While one issuer cannot be asked, the refusals of the others decide nothing.
  throw failures.find(({ kind }) => kind === "unavailable") ?? failures[0]!;
}
