import { discoveryPath } from "../config/discovery.ts";
import type { OidcSettings } from "../config/schema/schema-auth.ts";
import type { Actor, Role } from "../lib/actor.ts";
import { entityRef } from "./entity-ref.ts";
import { publicKeyAlgorithms, type TokenIssuer } from "./jwt.ts";
import { createKeySet, type KeySetOptions } from "./key-set.ts";

type FetchJson = (url: string) => Promise<unknown>;

interface OidcProvider {
  /** The provider's key below `auth.providers`. */
  name: string;
  settings: OidcSettings;
}

/** The provider's name for itself, and the address of its discovery document. */
export function addressesOf(settings: OidcSettings): { issuer: string; document: string } {
  const { metadataUrl = "" } = settings;
  const issuer = settings.issuer ?? metadataUrl.slice(0, -discoveryPath.length);
  return { issuer, document: metadataUrl || `${issuer.replace(/\/$/, "")}${discoveryPath}` };
}

/** People with a JWT of an identity provider, found by its discovery document unless the key address is given. */
export function oidcIssuer(
  { name, settings }: OidcProvider,
  { fetchJson, log, now }: Omit<KeySetOptions, "load"> & { fetchJson: FetchJson },
): TokenIssuer {
  const { issuer, document } = addressesOf(settings);
  const load = async () => fetchJson(settings.jwksUrl ?? (await discoverKeys(issuer, document, fetchJson)));
  const { find, findIssued } = createKeySet({ load, log: log.child({ provider: name }), now });
  return {
    algorithms: publicKeyAlgorithms,
    issuer,
    audience: [settings.audience, ...(settings.otherAudiences ?? [])],
    key: find,
    issuedKey: findIssued,
    toActor: ({ subject, claims }): Actor =>
      Object.freeze({
        ref: entityRef("user", subject),
        roles: Object.freeze(rolesFromClaims(claims, settings)),
        provider: name,
        ...domainsFromClaims(claims, settings),
        ...scopesFromClaims(claims, settings),
      }),
  };
}

/** Asked for again whenever keys are read again, which is rare; so a moved key address is noticed. */
async function discoverKeys(issuer: string, url: string, fetchJson: FetchJson): Promise<string> {
  const document = await fetchJson(url);
  if (typeof document !== "object" || document === null)
    throw new Error("the discovery document is not an object");
  if (!("issuer" in document) || document.issuer !== issuer) {
    throw new Error("the discovery document is of another issuer");
  }
  const address = "jwks_uri" in document ? document.jwks_uri : undefined;
  if (typeof address !== "string" || !URL.canParse(address))
    throw new Error("the discovery document names no keys");
  const { protocol } = new URL(address);
  const allowed = issuer.startsWith("https:") ? protocol === "https:" : /^https?:$/.test(protocol);
  if (!allowed) throw new Error("the discovery document names keys at a less safe address");
  return address;
}

/** A person never becomes a service without an explicit mapping. */
const namesAsRoles: Record<string, Role> = {
  viewer: "viewer",
  developer: "developer",
  operator: "operator",
  admin: "admin",
};

/** The roles that the claim gives, without repetition; the default ones when it gives none. */
function rolesFromClaims(claims: Record<string, unknown>, settings: OidcSettings): Role[] {
  const mapping = new Map(Object.entries(settings.roleMapping ?? namesAsRoles));
  const values = claimValues(claimAt(claims, settings.rolesClaim));
  const roles = new Set(values.flatMap((value) => mapping.get(value) ?? []));
  return roles.size > 0 ? [...roles] : [...settings.defaultRoles];
}

/** Nothing where the claim gives none, so that an actor without domains looks as it always did. */
function domainsFromClaims(claims: Record<string, unknown>, settings: OidcSettings): Pick<Actor, "domains"> {
  const domains = claimValues(claimAt(claims, settings.domainsClaim ?? "domains"));
  return domains.length > 0 ? { domains: Object.freeze(domains) } : {};
}

/** A token without the claim has no scope at all; without the setting its scopes are not looked at. */
export function scopesFromClaims(
  claims: Record<string, unknown>,
  { scopesClaim }: { scopesClaim?: string | undefined },
): Pick<Actor, "scopes"> {
  return scopesClaim === undefined
    ? {}
    : { scopes: Object.freeze(claimValues(claimAt(claims, scopesClaim))) };
}

/** The claim of exactly this name, or else the one that its dots lead to (`realm_access.roles`). */
function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split(".").reduce<unknown>((value, part) => {
    const inside = typeof value === "object" && value !== null && Object.hasOwn(value, part);
    return inside ? Reflect.get(value, part) : undefined;
  }, claims);
}

/** A list of texts, or one text with spaces between as in `scope`. */
function claimValues(claim: unknown): string[] {
  if (typeof claim === "string") return claim.split(" ").filter((value) => value !== "");
  return Array.isArray(claim) ? claim.filter((value) => typeof value === "string") : [];
}
