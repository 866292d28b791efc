/**
 * Slows down who guesses credentials in the Authorization header. Those that are refused count against the network that sent
 * them (caller-network.ts); at the limit that is set for requests, credentials from there are refused without a look at them, right or
 * wrong, until the minute is over. Many callers may share an address, so what was accepted lately is looked at as before; it is also what
 * lets an urgent request go first, before anybody has looked at its credentials.
 */
import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Actor } from "../../lib/actor.ts";
import { rateLimited } from "../errors.ts";
import type { RateLimit } from "./rate-limit.ts";

export interface RefusedCredentials {
  /** Throws PLATFORM_RATE_LIMITED where these are not to be looked at. */
  check: (credentials: string, network: string) => void;
  accepted: (credentials: string, actor: Actor) => void;
  /** Whether they were accepted lately. */
  isKnown: (credentials: string) => boolean;
  /** The seconds to wait where there were too many, else 0. */
  refused: (network: string) => number;
}

/** What the caller of a request is known by: the Authorization header, else the cookies, of which a guest may have none. */
export const credentialsOf = ({ authorization, cookie = "" }: IncomingHttpHeaders): string =>
  authorization ?? `cookies ${cookie}`;

/** How long credentials are known once they were accepted, and how often that is noted. */
const knownMs = 60 * 60_000;
const notedEveryMs = 60_000;
const maxKnown = 20_000;

export const createRefusedCredentials = (rateLimit: RateLimit, nowMs: () => number): RefusedCredentials => {
  /** Until when, by the digest; the one that was noted longest ago is the first. */
  const known = new Map<string, number>();
  /** A check gives the same actor while its result is cached, so most requests need no digest. */
  const noted = new WeakMap<Actor, number>();
  const isKnown = (credentials: string): boolean => (known.get(digestOf(credentials)) ?? 0) > nowMs();
  return {
    isKnown,
    check(credentials, network) {
      const wait = rateLimit.wait("refused credentials", network);
      if (wait > 0 && !isKnown(credentials)) throw rateLimited(wait);
    },
    accepted(credentials, actor) {
      const now = nowMs();
      if ((noted.get(actor) ?? 0) > now) return;
      noted.set(actor, now + notedEveryMs);
      const digest = digestOf(credentials);
      known.delete(digest);
      known.set(digest, now + knownMs);
      const [oldest] = known.keys();
      if (known.size > maxKnown && oldest !== undefined) known.delete(oldest);
    },
    refused: (network) => rateLimit.take("refused credentials", network),
  };
};

/** So that a memory dump reveals no token. */
const digestOf = (credentials: string): string => hash("sha256", credentials, "base64url");
