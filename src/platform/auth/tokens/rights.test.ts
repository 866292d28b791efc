/** What a stored token is good for, by what its owner may do at that moment. */
import { describe, expect, test } from "vitest";
import type { Actor } from "../../lib/actor.ts";
import { actorOfToken, narrowed, type ActiveProviders } from "./rights.ts";
import type { KnownOwner, StoredToken } from "./token.ts";

const now = new Date("2026-11-23T12:00:00Z");
const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);

const owner: KnownOwner = {
  ref: "user:default/ada",
  source: "signed",
  provider: "okta",
  roles: ["developer", "viewer"],
  domains: null,
  knownAt: daysAgo(1),
};

const token: StoredToken = {
  id: "t",
  kind: "personal",
  roles: ["viewer", "developer", "operator"],
  scopes: ["coordinator", "builder:read"],
  expiresAt: daysAgo(-1),
  revokedAt: null,
  lastUsedAt: null,
  owner,
};

const fixed: Actor = { ref: "service:default/ci", roles: ["service"], provider: "service" };
const guest: Actor = { ref: "user:default/guest", roles: ["admin"], provider: "guest" };

const providers = (more: Partial<ActiveProviders> = {}): ActiveProviders => ({
  guest,
  fixed: (ref) => (ref === fixed.ref ? fixed : undefined),
  issuers: new Set(["okta"]),
  ...more,
});

const use = (changed: Partial<StoredToken>, more?: Partial<ActiveProviders>) =>
  actorOfToken({ ...token, ...changed }, { providers: providers(more), now, ownerDays: 30 });

const ownedBy = (changed: Partial<KnownOwner>): Partial<StoredToken> => ({ owner: { ...owner, ...changed } });

test("its owner, with the roles that both have", () => {
  expect(use({})).toEqual({
    ref: "user:default/ada",
    roles: ["viewer", "developer"],
    provider: "okta",
    scopes: ["coordinator", "builder:read"],
    tokenId: "t",
  });
  expect(use({ roles: ["service"] })).toMatchObject({ roles: ["developer", "viewer"] });
  expect(use({ ...ownedBy({ roles: ["service"] }), roles: ["admin"] })).toMatchObject({ roles: [] });
  expect(use(ownedBy({ roles: ["admin", "operator"], domains: ["sea"] }))).toMatchObject({
    roles: ["viewer", "developer", "operator"],
    domains: ["sea"],
  });
});

test.each<[string, ReturnType<typeof use>, string]>([
  ["revoked", use({ revokedAt: now }), "The token was revoked."],
  ["without an owner", use({ owner: null }), "The owner of the token is gone."],
  ["of an issuer that is gone", use({}, { issuers: new Set(["other"]) }), "can't sign in here any more"],
  ["of somebody who stays away", use(ownedBy({ knownAt: daysAgo(31) })), "has not signed in for 30 days"],
  [
    "of a guest, where there is none",
    use(ownedBy({ source: "guest" }), { guest: undefined }),
    "can't sign in",
  ],
  ["of another guest", use(ownedBy({ source: "guest", ref: "user:default/x" })), "can't sign in"],
  [
    "of a fixed token that is gone",
    use(ownedBy({ source: "settings", ref: "service:default/x" })),
    "can't sign in",
  ],
])("a token %s is refused", (_what, used, reason) => {
  expect(used).toEqual({ refusal: expect.stringContaining(reason) });
});

describe("whose roles the settings have", () => {
  const ofFixed = ownedBy({ source: "settings", ref: fixed.ref, roles: ["admin"], knownAt: daysAgo(400) });

  test("the settings say at each use", () => {
    expect(use({ ...ofFixed, roles: ["service", "admin"] })).toMatchObject({ roles: ["service"] });
    const ofGuest = ownedBy({ source: "guest", ref: guest.ref, roles: [] });
    expect(use({ ...ofGuest, roles: ["admin"] })).toMatchObject({ roles: ["admin"] });
  });

  test("scopes of the fixed token limit what was made with it", () => {
    const limited = { ...fixed, scopes: ["coordinator:read", "builder"] };
    const used = use({ ...ofFixed, roles: ["service"] }, { fixed: () => limited });
    expect(used).toMatchObject({ scopes: ["builder:read"] });
  });
});

test("a service account never signs in", () => {
  const account = ownedBy({ source: "account", ref: "service:default/bot", knownAt: daysAgo(4_000) });
  expect(use(account, { issuers: new Set() })).toMatchObject({ ref: "service:default/bot" });
});

describe("what a sign-in without a time leaves of an owner", () => {
  type Shown = Pick<KnownOwner, "roles" | "domains">;
  const shown = (roles: KnownOwner["roles"], ...domains: string[]): Shown => ({
    roles,
    domains: domains.length === 0 ? null : domains,
  });
  test.each<[string, Shown, Shown, Shown | undefined]>([
    ["all of it, where it shows the same", shown(["viewer"], "sea"), shown(["viewer"], "sea"), undefined],
    ["all of it, where it shows more", shown(["developer"]), shown(["admin"], "sea"), undefined],
    ["the lesser role", shown(["admin"]), shown(["viewer"]), shown(["viewer"])],
    ["no role, where none is the same person's", shown(["operator"]), shown(["service"]), shown([])],
    ["nothing, where it shows nothing", shown(["operator"], "sea"), shown([]), shown([])],
    [
      "the domains of both",
      shown(["viewer"], "sea", "air"),
      shown(["viewer"], "air", "land"),
      shown(["viewer"], "air"),
    ],
  ])("%s", (...[, known, next, left]) => {
    expect(narrowed(known, next)).toEqual(left);
  });
});
