/** What tokens with scopes may do, beside what their owner's roles allow. */
import { describe, expect, test } from "vitest";
import type { Actor } from "../lib/actor.ts";
import { authenticatorWith, bearer, failureOf, local, makeSigner, sign, startKeyServer } from "./testdata.ts";
import { challengeOf } from "./errors.ts";
import { authorize, isAllowed, isPolicyId, policy, policyAreas, type PolicyId } from "./policy.ts";
import { covers, type ScopedOperation } from "./scopes.ts";

const withScopes = (...scopes: string[]): Actor => ({
  ref: "user:default/ada",
  roles: ["admin"],
  provider: "oidc",
  scopes,
});

test.each<[string, PolicyId, boolean]>([
  ["all", "startProvisioning", true],
  ["all", "putCustomView", true],
  ["read", "getPlan", true],
  ["read", "listResults", true],
  ["read", "startProvisioning", false],
  ["coordinator", "startProvisioning", true],
  ["coordinator", "getPlan", true],
  ["coordinator", "listResults", false],
  ["coordinator:read", "getPlan", true],
  ["coordinator:read", "getUnitDiff", true],
  ["coordinator:read", "startProvisioning", false],
  ["coordinator:read", "listResults", false],
  ["coordinator:startProvisioning", "startProvisioning", true],
  ["coordinator:startProvisioning", "terminatePlan", false],
  ["governance:startProvisioning", "startProvisioning", false],
  ["service:computational-governance", "createPolicy", true],
  ["service:computational-governance", "getPlan", false],
  ["service:coordinator", "getPlan", true],
  ["service:all", "getPlan", false],
  ["service:provisioning-coordinator", "getPlan", true],
  ["data-layer", "queryDataLayer", true],
  ["openid", "getPlan", false],
  ["", "getPlan", false],
  ["constructor", "getPlan", false],
])("%s lets a token do %s: %s", (scope, id, expected) => {
  expect(isAllowed(withScopes(scope), id)).toBe(expected);
  expect(isAllowed(withScopes("openid", scope), id)).toBe(expected);
});

test("no scope is nothing at all, and everything public stays so", () => {
  expect(isAllowed(withScopes(), "getPlan")).toBe(false);
  expect(isAllowed(withScopes(), "healthz")).toBe(true);
});

test("scopes give nothing that the roles do not", () => {
  const viewer: Actor = { ...withScopes("all"), roles: ["viewer"] };
  expect(isAllowed(viewer, "getPlan")).toBe(true);
  expect(isAllowed(viewer, "terminatePlan")).toBe(false);
});

test("a refusal names the scopes and makes a challenge", async () => {
  const failure = await failureOf(() => authorize(withScopes("read"), "terminatePlan"));
  expect(failure).toMatchObject({
    kind: "forbidden",
    code: "PLATFORM_SCOPE_MISSING",
    message:
      "terminatePlan needs one of these scopes, and the token has none of them: coordinator:terminatePlan, coordinator, all.",
  });
  expect(challengeOf(failure)).toMatch(/^Bearer realm="plinth", error="insufficient_scope"/);
  const other = await failureOf(() => authorize({ ...withScopes("read"), roles: [] }, "terminatePlan"));
  expect(other.code).toBe("PLATFORM_FORBIDDEN");
});

test("each operation belongs to one area", () => {
  const all = Object.values(policyAreas).flatMap((rules) => Object.keys(rules));
  expect(all.toSorted()).toEqual(Object.keys(policy).toSorted());
});

/** Whoever names an operation so says that it changes nothing. */
const readingVerb = /^(?:get|list|count|read|stream|query|search|check|clone)[A-Z]|^metrics$/;

/** Tokens need no scope for them. */
const aboutOneself = new Set<string>(["exchangeSessionToken", "getCaller", "getUserInfo"]);

describe("operations that change nothing are those that are named so", () => {
  const ids = Object.keys(policy).filter((id): id is PolicyId => isPolicyId(id) && policy[id] !== "public");
  test.each(ids)("%s", (id) => {
    const area = Object.entries(policyAreas).find(([, rules]) => Object.hasOwn(rules, id))?.[0] ?? "";
    const isExpected = readingVerb.test(id) || aboutOneself.has(id);
    expect(isAllowed(withScopes("read"), id)).toBe(isExpected);
    expect(isAllowed(withScopes(`${area}:read`), id)).toBe(isExpected);
    expect(isAllowed(withScopes("none"), id)).toBe(aboutOneself.has(id));
  });
});

test("scopes are compared whole", () => {
  const reading: ScopedOperation = { id: "a", area: "b", reads: true };
  expect(covers(["b:a"], reading) && covers(["b:read"], reading)).toBe(true);
  expect(covers(["a", "b:b", "b:", ":a", "READ", "b:read "], reading)).toBe(false);
});

describe("scopes in tokens of others", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const key = new TextEncoder().encode(secret);
  const scopesIn = async (hmac: object, claims: Record<string, unknown>) => {
    const authenticate = authenticatorWith({ service: { hmac: { secret, roles: ["service"], ...hmac } } });
    const token = await sign(key, { header: { alg: "HS256" }, claims });
    return (await authenticate(bearer(token), local)).scopes;
  };

  test("are not looked at unless the settings name their claim", async () => {
    expect(await scopesIn({}, { scope: "coordinator:read" })).toBeUndefined();
  });

  test.each<[object, readonly string[]]>([
    [{ scope: "coordinator:read openid" }, ["coordinator:read", "openid"]],
    [{ scope: ["builder"] }, ["builder"]],
    [{ scope: 1 }, []],
    [{}, []],
  ])("of %j limit it to %j", async (claims, scopes) => {
    expect(await scopesIn({ scopesClaim: "scope" }, { ...claims })).toEqual(scopes);
  });

  test("of a fixed token are those of the settings", async () => {
    const authenticate = authenticatorWith({
      service: { tokens: [{ name: "ci", secret, roles: ["admin"], scopes: ["read"] }] },
    });
    const actor = await authenticate(bearer(secret), local);
    expect([isAllowed(actor, "getPlan"), isAllowed(actor, "startProvisioning")]).toEqual([true, false]);
  });

  test("of a person are those of the claim", async () => {
    const issuer = await startKeyServer();
    const signer = await makeSigner("k");
    issuer.keys = [signer.jwk];
    const authenticate = authenticatorWith({
      oidc: {
        issuer: issuer.url,
        audience: "plinth",
        rolesClaim: "roles",
        defaultRoles: ["admin"],
        scopesClaim: "scope",
      },
    });
    const claims = { iss: issuer.url, aud: "plinth", scope: "governance:read" };
    const token = await sign(signer.privateKey, { header: { kid: "k" }, claims });
    const actor = await authenticate(bearer(token), local);
    expect([isAllowed(actor, "listPolicies"), isAllowed(actor, "getPlan")]).toEqual([true, false]);
  });
});
