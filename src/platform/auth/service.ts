import { timingSafeEqual } from "node:crypto";
import type { ServiceSettings } from "../config/schema/schema-auth.ts";
import type { Actor, Role } from "../lib/actor.ts";
import { entityRef } from "./entity-ref.ts";
import { hmacAlgorithms, publicKeyAlgorithms, type TokenIssuer } from "./jwt.ts";
import { scopesFromClaims } from "./oidc.ts";
import { createKeySet, type KeySetOptions } from "./key-set.ts";
import { digestOf } from "./token-cache.ts";

export interface TokenLookup {
  /** The caller that a fixed token belongs to, given the token's digest. */
  byDigest(digest: string): Actor | undefined;
  byRef(ref: string): Actor | undefined;
}

/**
 * Every token is compared, each in constant time and as a digest of equal length, so that the response time
 * reveals nothing about a guess.
 */
export function createTokenLookup(settings: ServiceSettings): TokenLookup {
  const known = (settings.tokens ?? []).map(({ name, secret, roles, ...limits }) => ({
    digest: Buffer.from(digestOf(secret)),
    actor: serviceActor(name, roles, limits),
  }));
  return {
    byDigest(digest) {
      const presented = Buffer.from(digest);
      let found: Actor | undefined;
      for (const { digest: own, actor } of known) {
        if (timingSafeEqual(presented, own)) found = actor;
      }
      return found;
    },
    byRef: (ref) => known.find(({ actor }) => actor.ref === ref)?.actor,
  };
}

/** The issuer of service JWTs with a shared secret, or none. */
export const hmacIssuers = ({ hmac }: ServiceSettings): TokenIssuer[] =>
  hmac === undefined
    ? []
    : [
        {
          algorithms: hmacAlgorithms,
          issuer: hmac.issuer,
          audience: hmac.audience,
          key: new TextEncoder().encode(hmac.secret),
          toActor: ({ subject, claims }) => serviceActor(subject, hmac.roles, scopesFromClaims(claims, hmac)),
        },
      ];

/** The issuer of service JWTs with published keys, or none. */
export const jwksIssuers = (
  { jwks }: ServiceSettings,
  options: Omit<KeySetOptions, "load"> & { fetchJson: (url: string) => Promise<unknown> },
): TokenIssuer[] => {
  const { fetchJson, log, now } = options;
  return jwks === undefined
    ? []
    : [
        {
          algorithms: publicKeyAlgorithms,
          issuer: jwks.issuer,
          audience: jwks.audience,
          key: createKeySet({
            load: () => fetchJson(jwks.url),
            log: log.child({ provider: "service" }),
            now,
          }).find,
          toActor: ({ subject, claims }) => serviceActor(subject, jwks.roles, scopesFromClaims(claims, jwks)),
        },
      ];
};

const serviceActor = (
  name: string,
  roles: readonly Role[],
  { domains, scopes }: Pick<Actor, "domains" | "scopes">,
): Actor =>
  Object.freeze({
    ref: entityRef("service", name),
    roles: Object.freeze([...roles]),
    provider: "service",
    ...(domains === undefined ? {} : { domains: Object.freeze([...domains]) }),
    ...(scopes === undefined ? {} : { scopes: Object.freeze([...scopes]) }),
  });
