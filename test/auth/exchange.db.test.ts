/** JWTs for tokens and sessions, as clients of earlier releases get them, and who the caller is. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { setDatabaseWait } from "../support/server.ts";
import {
  audience,
  readsAccounts,
  readsPlans,
  readsPolicies,
  startAuthServer,
  tokenOf,
  type AuthServer,
} from "./auth-server.ts";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({
    configure(config) {
      // Dozens that begin sessions of one owner at once wait for each other.
      setDatabaseWait(config, { read: 120_000, write: 120_000 });
      Object.assign(config.auth.providers["oidc"]!["default"]!, {
        commandLine: { clientId: "plinth-cli", scopes: ["openid"], parameters: { resource: "urn:plinth" } },
      });
    },
  });
});
afterAll(() => server.close());

const make = async (bearer: string, body: object = {}): Promise<{ token: string; id: string }> =>
  (await server.auth(bearer, "POST", "/v1/tokens", { name: "x", ...body })).body;
const statusOf = async (bearer: string, [method, path]: readonly [string, string]): Promise<number> =>
  (await server.call(bearer, method, path)).status;
const governanceScope = "service:computational-governance";

describe("POST /api/auth/access-tokens/jwt", () => {
  const exchange = (body: object) => server.auth(null, "POST", "/access-tokens/jwt", body);

  it("answers a JWT with the wanted scope, as an older client asks for it", async () => {
    const { token } = await make(tokenOf("operator"));
    const { status, body } = await exchange({
      access_token: token,
      duration_seconds: 3600,
      scope: governanceScope,
    });
    expect([status, body]).toEqual([
      200,
      { jwt: expect.any(String), expires_in: 3600, scope: governanceScope },
    ]);
    const claims = decodeJwt(body.jwt);
    expect(claims).toMatchObject({ sub: "service:default/operator", scope: governanceScope });
    expect(claims.exp! - claims.iat!).toBeGreaterThanOrEqual(3599);
    expect(await statusOf(body.jwt, readsPolicies)).toBe(200);
    const refused = await server.call(body.jwt, ...readsPlans);
    expect([refused.status, refused.body.code]).toEqual([403, "PLATFORM_SCOPE_MISSING"]);
  });

  it("without a scope it has those of the token, for an hour", async () => {
    const { token } = await make(tokenOf("operator"), { scopes: ["read", "auth"] });
    const { body } = await exchange({ access_token: token });
    expect(body).toMatchObject({ expires_in: 3600, scope: "read auth" });
    expect(await statusOf(body.jwt, readsPlans)).toBe(200);
  });

  it("is good for as long as the token is", async () => {
    const { token, id } = await make(tokenOf("operator"));
    const { jwt } = (await exchange({ access_token: token })).body;
    expect(await statusOf(jwt, readsPlans)).toBe(200);
    await server.auth(tokenOf("operator"), "DELETE", `/v1/tokens/${id}`);
    expect(await statusOf(jwt, readsPlans)).toBe(401);
    const again = await exchange({ access_token: token });
    expect([again.status, again.body.error.code]).toEqual([401, "PLATFORM_TOKEN_INVALID"]);
  });

  it("never lasts longer than the token", async () => {
    const { token } = await make(tokenOf("operator"), { expiresInDays: 1 });
    const { body } = await exchange({ access_token: token, duration_seconds: 86_400 });
    const first = decodeJwt(body.jwt);
    expect(body.expires_in).toBeLessThanOrEqual(86_400);
    const second = decodeJwt((await exchange({ access_token: body.jwt, duration_seconds: 86_400 })).body.jwt);
    expect(second.exp).toBe(first.exp);
  });

  it.each<[string, object, number, string]>([
    [
      "a token that is not known",
      { access_token: `plinth_${"x".repeat(43)}` },
      401,
      "PLATFORM_TOKEN_INVALID",
    ],
    ["a token of somebody else", { access_token: "wbat-1" }, 401, "PLATFORM_TOKEN_INVALID"],
    ["no token", {}, 400, "PLATFORM_INPUT"],
  ])("refuses %s", async (_what, body, status, code) => {
    const answer = await exchange(body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it.each<[string, object, number, string]>([
    ["a scope beyond the token's", { scope: "coordinator" }, 403, "AUTH_TOO_WIDE"],
    ["an unknown scope", { scope: "service:marketplace" }, 400, "AUTH_INVALID_TOKEN"],
    ["more time than there is", { duration_seconds: 86_401 }, 400, "AUTH_INVALID_TOKEN"],
  ])("refuses %s", async (_what, body, status, code) => {
    const { token } = await make(tokenOf("operator"), { scopes: ["coordinator:read"] });
    const answer = await exchange({ access_token: token, ...body });
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });
});

describe("POST /api/auth/session-tokens/jwt", () => {
  const exchange = (bearer: string | null, body: object = {}) =>
    server.auth(bearer, "POST", "/session-tokens/jwt", body);

  it("answers a JWT for who signed in, which ends with the sign-in at the latest", async () => {
    const session = await server.signIn("ada", ["operator"]);
    const { status, body } = await exchange(session, { duration_seconds: 3600, scope: governanceScope });
    expect(status).toBe(200);
    expect(decodeJwt(body.jwt)).toMatchObject({ sub: "user:default/ada", scope: governanceScope });
    expect(decodeJwt(body.jwt).exp).toBeLessThanOrEqual(decodeJwt(session).exp!);
    expect(await statusOf(body.jwt, readsPolicies)).toBe(200);
    expect(await statusOf(body.jwt, readsPlans)).toBe(403);
  });

  it("lists the session once, and revokes all that was got for it", async () => {
    const session = await server.signIn("bo", ["operator"]);
    const jwts = [(await exchange(session)).body.jwt, (await exchange(session, { scope: "read" })).body.jwt];
    const { body } = await server.auth(session, "GET", "/v1/tokens");
    expect(body.data).toEqual([
      expect.objectContaining({ kind: "session", owner: "user:default/bo", ending: null }),
    ]);
    for (const jwt of jwts) expect(await statusOf(jwt, readsPlans)).toBe(200);
    await server.auth(session, "DELETE", `/v1/tokens/${body.data[0].id}`);
    for (const jwt of jwts) expect(await statusOf(jwt, readsPlans)).toBe(401);
    // The sign-in itself is the identity provider's; a new session is another one.
    expect(await statusOf((await exchange(session)).body.jwt, readsPlans)).toBe(200);
  });

  it("has one session however many of the longest JWTs are got, and those don't count as sessions with names", async () => {
    const iat = Math.floor(Date.now() / 1_000);
    const exp = iat + 10 * server.config.accessTokens.maxJwtSeconds;
    const session = await server.provider.sign({ sub: "bea", aud: audience, roles: ["viewer"], iat, exp });
    const longest = { duration_seconds: server.config.accessTokens.maxJwtSeconds };
    const ids = new Set<string>();
    for (let call = 0; call < 3; call += 1) ids.add((await exchange(session, longest)).body.session_id);
    expect(ids.size).toBe(1);
    // As programs of before have left them.
    await sql`insert into access_tokens (id, kind, owner, name, roles, scopes, created_at, created_by, expires_at, shared)
      select gen_random_uuid(), kind, owner, name, roles, scopes, created_at, created_by, expires_at, shared
      from access_tokens, generate_series(1, ${server.config.accessTokens.perOwner})
      where id = ${[...ids][0]!}`.execute(server.db.database.db);
    expect((await exchange(session, { session_name: "laptop" })).status).toBe(200);
  });

  it("has the roles that the owner has when it is used", async () => {
    const { jwt } = (await exchange(await server.signIn("cy", ["operator"], 60))).body;
    expect(await statusOf(jwt, readsAccounts)).toBe(200);
    await server.call(await server.signIn("cy", ["viewer"]), ...readsPlans);
    await eventually("The refusal", async () => (await statusOf(jwt, readsAccounts)) === 403 || null);
  });

  it("takes a token as well, and a JWT that is not made to last longer by it", async () => {
    const { token, id } = await make(tokenOf("operator"), { scopes: ["governance", "read"] });
    const { body } = await exchange(token, { scope: governanceScope, duration_seconds: 60 });
    expect(await statusOf(body.jwt, readsPolicies)).toBe(200);
    const longer = await exchange(body.jwt, { duration_seconds: 3600 });
    expect(decodeJwt(longer.body.jwt).exp).toBe(decodeJwt(body.jwt).exp);
    expect(decodeJwt(longer.body.jwt)["tid"]).toBe(id);
    const wider = await exchange(body.jwt, { scope: "read" });
    expect([wider.status, wider.body.error.code]).toEqual([403, "AUTH_TOO_WIDE"]);
  });

  it("makes no tokens", async () => {
    const { jwt } = (await exchange(await server.signIn("di", ["admin"]))).body;
    const made = await server.auth(jwt, "POST", "/v1/tokens", { name: "x" });
    expect([made.status, made.body.error.code]).toEqual([403, "AUTH_MADE_BY_TOKEN"]);
  });

  it("is for nobody without credentials", async () => {
    expect((await exchange(null)).status).toBe(401);
  });
});

describe("a session with a name", () => {
  const exchange = (bearer: string, name: string) =>
    server.auth(bearer, "POST", "/session-tokens/jwt", { session_name: name });

  it("is one row however often it is continued, and is revoked apart from others", async () => {
    const session = await server.signIn("eve", ["operator"]);
    const laptop = (await exchange(session, "laptop")).body;
    const tower = (await exchange(session, "tower")).body;
    const again = (await exchange(await server.signIn("eve", ["viewer"]), "laptop")).body;
    expect([again.session_id, tower.session_id === laptop.session_id]).toEqual([laptop.session_id, false]);
    expect(decodeJwt(laptop.jwt)["tid"]).toBe(laptop.session_id);
    const { body } = await server.auth(session, "GET", "/v1/tokens");
    expect(body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(["laptop", "tower"]);
    expect((await server.auth(laptop.jwt, "DELETE", `/v1/tokens/${laptop.session_id}`)).status).toBe(204);
    expect(await statusOf(again.jwt, readsPlans)).toBe(401);
    expect(await statusOf(tower.jwt, readsPlans)).toBe(200);
    const refused = await exchange(session, "laptop");
    expect([refused.status, refused.body.error.code]).toEqual([403, "AUTH_SESSION_REVOKED"]);
  });

  it("is nobody else's: a JWT for no name has another session, also where a name is that of such a session", async () => {
    const session = await server.signIn("ian", ["operator"]);
    const laptop = (await exchange(session, "laptop")).body;
    const unnamed = (await server.auth(session, "POST", "/session-tokens/jwt", {})).body;
    const alike = (await exchange(session, "session of oidc")).body;
    const sessions = [laptop, unnamed, alike].map((each) => each.session_id);
    expect(new Set(sessions).size).toBe(3);
    expect((await server.auth(session, "POST", "/session-tokens/jwt", {})).body.session_id).toBe(sessions[1]);
    for (const ended of [laptop, alike])
      await server.auth(ended.jwt, "DELETE", `/v1/tokens/${ended.session_id}`);
    expect(await statusOf(unnamed.jwt, readsPlans)).toBe(200);
  });

  it("gives a JWT no more roles than it was got with, when a later sign-in has more", async () => {
    const before = (await exchange(await server.signIn("jo", ["viewer"], 60), "laptop")).body;
    const after = (await exchange(await server.signIn("jo", ["operator"]), "laptop")).body;
    expect(after.session_id).toBe(before.session_id);
    expect(await statusOf(after.jwt, readsAccounts)).toBe(200);
    const refused = await server.call(before.jwt, ...readsAccounts);
    expect([refused.status, refused.body.error.code]).toEqual([403, "PLATFORM_FORBIDDEN"]);
    const { body: who } = await server.auth(before.jwt, "GET", "/v1/whoami");
    expect(who.roles).toEqual(["viewer"]);
    // Nor does one that is got for it.
    const longer = (await server.auth(before.jwt, "POST", "/session-tokens/jwt", {})).body;
    expect(await statusOf(longer.jwt, readsAccounts)).toBe(403);
  });

  it("of somebody else is another one", async () => {
    const one = await exchange(await server.signIn("fay", ["viewer"]), "shared name");
    const other = await exchange(await server.signIn("gil", ["viewer"]), "shared name");
    expect(other.body.session_id).not.toBe(one.body.session_id);
  });

  it("is one of accessTokens.perOwner at most; begun at once they are no more", async () => {
    const session = await server.signIn("hal", ["viewer"]);
    const { perOwner } = server.config.accessTokens;
    const answers = await Promise.all(
      Array.from({ length: perOwner + 5 }, (_, index) => exchange(session, `machine ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(perOwner);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      refused.map(() => [409, "AUTH_TOKEN_LIMIT"]),
    );
    expect((await exchange(session, "machine 0")).status).toBe(200);
  });
});

describe("GET /api/auth/v1/whoami", () => {
  it("says who a person is, with what the token is good for", async () => {
    const session = await server.signIn("ida", ["operator"]);
    const { body } = await server.auth(session, "POST", "/session-tokens/jwt", { scope: "read" });
    const { status, body: who } = await server.auth(body.jwt, "GET", "/v1/whoami");
    expect([status, who]).toEqual([
      200,
      {
        ref: "user:default/ida",
        provider: "oidc",
        roles: ["operator"],
        scopes: ["read"],
        tokenId: body.session_id,
        expiresAt: new Date(decodeJwt(body.jwt).exp! * 1_000).toISOString(),
      },
    ]);
  });

  it("says who a program is", async () => {
    const { body } = await server.auth(tokenOf("viewer"), "GET", "/v1/whoami");
    expect(body).toEqual({
      ref: "service:default/viewer",
      provider: "service",
      roles: ["viewer"],
      scopes: ["all"],
      tokenId: null,
      expiresAt: null,
    });
    expect((await server.auth(null, "GET", "/v1/whoami")).status).toBe(401);
  });
});

it("a JWT with another key is refused, whatever it says", async () => {
  const { token } = await make(tokenOf("operator"));
  const { jwt } = (
    await server.auth(null, "POST", "/access-tokens/jwt", { access_token: token, scope: "read" })
  ).body;
  const [head, claims = "", signature] = jwt.split(".");
  const wider = { ...JSON.parse(Buffer.from(claims, "base64url").toString()), scope: "all" };
  const forged = [head, Buffer.from(JSON.stringify(wider)).toString("base64url"), signature].join(".");
  const refused = await server.call(forged, ...readsPlans);
  expect([refused.status, refused.body.code]).toEqual([401, "PLATFORM_TOKEN_INVALID"]);
});

describe("GET /api/auth/v1/userinfo", () => {
  it("says who the user is, in the shape of Backstage, whatever scopes the token has", async () => {
    const session = await server.signIn("ada", ["viewer"]);
    const { status, body } = await server.auth(session, "GET", "/v1/userinfo");
    expect([status, body]).toEqual([
      200,
      { claims: { sub: "user:default/ada", ent: ["user:default/ada"], exp: decodeJwt(session).exp } },
    ]);
    const { token } = await make(session, { scopes: ["builder:read"] });
    const { body: byToken } = await server.auth(token, "GET", "/v1/userinfo");
    expect(byToken).toEqual({ claims: { sub: "user:default/ada", ent: ["user:default/ada"] } });
  });

  it("is for users only", async () => {
    const { status, body } = await server.auth(tokenOf("viewer"), "GET", "/v1/userinfo");
    expect([status, body.error.code]).toEqual([400, "AUTH_NOT_A_USER"]);
  });
});

it("GET /api/auth/v1/sign-in says where the command line signs people in", async () => {
  const { status, body } = await server.auth(null, "GET", "/v1/sign-in");
  expect([status, body]).toEqual([
    200,
    {
      providers: [
        {
          name: "oidc",
          issuer: server.provider.issuer,
          metadataUrl: `${server.provider.issuer}/.well-known/openid-configuration`,
          clientId: "plinth-cli",
          scopes: ["openid"],
          parameters: { resource: "urn:plinth" },
        },
      ],
      maxSeconds: 86_400,
    },
  ]);
});
