import { describe, expect, test } from "vitest";
import type { AuthSettings } from "../config/schema/schema-auth.ts";
import { silentLogger } from "../lib/logger.ts";
import { createAuthenticator, openAuthenticator } from "./authenticator.ts";
import { cookieNames } from "./browser/cookies.ts";
import { challengeOf } from "./errors.ts";
import { authenticatorWith, bearer, failureOf, fetchJson, local, sign } from "./testdata.ts";
import type { CheckedToken, StoredTokens, TokenUse } from "./tokens/stored-tokens.ts";

const remote = { loopback: false };
const guest = {
  dangerouslyAllowInProduction: false,
  userEntityRef: "user:default/guest",
  roles: ["admin" as const],
};
const noProviders: AuthSettings = { environment: "default", providers: {} };
const base = { log: silentLogger, fetchJson };

describe("start", () => {
  const only = (providers: AuthSettings["providers"]): AuthSettings => ({
    environment: "default",
    providers,
  });
  const tokens = { tokens: [{ name: "ci", secret: "0123456789abcdef", roles: ["viewer" as const] }] };
  const cases: [string, AuthSettings, "development" | "production", boolean, boolean][] = [
    ["nothing, development, loopback", noProviders, "development", true, true],
    ["nothing, development, open", noProviders, "development", false, false],
    ["nothing, production, loopback", noProviders, "production", true, false],
    ["guest, development, loopback", only({ guest: { default: guest } }), "development", true, true],
    ["guest, development, open", only({ guest: { default: guest } }), "development", false, false],
    ["guest, production", only({ guest: { default: guest } }), "production", true, false],
    ["guest of another environment", only({ guest: { development: guest } }), "development", true, false],
    [
      "forced guest, production",
      only({ guest: { default: { ...guest, dangerouslyAllowInProduction: true } } }),
      "production",
      false,
      true,
    ],
    [
      "guest and service, production",
      only({ guest: { default: guest }, service: { default: tokens } }),
      "production",
      true,
      false,
    ],
    [
      "guest and service, development, open",
      only({ guest: { default: guest }, service: { default: tokens } }),
      "development",
      false,
      true,
    ],
    ["service, production", only({ service: { default: tokens } }), "production", false, true],
  ];
  test.each(cases)("%s", async (...row) => {
    const [, auth, mode, loopbackOnly, starts] = row;
    const start = () => createAuthenticator({ ...base, auth, mode, loopbackOnly });
    if (starts) expect(start()).toBeTypeOf("function");
    else {
      const failure = await failureOf(start);
      expect(failure).toMatchObject({ kind: "invalid", code: "PLATFORM_AUTH_CONFIG" });
      expect(failure.problems.length).toBeGreaterThan(0);
      expect(challengeOf(failure)).toBeUndefined();
    }
  });

  test("a guest beside others is off when the server is open", async () => {
    const auth = only({ guest: { default: guest }, service: { default: tokens } });
    const authenticate = createAuthenticator({ ...base, auth, mode: "development", loopbackOnly: false });
    expect(await failureOf(() => authenticate({}, local))).toMatchObject({ kind: "unauthenticated" });
    expect(await authenticate(bearer("0123456789abcdef"), remote)).toMatchObject({
      ref: "service:default/ci",
    });
  });
});

describe("guest", () => {
  const authenticate = createAuthenticator({
    ...base,
    auth: noProviders,
    mode: "development",
    loopbackOnly: true,
  });
  const admin = { ref: "user:default/guest", roles: ["admin"], provider: "guest" };

  test.each([
    ["no headers", {}],
    ["localhost", { host: "localhost:7007" }],
    ["address", { host: "127.0.0.1:7007" }],
    ["IPv6", { host: "[::1]:7007" }],
    ["own page", { host: "localhost:7007", origin: "http://localhost:5173", "sec-fetch-site": "same-site" }],
  ])("lets in: %s", async (_name, headers) => {
    expect(await authenticate(headers, local)).toEqual(admin);
  });

  test.each([
    ["a name that leads here", { host: "rebound.example:7007" }],
    ["a page of another site", { host: "localhost:7007", origin: "https://evil.example" }],
    ["a sandboxed page", { host: "localhost:7007", origin: "null" }],
    ["a cross-site request without origin", { host: "localhost:7007", "sec-fetch-site": "cross-site" }],
    ["a proxy", { host: "localhost:7007", "x-forwarded-for": "127.0.0.1" }],
    ["a proxy of the standard", { host: "localhost:7007", forwarded: "for=127.0.0.1" }],
  ])("refuses: %s", async (_name, headers) => {
    expect(await failureOf(() => authenticate(headers, local))).toMatchObject({
      kind: "unauthenticated",
      code: "PLATFORM_UNAUTHENTICATED",
    });
  });

  test("refuses another machine", async () => {
    const failure = await failureOf(() => authenticate({}, remote));
    expect(failure.message).toContain("only from the machine of the server");
    expect(challengeOf(failure)).toBe('Bearer realm="plinth"');
  });

  test("wrong credentials are not a way to be a guest", async () => {
    for (const authorization of ["Bearer nonsense", "Basic YTpi", "", "Bearer", "Bearer a b"]) {
      expect(await failureOf(() => authenticate({ authorization }, local))).toMatchObject({
        code: "PLATFORM_TOKEN_INVALID",
      });
    }
  });

  test("when forced, it lets in everybody, as whom the settings say", async () => {
    const forced = {
      dangerouslyAllowInProduction: true,
      userEntityRef: "user:default/demo",
      roles: ["viewer" as const],
    };
    const authenticateForced = authenticatorWith({ guest: forced });
    expect(await authenticateForced({ host: "demo.example", "x-forwarded-for": "1.2.3.4" }, remote)).toEqual({
      ref: "user:default/demo",
      roles: ["viewer"],
      provider: "guest",
    });
  });
});

describe("fixed tokens", () => {
  const authenticate = authenticatorWith({
    service: {
      tokens: [
        { name: "ci", secret: "ci-token-0123456789", roles: ["developer"] },
        { name: "scraper", secret: "scraper-token-!#%&'*^_`|~", roles: ["viewer"] },
      ],
    },
  });

  test("each has its caller and roles", async () => {
    expect(await authenticate(bearer("ci-token-0123456789"), remote)).toEqual({
      ref: "service:default/ci",
      roles: ["developer"],
      provider: "service",
    });
    expect(await authenticate({ authorization: "bearer  scraper-token-!#%&'*^_`|~ " }, remote)).toMatchObject(
      {
        ref: "service:default/scraper",
      },
    );
  });

  const cases: [string, string | string[] | undefined, string, string][] = [
    ["nothing", undefined, "PLATFORM_UNAUTHENTICATED", "The request has no credentials."],
    ["unknown", "Bearer ci-token-0123456788", "PLATFORM_TOKEN_INVALID", "The token is not known."],
    ["a prefix", "Bearer ci-token-012345678", "PLATFORM_TOKEN_INVALID", "The token is not known."],
    [
      "another scheme",
      "Basic ci-token-0123456789",
      "PLATFORM_TOKEN_INVALID",
      "The Authorization header is not of the form Bearer <token>.",
    ],
    [
      "twice",
      ["Bearer a", "Bearer b"],
      "PLATFORM_TOKEN_INVALID",
      "The request has more than one Authorization header.",
    ],
    [
      "twice, as one",
      "Bearer ci-token-0123456789, Basic Y2k=",
      "PLATFORM_TOKEN_INVALID",
      "The request has more than one Authorization header.",
    ],
    [
      "too long",
      `Bearer ${"a".repeat(9000)}`,
      "PLATFORM_TOKEN_INVALID",
      "The token is longer than 8192 characters.",
    ],
    [
      "not ASCII",
      "Bearer tökén",
      "PLATFORM_TOKEN_INVALID",
      "The Authorization header is not of the form Bearer <token>.",
    ],
  ];
  test.each(cases)("%s", async (...row) => {
    const [, authorization, code, message] = row;
    const failure = await failureOf(() => authenticate({ authorization }, local));
    expect(failure).toMatchObject({ kind: "unauthenticated", code, message });
    expect(challengeOf(failure)).toMatch(
      /^Bearer realm="plinth"(, error="invalid_token", error_description="[^"]+")?$/,
    );
    expect(JSON.stringify([failure.message, failure.solutions, failure.input])).not.toContain("ci-token");
  });
});

describe("a reload of fixed tokens", () => {
  const secretOf = (name: string): string => `${name}-0123456789abcdef`;
  const settings = (names: string[], hmac?: string): AuthSettings => ({
    environment: "default",
    providers: {
      service: {
        default: {
          tokens: names.map((name) => ({ name, secret: secretOf(name), roles: ["viewer" as const] })),
          ...(hmac === undefined ? {} : { hmac: { secret: hmac, roles: ["viewer" as const] } }),
        },
      },
    },
  });
  const open = (auth: AuthSettings, tokens?: StoredTokens) =>
    openAuthenticator({ ...base, auth, mode: "production", loopbackOnly: false, tokens });

  test("refuses the removed ones and takes the others from the commit on, and not before", async () => {
    const { authenticate, reload } = open(settings(["old", "both"]));
    const refOf = async (name: string) => (await authenticate(bearer(secretOf(name)), remote)).ref;
    expect(await refOf("old")).toBe("service:default/old");
    const take = reload(settings(["both", "new"]));
    expect(await refOf("old")).toBe("service:default/old");
    expect(await failureOf(() => refOf("new"))).toMatchObject({ code: "PLATFORM_TOKEN_INVALID" });
    take();
    expect(await failureOf(() => refOf("old"))).toMatchObject({ code: "PLATFORM_TOKEN_INVALID" });
    expect([await refOf("both"), await refOf("new")]).toEqual([
      "service:default/both",
      "service:default/new",
    ]);
  });

  test("is refused when nobody could sign in, and changes nothing", async () => {
    const { authenticate, reload } = open(settings(["old"]));
    expect(await failureOf(() => reload({ environment: "default", providers: {} }))).toMatchObject({
      code: "PLATFORM_AUTH_CONFIG",
    });
    expect((await authenticate(bearer(secretOf("old")), remote)).ref).toBe("service:default/old");
  });

  test("takes another secret of JWTs, also while a token of the former one is checked", async () => {
    const [first, second] = ["1".repeat(32), "2".repeat(32)];
    const { authenticate, reload } = open(settings(["ci"], first));
    const signed = (secret: string) =>
      sign(new TextEncoder().encode(secret), { claims: { sub: "job" }, header: { alg: "HS256" } });
    const [old, next] = [await signed(first), await signed(second)];
    const underWay = authenticate(bearer(old), remote);
    reload(settings(["ci"], second))();
    expect((await underWay).ref).toBe("service:default/job");
    expect(await failureOf(() => authenticate(bearer(old), remote))).toMatchObject({
      code: "PLATFORM_TOKEN_INVALID",
    });
    expect((await authenticate(bearer(next), remote)).ref).toBe("service:default/job");
  });

  test("tells the stored tokens of the present callers only when it is taken", () => {
    const uses: TokenUse[] = [];
    const tokens = { use: (by: TokenUse) => void uses.push(by) } as StoredTokens;
    const { reload } = open(settings(["old"]), tokens);
    const take = reload(settings(["new"]));
    expect(uses).toHaveLength(1);
    take();
    const [before, after] = uses.map(({ providers }) =>
      ["old", "new"].map((name) => providers.fixed(`service:default/${name}`) !== undefined),
    );
    expect([before, after]).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe("JWTs with a shared secret", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const key = new TextEncoder().encode(secret);
  const authenticate = authenticatorWith({
    service: { hmac: { secret, issuer: "control-plane", audience: "plinth", roles: ["service"] } },
  });
  const good = {
    claims: { iss: "control-plane", aud: "plinth", sub: "scheduler" },
    header: { alg: "HS256" },
  };

  test("good ones, by each algorithm", async () => {
    for (const alg of ["HS256", "HS384", "HS512"]) {
      const token = await sign(key, { ...good, header: { alg } });
      expect(await authenticate(bearer(token), remote)).toEqual({
        ref: "service:default/scheduler",
        roles: ["service"],
        provider: "service",
      });
    }
  });

  test("roles in the token give nothing, and a user's reference makes no user", async () => {
    const claims = { ...good.claims, sub: "user:default/ada", roles: ["admin"] };
    expect(await authenticate(bearer(await sign(key, { ...good, claims })), remote)).toEqual({
      ref: "service:default/user%3Adefault%2Fada",
      roles: ["service"],
      provider: "service",
    });
  });

  const cases: [string, Parameters<typeof sign>[1], string, string][] = [
    ["expired", { ...good, expiresIn: -6 }, "PLATFORM_TOKEN_EXPIRED", "The token has expired."],
    [
      "without expiry",
      { ...good, expiresIn: null },
      "PLATFORM_TOKEN_INVALID",
      "The token lacks the claim exp.",
    ],
    [
      "other audience",
      { ...good, claims: { ...good.claims, aud: "x" } },
      "PLATFORM_TOKEN_INVALID",
      "The token is meant for another audience.",
    ],
    [
      "other issuer",
      { ...good, claims: { ...good.claims, iss: "x" } },
      "PLATFORM_TOKEN_INVALID",
      "The token comes from an issuer that is not accepted.",
    ],
    [
      "without issuer",
      { ...good, claims: { aud: "plinth" } },
      "PLATFORM_TOKEN_INVALID",
      "The token comes from an issuer that is not accepted.",
    ],
    [
      "not yet",
      { ...good, claims: { ...good.claims, nbf: Math.floor(Date.now() / 1000) + 60 } },
      "PLATFORM_TOKEN_INVALID",
      "The token is not valid yet.",
    ],
    ...["exp", "iat"].map((claim): (typeof cases)[number] => [
      `a time of ${claim} that no date has`,
      { ...good, claims: { ...good.claims, [claim]: 1e15 }, expiresIn: claim === "exp" ? null : 300 },
      "PLATFORM_TOKEN_INVALID",
      `The claim ${claim} of the token is not acceptable.`,
    ]),
    [
      "issued before 1970",
      { ...good, claims: { ...good.claims, iat: -1e13 } },
      "PLATFORM_TOKEN_INVALID",
      "The claim iat of the token is not acceptable.",
    ],
    [
      "empty subject",
      { ...good, claims: { ...good.claims, sub: "" } },
      "PLATFORM_TOKEN_INVALID",
      "The token has no usable subject.",
    ],
    [
      "huge subject",
      { ...good, claims: { ...good.claims, sub: "x".repeat(300) } },
      "PLATFORM_TOKEN_INVALID",
      "The token has no usable subject.",
    ],
  ];
  test.each(cases)("%s", async (...row) => {
    const [, overrides, code, message] = row;
    const token = await sign(key, overrides);
    expect(await failureOf(() => authenticate(bearer(token), remote))).toMatchObject({ code, message });
  });

  test("clocks may differ by five seconds", async () => {
    const late = await sign(key, { ...good, expiresIn: -3 });
    const early = await sign(key, {
      ...good,
      claims: { ...good.claims, nbf: Math.floor(Date.now() / 1000) + 3 },
    });
    expect(await authenticate(bearer(late), remote)).toMatchObject({ ref: "service:default/scheduler" });
    expect(await authenticate(bearer(early), remote)).toMatchObject({ ref: "service:default/scheduler" });
  });

  test("another secret, a changed payload, no signature", async () => {
    const other = await sign(new TextEncoder().encode(secret.replaceAll("0", "1")), good);
    const wrong = { code: "PLATFORM_TOKEN_INVALID", message: "The signature of the token is not right." };
    expect(await failureOf(() => authenticate(bearer(other), remote))).toMatchObject(wrong);
    const [head, body, signature] = (await sign(key, good)).split(".");
    const payload: Record<string, unknown> = JSON.parse(Buffer.from(body!, "base64url").toString());
    const changed = Buffer.from(JSON.stringify({ ...payload, sub: "root" })).toString("base64url");
    expect(
      await failureOf(() => authenticate(bearer(`${head}.${changed}.${signature}`), remote)),
    ).toMatchObject(wrong);
    expect(await failureOf(() => authenticate(bearer(`${head}.${body}.`), remote))).toMatchObject(wrong);
    for (const alg of ["none", "None", "", "HS1"]) {
      const unsigned = Buffer.from(JSON.stringify({ alg, typ: "JWT" })).toString("base64url");
      for (const rest of ["", signature]) {
        expect(
          await failureOf(() => authenticate(bearer(`${unsigned}.${body}.${rest}`), remote)),
        ).toMatchObject({
          code: "PLATFORM_TOKEN_INVALID",
        });
      }
    }
  });
});

describe("a token that is revoked while it is checked", () => {
  test("is checked again by the next request, and what the first check finds is not remembered", async () => {
    const actor = { ref: "user:default/ada", roles: [], provider: "oidc", tokenId: "of-ada" };
    const checks: PromiseWithResolvers<CheckedToken>[] = [];
    let use: TokenUse | undefined;
    const tokens = {
      isOwn: () => true,
      use: (by: TokenUse) => (use = by),
      check() {
        const check = Promise.withResolvers<CheckedToken>();
        checks.push(check);
        return check.promise;
      },
    } as unknown as StoredTokens;
    const { authenticate } = openAuthenticator({
      ...base,
      auth: { environment: "default", providers: { guest: { default: guest } } },
      mode: "development",
      loopbackOnly: true,
      tokens,
    });
    const ask = () => Promise.resolve(authenticate({ authorization: "Bearer plinth_x" }, { loopback: true }));
    const before = [ask(), ask()];
    expect(checks).toHaveLength(1);
    use?.forget("of-ada");
    const after = ask();
    expect(checks).toHaveLength(2);
    const farMs = Date.now() + 3_000;
    checks[0]?.resolve({ actor, freshUntilMs: farMs, expiresAtMs: farMs });
    expect(await Promise.all(before)).toEqual([actor, actor]);
    const next = ask();
    expect(checks).toHaveLength(2);
    checks[1]?.reject(new Error("revoked"));
    await expect(after).rejects.toThrow("revoked");
    await expect(next).rejects.toThrow("revoked");
  });
});

describe("the use of a session", () => {
  const actor = { ref: "user:default/ada", roles: ["viewer" as const], provider: "oidc", tokenId: "of-ada" };
  const cookie = "plinth=value";
  const usesOf = async (headers: Record<string, string>, method: string | null = "GET") => {
    const used: string[] = [];
    const farMs = Date.now() + 3_000;
    const authenticate = createAuthenticator({
      ...base,
      auth: { environment: "default", providers: { guest: { default: guest } } },
      mode: "development",
      loopbackOnly: true,
      sessions: {
        cookies: cookieNames(undefined),
        check: async () => ({ actor, freshUntilMs: farMs, expiresAtMs: farMs }),
        used: (id) => void used.push(id),
      },
    });
    // The first one is checked, and the second one is remembered.
    for (const _each of [1, 2])
      expect(await authenticate({ cookie, host: "localhost", ...headers }, local, method)).toEqual(actor);
    return used;
  };

  test("is a request, not the watch over an open stream", async () => {
    expect(await usesOf({})).toEqual(["of-ada", "of-ada"]);
    expect(await usesOf({}, null)).toEqual([]);
  });

  test.each(["1", "0", ""])("is no request of a page that nobody attends to (%j)", async (value) => {
    expect(await usesOf({ "x-plinth-unattended": value })).toEqual([]);
  });

  test("the header gives nothing else: a write needs what it needed", async () => {
    const page = { "sec-fetch-site": "same-origin", "x-plinth-unattended": "1" };
    await expect(usesOf(page, "POST")).rejects.toMatchObject({ code: "PLATFORM_CROSS_SITE" });
    expect(await usesOf({ ...page, "x-plinth-console": "1" }, "POST")).toEqual([]);
  });
});
