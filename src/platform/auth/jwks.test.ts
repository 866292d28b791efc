import { beforeAll, describe, expect, test } from "vitest";
import { challengeOf } from "./errors.ts";
import { authenticatorWith, bearer, failureOf, local, makeSigner, sign, startKeyServer } from "./testdata.ts";
import type { KeyServer, Signer } from "./testdata.ts";

const oidcOf = (server: KeyServer, more: object = {}) => ({
  issuer: server.url,
  audience: "plinth",
  rolesClaim: "roles",
  defaultRoles: ["viewer" as const],
  ...more,
});

describe("oidc, against a real server", () => {
  let server: KeyServer;
  let signer: Signer;
  beforeAll(async () => {
    server = await startKeyServer();
    signer = await makeSigner("k1");
    server.keys = [signer.jwk];
  });
  const good = (more: object = {}) => ({
    header: { kid: "k1" },
    claims: { iss: server.url, aud: "plinth", sub: "ada", ...more },
  });
  const signed = (more: object = {}) => sign(signer.privateKey, good(more));

  test("a person with the default role, found by discovery", async () => {
    const authenticate = authenticatorWith({ oidc: oidcOf(server) });
    server.requests.length = 0;
    expect(await authenticate(bearer(await signed()), local)).toEqual({
      ref: "user:default/ada",
      roles: ["viewer"],
      provider: "oidc",
    });
    expect(await authenticate(bearer(await signed({ sub: "bob" })), local)).toMatchObject({
      ref: "user:default/bob",
    });
    expect(server.requests).toEqual(["/.well-known/openid-configuration", "/keys"]);
  });

  test("of several providers, whatever their names, the one that issued the token is asked", async () => {
    const other = await startKeyServer();
    const theirs = await makeSigner("k2");
    other.keys = [theirs.jwk];
    const google = {
      metadataUrl: `${other.url}/.well-known/openid-configuration`,
      audience: "plinth",
      rolesClaim: "roles",
      defaultRoles: ["developer" as const],
    };
    const providers = { oidc: oidcOf(server), google };
    const authenticate = authenticatorWith(providers);
    const token = (signedBy: Signer, kid: string, iss: string) =>
      sign(signedBy.privateKey, { header: { kid }, claims: { iss, aud: "plinth", sub: "ada" } });
    expect(await authenticate(bearer(await token(theirs, "k2", other.url)), local)).toMatchObject({
      provider: "google",
      roles: ["developer"],
    });
    expect(await authenticate(bearer(await signed()), local)).toMatchObject({ provider: "oidc" });
    // Neither vouches for the other.
    const forged = bearer(await token(theirs, "k2", server.url));
    expect(await failureOf(() => authenticate(forged, local))).toMatchObject({
      code: "PLATFORM_TOKEN_INVALID",
    });
  });

  test("with jwksUrl discovery is not asked", async () => {
    const authenticate = authenticatorWith({ oidc: oidcOf(server, { jwksUrl: `${server.url}/keys` }) });
    server.requests.length = 0;
    await authenticate(bearer(await signed()), local);
    expect(server.requests).toEqual(["/keys"]);
  });

  const roleCases: [string, object, object, string[]][] = [
    ["names of roles", {}, { roles: ["developer", "nonsense"] }, ["developer"]],
    ["a text of names", {}, { roles: "developer operator" }, ["developer", "operator"]],
    ["service is not taken from a person", {}, { roles: ["service"] }, ["viewer"]],
    [
      "mapping",
      { roleMapping: { "data-eng": "operator" } },
      { roles: ["data-eng", "data-eng", "admin"] },
      ["operator"],
    ],
    ["mapping to service", { roleMapping: { robots: "service" } }, { roles: ["robots"] }, ["service"]],
    ["nested claim", { rolesClaim: "realm_access.roles" }, { realm_access: { roles: ["admin"] } }, ["admin"]],
    [
      "claim with dots in its name",
      { rolesClaim: "https://x.y/roles" },
      { "https://x.y/roles": ["admin"] },
      ["admin"],
    ],
    ["claim of another shape", {}, { roles: { admin: true } }, ["viewer"]],
    ["claim of the prototype", { rolesClaim: "constructor.name" }, {}, ["viewer"]],
    ["mapping of the prototype", {}, { roles: ["constructor", "__proto__"] }, ["viewer"]],
    ["no default", { defaultRoles: [] }, {}, []],
  ];
  test.each(roleCases)("roles: %s", async (...row) => {
    const [, settings, claims, roles] = row;
    const authenticate = authenticatorWith({ oidc: oidcOf(server, settings) });
    expect(await authenticate(bearer(await signed(claims)), local)).toMatchObject({ roles });
  });

  test.each([
    ["ada", "user:default/ada"],
    ["user:team-x/ada", "user:team-x/ada"],
    ["auth0|12 3", "user:default/auth0%7C12%203"],
    ["service:default/ci", "user:default/service%3Adefault%2Fci"],
  ])("subject %s is %s", async (sub, ref) => {
    const authenticate = authenticatorWith({ oidc: oidcOf(server) });
    expect(await authenticate(bearer(await signed({ sub })), local)).toMatchObject({ ref });
  });

  test.each<[string, object, object, string[] | undefined]>([
    [
      "a list",
      {},
      { domains: ["finance", 7, null, "domain:default/Fleet"] },
      ["finance", "domain:default/Fleet"],
    ],
    ["a text", {}, { domains: "finance fleet" }, ["finance", "fleet"]],
    ["none", {}, {}, undefined],
    ["an empty list", {}, { domains: [] }, undefined],
    ["something else", {}, { domains: { finance: true } }, undefined],
    [
      "another claim",
      { domainsClaim: "org.areas" },
      { domains: ["x"], org: { areas: ["finance"] } },
      ["finance"],
    ],
    ["a claim of the prototype", { domainsClaim: "constructor.name" }, {}, undefined],
  ])("domains from the token: %s", async (_what, settings, claims, expected) => {
    const authenticate = authenticatorWith({ oidc: oidcOf(server, settings) });
    const actor = await authenticate(bearer(await signed(claims)), local);
    expect(actor).toMatchObject({ ref: "user:default/ada" });
    expect((actor as { domains?: readonly string[] }).domains).toEqual(expected);
  });

  test("each algorithm of public keys", async () => {
    for (const alg of ["RS256", "PS384", "ES384", "EdDSA"]) {
      const other = await makeSigner(`k-${alg}`, alg);
      const own = await startKeyServer();
      own.keys = [other.jwk];
      const authenticate = authenticatorWith({ oidc: oidcOf(own) });
      const claims = { iss: own.url, aud: "plinth" };
      const token = await sign(other.privateKey, { claims, header: { alg, kid: `k-${alg}` } });
      expect(await authenticate(bearer(token), local)).toMatchObject({ ref: "user:default/ada" });
    }
  });

  test("a token without key id is tried with every key of its kind", async () => {
    const own = await startKeyServer();
    const signers = [await makeSigner(undefined), await makeSigner(undefined), await makeSigner(undefined)];
    own.keys = signers.map(({ jwk }) => jwk);
    const authenticate = authenticatorWith({ oidc: oidcOf(own) });
    const claims = { iss: own.url, aud: "plinth" };
    for (const { privateKey } of signers) {
      expect(await authenticate(bearer(await sign(privateKey, { claims })), local)).toMatchObject({
        provider: "oidc",
      });
    }
    const otherSigner = await makeSigner(undefined);
    const failure = await failureOf(async () =>
      authenticate(bearer(await sign(otherSigner.privateKey, { claims })), local),
    );
    expect(failure.message).toBe("The signature of the token is not right.");
  });

  test.each([
    ["aud", { aud: "other" }, "The token is meant for another audience."],
    ["iss", { iss: "https://other" }, "The token comes from an issuer that is not accepted."],
  ])("wrong %s", async (_name, claims, message) => {
    const authenticate = authenticatorWith({ oidc: oidcOf(server) });
    const failure = await failureOf(async () => authenticate(bearer(await signed(claims)), local));
    expect(failure).toMatchObject({ kind: "unauthenticated", code: "PLATFORM_TOKEN_INVALID", message });
    expect(challengeOf(failure)).toContain(`error_description="${message}"`);
    expect(JSON.stringify([failure.message, failure.solutions])).not.toContain(server.url);
  });

  test("a public key is never taken for a shared secret", async () => {
    const own = await startKeyServer();
    const rsa = await makeSigner("rsa", "RS256");
    own.keys = [
      rsa.jwk,
      { kty: "oct", kid: "oct", k: Buffer.from("a".repeat(32)).toString("base64url"), alg: "HS256" },
    ];
    const authenticate = authenticatorWith({ oidc: oidcOf(own) });
    const claims = { iss: own.url, aud: "plinth" };
    const forgeries = [
      await sign(new TextEncoder().encode(JSON.stringify(rsa.jwk)), {
        claims,
        header: { alg: "HS256", kid: "rsa" },
      }),
      await sign(new TextEncoder().encode("a".repeat(32)), { claims, header: { alg: "HS256", kid: "oct" } }),
    ];
    for (const token of forgeries) {
      expect(await failureOf(() => authenticate(bearer(token), local))).toMatchObject({
        code: "PLATFORM_TOKEN_INVALID",
        message: "The token is signed with an algorithm that is not accepted.",
      });
    }
  });

  test("a key in the token's own header is not believed", async () => {
    const otherSigner = await makeSigner("k1");
    const token = await sign(otherSigner.privateKey, {
      ...good(),
      header: { kid: "k1", ...({ jwk: otherSigner.jwk, jku: "http://127.0.0.1:1/keys" } as object) },
    });
    const authenticate = authenticatorWith({ oidc: oidcOf(server) });
    expect(await failureOf(() => authenticate(bearer(token), local))).toMatchObject({
      message: "The signature of the token is not right.",
    });
  });
});

describe("people and services of one issuer", () => {
  test("the audience decides who the bearer is", async () => {
    const server = await startKeyServer();
    const signer = await makeSigner("k1");
    server.keys = [signer.jwk];
    const authenticate = authenticatorWith({
      oidc: oidcOf(server, { audience: "console" }),
      service: {
        jwks: { url: `${server.url}/keys`, issuer: server.url, audience: "api", roles: ["operator"] },
      },
    });
    const tokenFor = (aud: string) =>
      sign(signer.privateKey, { header: { kid: "k1" }, claims: { iss: server.url, aud, sub: "x" } });
    expect(await authenticate(bearer(await tokenFor("console")), local)).toMatchObject({
      ref: "user:default/x",
    });
    expect(await authenticate(bearer(await tokenFor("api")), local)).toEqual({
      ref: "service:default/x",
      roles: ["operator"],
      provider: "service",
    });
    expect(await failureOf(async () => authenticate(bearer(await tokenFor("other")), local))).toMatchObject({
      message: "The token is meant for another audience.",
    });
  });

  test("while one of them cannot be asked, the refusal of the other is no answer", async () => {
    const server = await startKeyServer();
    const signer = await makeSigner("k1");
    server.keys = [signer.jwk];
    const authenticate = authenticatorWith({
      oidc: oidcOf(server, { audience: "console", jwksUrl: `${server.url}/keys` }),
      service: {
        jwks: { url: `${server.url}/missing`, issuer: server.url, audience: "api", roles: ["operator"] },
      },
    });
    const claims = { iss: server.url, aud: "api" };
    const token = await sign(signer.privateKey, { header: { kid: "k1" }, claims });
    expect(await failureOf(() => authenticate(bearer(token), local))).toMatchObject({ kind: "unavailable" });
  });

  test("an issuer without a name takes what no other issuer claims", async () => {
    const [people, machines] = [await startKeyServer(), await startKeyServer()];
    const [personKey, machineKey] = [await makeSigner("p"), await makeSigner("m")];
    people.keys = [personKey.jwk];
    machines.keys = [machineKey.jwk];
    const authenticate = authenticatorWith({
      oidc: oidcOf(people),
      service: { jwks: { url: `${machines.url}/keys`, roles: ["service"] } },
    });
    const machine = await sign(machineKey.privateKey, { header: { kid: "m" }, claims: { sub: "job" } });
    expect(await authenticate(bearer(machine), local)).toMatchObject({ ref: "service:default/job" });
    const posing = await sign(machineKey.privateKey, {
      header: { kid: "m" },
      claims: { iss: people.url, aud: "plinth", sub: "ada" },
    });
    expect(await failureOf(() => authenticate(bearer(posing), local))).toMatchObject({
      message: "The token is signed with a key that its issuer does not publish.",
    });
  });
});

describe("keys that change or cannot be read", () => {
  /** A clock that the test moves; tokens live long enough for all of it. */
  async function arrange() {
    const server = await startKeyServer();
    const signer = await makeSigner("old");
    server.keys = [signer.jwk];
    let offsetMs = 0;
    const authenticate = authenticatorWith(
      { oidc: oidcOf(server, { jwksUrl: `${server.url}/keys` }) },
      { now: () => new Date(Date.now() + offsetMs) },
    );
    let count = 0;
    /** A token that was never seen, so that no answer comes from the cache. */
    const fresh = ({ privateKey, jwk }: Signer) => {
      count += 1;
      const claims = { iss: server.url, aud: "plinth", jti: String(count) };
      return sign(privateKey, { header: { kid: jwk.kid! }, claims, expiresIn: 200_000 });
    };
    const ask = async (who: Signer) => authenticate(bearer(await fresh(who)), local);
    const pass = (ms: number) => {
      offsetMs += ms;
    };
    return { server, signer, ask, pass };
  }
  const unavailable = { kind: "unavailable", code: "PLATFORM_AUTH_UNAVAILABLE", retryAfterSeconds: 5 };

  test("when they never could be read, it says so with 503 and not 401", async () => {
    const { server, signer, ask, pass } = await arrange();
    server.status = 500;
    const failure = await failureOf(() => ask(signer));
    expect(failure).toMatchObject(unavailable);
    expect(challengeOf(failure)).toBeUndefined();
    await failureOf(() => ask(signer));
    expect(server.requests).toHaveLength(1);
    server.status = undefined;
    pass(5001);
    expect(await ask(signer)).toMatchObject({ ref: "user:default/ada" });
  });

  test.each([
    ["a list", []],
    ["no keys", {}],
    ["keys that are no list", { keys: 3 }],
    ["too many keys", { keys: Array.from({ length: 101 }, () => ({ kty: "EC" })) }],
  ])("a document that is %s counts as unreadable", async (_name, document) => {
    const authenticate = authenticatorWith(
      {
        oidc: {
          issuer: "https://i",
          audience: "a",
          jwksUrl: "https://i/keys",
          rolesClaim: "r",
          defaultRoles: [],
        },
      },
      { fetchJson: async () => document },
    );
    const { privateKey } = await makeSigner("k");
    const token = await sign(privateKey, { header: { kid: "k" }, claims: { iss: "https://i", aud: "a" } });
    expect(await failureOf(() => authenticate(bearer(token), local))).toMatchObject(unavailable);
  });

  test.each([
    ["is of another issuer", { issuer: "https://other", jwks_uri: "https://i/keys" }],
    ["names no keys", { issuer: "https://i" }],
    ["names keys at a less safe address", { issuer: "https://i", jwks_uri: "http://i/keys" }],
    ["names a file", { issuer: "https://i", jwks_uri: "file:///etc/keys" }],
    ["is null", null],
  ])("a discovery document that %s counts as unreadable", async (_name, document) => {
    const { privateKey, jwk } = await makeSigner("k");
    const authenticate = authenticatorWith(
      { oidc: { issuer: "https://i", audience: "a", rolesClaim: "r", defaultRoles: [] } },
      { fetchJson: async (url) => (url.endsWith("/keys") ? { keys: [jwk] } : document) },
    );
    const token = await sign(privateKey, { header: { kid: "k" }, claims: { iss: "https://i", aud: "a" } });
    expect(await failureOf(() => authenticate(bearer(token), local))).toMatchObject(unavailable);
  });

  test("a new key is found at once, and strangers do not make us ask again and again", async () => {
    const { server, signer, ask, pass } = await arrange();
    const [next, otherSigner] = [await makeSigner("new"), await makeSigner("stranger")];
    await ask(signer);
    pass(30_001);
    server.keys = [signer.jwk, next.jwk];
    expect(await ask(next)).toMatchObject({ provider: "oidc" });
    expect(server.requests).toHaveLength(2);
    for (let i = 0; i < 5; i++) {
      expect(await failureOf(() => ask(otherSigner))).toMatchObject({
        code: "PLATFORM_TOKEN_INVALID",
        message: "The token is signed with a key that its issuer does not publish.",
      });
    }
    expect(server.requests).toHaveLength(2);
  });

  test("a withdrawn key is refused when the keys are read again", async () => {
    const { server, signer, ask, pass } = await arrange();
    const next = await makeSigner("new");
    await ask(signer);
    server.keys = [next.jwk];
    pass(600_001);
    expect(await failureOf(() => ask(signer))).toMatchObject({ code: "PLATFORM_TOKEN_INVALID" });
  });

  test("old keys serve through an outage of the issuer, for a day; unknown ones are 503 then", async () => {
    const { server, signer, ask, pass } = await arrange();
    const otherSigner = await makeSigner("stranger");
    await ask(signer);
    server.status = 503;
    pass(600_001);
    expect(await ask(signer)).toMatchObject({ provider: "oidc" });
    pass(6000);
    expect(await failureOf(() => ask(otherSigner))).toMatchObject(unavailable);
    pass(86_400_000);
    expect(await failureOf(() => ask(signer))).toMatchObject(unavailable);
  });

  test("many requests at once read the keys once", async () => {
    const { server, signer, ask } = await arrange();
    await Promise.all(Array.from({ length: 20 }, () => ask(signer)));
    expect(server.requests).toHaveLength(1);
  });
});
