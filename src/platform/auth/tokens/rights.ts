/** Pure. What a stored token lets its bearer do now: never more than its owner may. */
import type { Actor, Role } from "../../lib/actor.ts";
import { isWithin } from "./known-scopes.ts";
import { isRoleWithin, sharedRoles } from "./role-order.ts";
import type { KnownOwner, StoredToken } from "./token.ts";

/** Who vouches for people and programs at the moment, by the settings. */
export interface ActiveProviders {
  guest: Actor | undefined;
  /** A program with a fixed token. */
  fixed(ref: string): Actor | undefined;
  /** Names of the issuers whose JWTs are accepted. */
  issuers: ReadonlySet<string>;
}

export interface UseOptions {
  providers: ActiveProviders;
  now: Date;
  /** How long an owner may not have signed in. */
  ownerDays: number;
}

/** The actor, or why the token is not accepted. */
export function actorOfToken(token: StoredToken, options: UseOptions): Actor | { refusal: string } {
  const { id, owner, revokedAt, scopes } = token;
  if (revokedAt !== null) return { refusal: "The token was revoked." };
  if (owner === null) return { refusal: "The owner of the token is gone." };
  const rights = rightsNow(owner, options);
  if ("refusal" in rights) return rights;
  const { domains, scopes: granted } = rights;
  return Object.freeze({
    ref: owner.ref,
    roles: Object.freeze(sharedRoles(token.roles, rights.roles)),
    provider: owner.provider,
    ...(domains === undefined ? {} : { domains: Object.freeze([...domains]) }),
    scopes: Object.freeze(
      granted === undefined ? [...scopes] : scopes.filter((scope) => isWithin(scope, granted)),
    ),
    tokenId: id,
  });
}

type Shown = Pick<KnownOwner, "roles" | "domains">;

/** What is left of the roles and domains of `known` where only those shown are still had; undefined where all are. */
export function narrowed(known: Shown, shown: Shown): Shown | undefined {
  const hasAll = known.roles.every((role) => isRoleWithin(role, shown.roles));
  const domains = known.domains?.filter((domain) => shown.domains?.includes(domain)) ?? [];
  if (hasAll && domains.length === (known.domains ?? []).length) return undefined;
  return {
    roles: hasAll ? known.roles : sharedRoles(known.roles, shown.roles),
    domains: domains.length === 0 ? null : domains,
  };
}

interface Rights {
  roles: readonly Role[];
  domains?: readonly string[] | undefined;
  /** Where something but the roles limits the owner. */
  scopes?: readonly string[] | undefined;
}

function rightsNow(owner: KnownOwner, options: UseOptions): Rights | { refusal: string } {
  const { providers } = options;
  switch (owner.source) {
    case "account":
      return shownBy(owner);
    case "guest":
      return providers.guest?.ref === owner.ref ? providers.guest : gone;
    case "settings":
      return providers.fixed(owner.ref) ?? gone;
    default:
      return signedRights(owner, options);
  }
}

function signedRights(
  owner: KnownOwner,
  { providers, now, ownerDays }: UseOptions,
): Rights | { refusal: string } {
  if (!providers.issuers.has(owner.provider)) return gone;
  const sinceMs = now.getTime() - owner.knownAt.getTime();
  if (sinceMs <= ownerDays * dayMs) return shownBy(owner);
  return { refusal: `The owner of the token has not signed in for ${ownerDays} days.` };
}

const shownBy = ({ roles, domains }: KnownOwner): Rights => ({ roles, ...(domains && { domains }) });

const dayMs = 86_400_000;
const gone = { refusal: "The owner of the token can't sign in here any more." };
