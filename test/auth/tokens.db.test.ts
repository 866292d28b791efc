/** Tokens that people and programs make: what they are good for, and until when. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { send, type TestRole } from "../support/server.ts";
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
  server = await startAuthServer({ configure: (config) => void (config.accessTokens.perOwner = 6) });
});
afterAll(() => server.close());

const make = async (bearer: string, body: object = {}) => {
  const {
    status,
    text,
    body: made,
  } = await server.auth(bearer, "POST", "/v1/tokens", { name: "of the test", ...body });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return made as { token: string; id: string; owner: string; roles: string[]; expiresAt: string };
};
const statusOf = async (bearer: string, [method, path]: readonly [string, string]): Promise<number> =>
  (await server.call(bearer, method, path)).status;
const auditOf = async (subject: string) => {
  const { rows } = await sql<{
    actor: string;
    operation: string;
    detail: unknown;
  }>`select actor, operation, detail
    from audit where subject = ${subject} order by id`.execute(server.db.database.db);
  return rows;
};

describe("a token that was made", () => {
  it("is shown once, and only its hash is stored", async () => {
    const wanted = { name: "nightly report", roles: ["viewer"], scopes: ["read"], expiresInDays: 7 };
    const { status, body } = await server.auth(tokenOf("admin"), "POST", "/v1/tokens", wanted);
    expect(status).toBe(201);
    const { token, id } = body;
    expect(token).toMatch(/^plinth_[\w-]{43}$/);
    const expected = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: "personal",
      owner: "service:default/admin",
      name: "nightly report",
      ending: token.slice(-4),
      roles: ["viewer"],
      scopes: ["read"],
      status: "active",
      createdAt: expect.stringMatching(/Z$/),
      createdBy: "service:default/admin",
      expiresAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      revokedAt: null,
      revokedBy: null,
    };
    expect(body).toEqual({ ...expected, token });
    const life = Date.parse(body.expiresAt) - Date.parse(body.createdAt);
    expect(life).toBe(7 * 86_400_000);
    const listed = await server.auth(tokenOf("admin"), "GET", "/v1/tokens");
    expect(listed.body.data[0]).toEqual(expected);
    const { rows } = await sql<{
      stored: string;
    }>`select t::text as stored from access_tokens t where id = ${id}`.execute(server.db.database.db);
    expect(rows[0]!.stored).toContain(createHash("sha256").update(token).digest("hex"));
    const audit = await auditOf(`token:${id}`);
    expect(audit).toEqual([
      {
        actor: "service:default/admin",
        operation: "createToken",
        detail: expect.objectContaining({
          owner: "service:default/admin",
          roles: ["viewer"],
          scopes: ["read"],
          expiresAt: body.expiresAt,
        }),
      },
    ]);
    expect(rows[0]!.stored + JSON.stringify(audit) + listed.text).not.toContain(token);
  });

  it("acts as its owner, with its own roles and scopes", async () => {
    const { token } = await make(tokenOf("operator"), { scopes: ["coordinator:read", "auth"] });
    expect(await statusOf(token, readsPlans)).toBe(200);
    expect(await statusOf(token, readsAccounts)).toBe(200);
    const refused = await server.call(token, ...readsPolicies);
    expect([refused.status, refused.body.code]).toEqual([403, "PLATFORM_SCOPE_MISSING"]);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
    const viewer = await make(tokenOf("operator"), { roles: ["operator"], scopes: ["read"] });
    expect(await statusOf(viewer.token, readsAccounts)).toBe(200);
    const writes = await server.call(
      viewer.token,
      "PUT",
      "/api/coordinator/v1/maintenance-windows/development",
      {},
    );
    expect([writes.status, writes.body.code]).toEqual([403, "PLATFORM_SCOPE_MISSING"]);
  });

  it("says when it was used last", async () => {
    const jwt = await server.signIn("used", ["viewer"]);
    const { token } = await make(jwt);
    expect(await statusOf(token, readsPlans)).toBe(200);
    await eventually("The time of use", async () => {
      const { body } = await server.auth(jwt, "GET", "/v1/tokens");
      return body.data[0].lastUsedAt;
    });
  });

  it("is refused when it has expired", async () => {
    const { token, id } = await make(await server.signIn("expired", ["viewer"]));
    await sql`update access_tokens set expires_at = now() - interval '1 second' where id = ${id}`.execute(
      server.db.database.db,
    );
    const refused = await server.call(token, ...readsPlans);
    expect([refused.status, refused.body.code]).toEqual([401, "PLATFORM_TOKEN_EXPIRED"]);
    const ended = await server.auth(
      tokenOf("admin"),
      "GET",
      "/v1/tokens?status=ended&owner=user:default/expired",
    );
    expect(ended.body.data.map((each: any) => [each.id, each.status])).toEqual([[id, "expired"]]);
  });

  it.each([
    "plinth_",
    `plinth_${"A".repeat(43)}`,
    "eyJhbGciOiJub25lIn0.eyJpc3MiOiJ1cm46cGxpbnRoOmFjY2Vzcy10b2tlbnMifQ.",
  ])("is not made up: %s is refused", async (token) => {
    const { status, body } = await server.call(token, ...readsPlans);
    expect([status, body.code]).toEqual([401, "PLATFORM_TOKEN_INVALID"]);
  });
});

describe("a JWT that does not say when it was issued", () => {
  const undated = (subject: string, roles: string[], more: object = {}): Promise<string> =>
    server.provider.sign({
      sub: subject,
      aud: audience,
      roles,
      iat: undefined,
      jti: crypto.randomUUID(),
      ...more,
    });

  it("is good for requests, and makes neither tokens nor sessions", async () => {
    const jwt = await undated("una", ["operator"]);
    expect(await statusOf(jwt, readsAccounts)).toBe(200);
    for (const [path, body] of [
      ["/v1/tokens", { name: "x" }],
      ["/session-tokens/jwt", {}],
    ] as const) {
      const refused = await server.auth(jwt, "POST", path, body);
      expect([refused.status, refused.body.error.code]).toEqual([403, "AUTH_ISSUED_AT_MISSING"]);
      expect(refused.body.error.solutions.join()).toContain("iat");
    }
    const { rows } = await sql`select 1 from token_owners where ref = 'user:default/una'`.execute(
      server.db.database.db,
    );
    expect(rows).toEqual([]);
  });

  it("takes roles and domains away from the owner's tokens, and gives none back", async () => {
    const signIn = (roles: TestRole[], secondsAgo: number) =>
      server.provider.sign({
        sub: "sol",
        aud: audience,
        roles,
        domains: ["sea", "air"],
        iat: Math.floor(Date.now() / 1_000) - secondsAgo,
      });
    const owner = async () => {
      const { rows } = await sql<{ roles: string[]; domains: string[] | null; knownAt: Date }>`select roles,
        domains, known_at as "knownAt" from token_owners where ref = 'user:default/sol'`.execute(
        server.db.database.db,
      );
      return rows[0]!;
    };
    const { token } = await make(await signIn(["operator"], 60));
    const { knownAt } = await owner();
    await server.call(await undated("sol", ["admin", "viewer"]), ...readsPlans);
    await eventually("The operator of before without domains", async () =>
      (await owner()).domains === null ? true : null,
    );
    expect(await owner()).toEqual({ roles: ["operator"], domains: null, knownAt });
    await server.call(await undated("sol", ["viewer"]), ...readsPlans);
    await eventually("The refusal", async () =>
      (await statusOf(token, readsAccounts)) === 403 ? true : null,
    );
    // The owner's row is written in the background, perhaps after the sign-in; with the same domains both orders end alike.
    await server.call(await undated("sol", ["operator"], { domains: ["sea", "air"] }), ...readsPlans);
    await server.call(await signIn(["viewer"], 30), ...readsPlans);
    await eventually("The sign-in", async () => ((await owner()).domains === null ? null : true));
    expect((await owner()).roles).toEqual(["viewer"]);
    await server.call(await signIn(["operator"], 10), ...readsPlans);
    await eventually("The roles", async () => ((await statusOf(token, readsAccounts)) === 200 ? true : null));
  });
});

describe("the owner's roles at the time of use", () => {
  it("limit the token, whatever they were when it was made", async () => {
    const { token } = await make(await server.signIn("lin", ["operator", "viewer"], 60), { scopes: ["all"] });
    expect(await statusOf(token, readsAccounts)).toBe(200);
    // The next sign-in shows fewer roles.
    await server.call(await server.signIn("lin", ["viewer"], 30), ...readsPlans);
    await eventually("The refusal", async () => (await statusOf(token, readsAccounts)) === 403 || null);
    expect(await statusOf(token, readsPlans)).toBe(200);
    // A JWT from before that sign-in is good by itself, and does not give the roles back to the token.
    expect(await statusOf(await server.signIn("lin", ["operator"], 50), readsAccounts)).toBe(200);
    const { rows } = await sql<{
      roles: string[];
    }>`select roles from token_owners where ref = 'user:default/lin'`.execute(server.db.database.db);
    expect(rows[0]!.roles).toEqual(["viewer"]);
    // More roles than the token was made with are not its own.
    await server.call(await server.signIn("lin", ["admin", "operator"]), ...readsPlans);
    await eventually("The role", async () => (await statusOf(token, readsAccounts)) === 200 || null);
    const accounts = await server.auth(token, "PUT", "/v1/service-accounts/lins", { roles: ["viewer"] });
    expect(accounts.status).toBe(403);
  });

  it("are looked up again within seconds, though the token is remembered", async () => {
    const { token } = await make(await server.signIn("mo", ["viewer"]));
    expect(await statusOf(token, readsPlans)).toBe(200);
    await sql`delete from token_owners where ref = 'user:default/mo'`.execute(server.db.database.db);
    const deletedAt = Date.now();
    let acceptedAt = deletedAt;
    await eventually("The refusal", async () => {
      const sentAt = Date.now();
      if ((await statusOf(token, readsPlans)) === 401) return true;
      acceptedAt = sentAt;
      return null;
    });
    // Of requests that were sent later than that none was accepted, however long they took.
    expect(acceptedAt - deletedAt).toBeLessThan(6_000);
  });
});

describe("a revoked token", () => {
  it("is refused at once by the process that revoked it", async () => {
    const { token, id } = await make(tokenOf("developer"));
    expect(await statusOf(token, readsPlans)).toBe(200);
    expect((await server.auth(tokenOf("developer"), "DELETE", `/v1/tokens/${id}`)).status).toBe(204);
    const refused = await server.call(token, ...readsPlans);
    expect([refused.status, refused.body.userMessage]).toEqual([401, "The token was revoked."]);
    expect((await server.auth(tokenOf("developer"), "DELETE", `/v1/tokens/${id}`)).status).toBe(204);
    expect((await auditOf(`token:${id}`)).map(({ operation }) => operation)).toEqual([
      "createToken",
      "revokeToken",
    ]);
    const { body } = await server.auth(tokenOf("developer"), "GET", "/v1/tokens?status=all");
    expect(body.data[0]).toMatchObject({ id, status: "revoked", revokedBy: "service:default/developer" });
  });

  it("may have revoked itself, where it has the scope", async () => {
    const { token, id } = await make(tokenOf("developer"), { scopes: ["auth"] });
    expect((await server.auth(token, "DELETE", `/v1/tokens/${id}`)).status).toBe(204);
    expect((await server.auth(token, "GET", "/v1/tokens")).status).toBe(401);
  });

  it("was its owner's, or an operator did it", async () => {
    const { token, id } = await make(await server.signIn("nia", ["viewer"]));
    const other = await server.auth(tokenOf("developer"), "DELETE", `/v1/tokens/${id}`);
    expect([other.status, other.body.error.code]).toEqual([404, "AUTH_TOKEN_NOT_FOUND"]);
    expect(await statusOf(token, readsPlans)).toBe(200);
    expect((await server.auth(tokenOf("operator"), "DELETE", `/v1/tokens/${id}`)).status).toBe(204);
    expect(await statusOf(token, readsPlans)).toBe(401);
  });
});

describe("lists of tokens", () => {
  it("come in pages, and have those of others for operators", async () => {
    const jwt = await server.signIn("pat", ["viewer"]);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await make(jwt, { name: `token ${n}` })).id);
    const first = await server.auth(jwt, "GET", "/v1/tokens?limit=2");
    const second = await server.auth(
      jwt,
      "GET",
      `/v1/tokens?limit=2&after=${first.body.meta.pagination.next}`,
    );
    const seen = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect([seen, second.body.meta.pagination.next]).toEqual([ids, null]);
    const others = await server.auth(jwt, "GET", "/v1/tokens?owner=all");
    expect([others.status, others.body.error.code]).toEqual([403, "PLATFORM_FORBIDDEN"]);
    const all = await server.auth(tokenOf("operator"), "GET", "/v1/tokens?owner=all&limit=100&status=all");
    expect(all.body.data.length).toBeGreaterThan(3);
    const hers = await server.auth(tokenOf("operator"), "GET", "/v1/tokens?owner=user:default/pat");
    expect(hers.body.data).toHaveLength(3);
  });
});

describe("what is refused", () => {
  it.each<[string, () => string | Promise<string>, object, [number, string, string]]>([
    [
      "an unknown scope",
      () => tokenOf("admin"),
      { scopes: ["coordinater"] },
      [400, "AUTH_INVALID_TOKEN", "/scopes/0"],
    ],
    [
      "a life of years",
      () => tokenOf("admin"),
      { expiresInDays: 366 },
      [400, "AUTH_INVALID_TOKEN", "/expiresInDays"],
    ],
    [
      "a role that one lacks",
      () => tokenOf("viewer"),
      { roles: ["admin"] },
      [403, "AUTH_TOO_WIDE", "/roles"],
    ],
    [
      "an account's token by others",
      () => tokenOf("operator"),
      { service: "bot" },
      [403, "AUTH_NOT_ADMIN", ""],
    ],
    [
      "an unknown account",
      () => tokenOf("admin"),
      { service: "none" },
      [404, "AUTH_ACCOUNT_NOT_FOUND", "/service"],
    ],
    ["a nameless token", () => tokenOf("admin"), { name: " " }, [400, "PLATFORM_INPUT", "/name"]],
    [
      "one made with another",
      async () => (await make(tokenOf("service"))).token,
      {},
      [403, "AUTH_MADE_BY_TOKEN", ""],
    ],
  ])("%s", async (_what, bearer, body, expected) => {
    const { status, body: answer } = await server.auth(await bearer(), "POST", "/v1/tokens", {
      name: "x",
      ...body,
    });
    expect([status, answer.error.code, answer.error.problems[0]?.where ?? ""]).toEqual(expected);
  });

  it("more tokens at once than the settings say", async () => {
    const jwt = await server.signIn("many", ["viewer"]);
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => server.auth(jwt, "POST", "/v1/tokens", { name: "x" })),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 201, 201, 201, 201, 201, 409, 409, 409,
    ]);
    const { id } = answers.find(({ status }) => status === 201)!.body;
    await server.auth(jwt, "DELETE", `/v1/tokens/${id}`);
    expect((await server.auth(jwt, "POST", "/v1/tokens", { name: "x" })).status).toBe(201);
  });
});

describe("service accounts", () => {
  const putAccount = (name: string, ifNoneMatch: string | undefined, body: unknown) =>
    send(server.url, {
      method: "PUT",
      path: `/api/auth/v1/service-accounts/${name}`,
      body,
      ...(ifNoneMatch !== undefined && { headers: { "if-none-match": ifNoneMatch } }),
    });

  it("have tokens whose roles an administrator changes", async () => {
    const admin = tokenOf("admin");
    const put = await server.auth(admin, "PUT", "/v1/service-accounts/bot", {
      roles: ["operator", "viewer"],
    });
    expect(put.body).toEqual({
      name: "bot",
      ref: "service:default/bot",
      roles: ["operator", "viewer"],
      domains: null,
      description: null,
      activeTokens: 0,
      updatedAt: expect.stringMatching(/Z$/),
      updatedBy: "service:default/admin",
    });
    const { token, owner } = await make(admin, { service: "bot", scopes: ["all"] });
    expect(owner).toBe("service:default/bot");
    expect(await statusOf(token, readsAccounts)).toBe(200);
    await server.auth(admin, "PUT", "/v1/service-accounts/bot", { roles: ["viewer"], domains: ["sea"] });
    await eventually("The refusal", async () => (await statusOf(token, readsAccounts)) === 403 || null);
    expect(await statusOf(token, readsPlans)).toBe(200);
    const listed = await server.auth(tokenOf("operator"), "GET", "/v1/service-accounts");
    expect(listed.body.data).toEqual([
      expect.objectContaining({ name: "bot", activeTokens: 1, domains: ["sea"] }),
    ]);
    expect((await server.auth(admin, "DELETE", "/v1/service-accounts/bot")).status).toBe(204);
    expect(await statusOf(token, readsPlans)).toBe(401);
    const operations = (await auditOf("service:default/bot")).map(({ operation }) => operation);
    expect(operations).toEqual(["putServiceAccount", "putServiceAccount", "deleteServiceAccount"]);
    const gone = await server.auth(admin, "DELETE", "/v1/service-accounts/bot");
    expect([gone.status, gone.body.error.code]).toEqual([404, "AUTH_ACCOUNT_NOT_FOUND"]);
  });

  it("are nobody who signs in by other means", async () => {
    const fixed = await server.auth(tokenOf("admin"), "PUT", "/v1/service-accounts/viewer", {
      roles: ["admin"],
    });
    expect([fixed.status, fixed.body.error.code]).toEqual([409, "AUTH_ACCOUNT_TAKEN"]);
  });

  it("stay as they are where one of that name is to be made", async () => {
    const first = { roles: ["operator"], domains: ["sea"], description: "loads ships" };
    expect(await putAccount("loader", "*", first)).toMatchObject({ status: 200, body: first });
    const second = await putAccount("loader", "*", { roles: ["viewer"] });
    expect([second.status, second.body.error.code]).toEqual([409, "AUTH_ACCOUNT_EXISTS"]);
    const { body } = await server.auth(tokenOf("admin"), "GET", "/v1/service-accounts");
    expect(body.data.find(({ name }: any) => name === "loader")).toMatchObject(first);
    expect(await auditOf("service:default/loader")).toHaveLength(1);

    const fixed = await putAccount("viewer", "*", { roles: ["admin"] });
    expect([fixed.status, fixed.body.error.code]).toEqual([409, "AUTH_ACCOUNT_TAKEN"]);
    const tagged = await putAccount("loader", '"1"', { roles: ["viewer"] });
    expect(tagged.status).toBe(400);
    expect(JSON.stringify(tagged.body)).toContain("if-none-match");

    const changed = await putAccount("loader", undefined, { roles: ["viewer"] });
    expect([changed.status, changed.body.roles]).toEqual([200, ["viewer"]]);
    await server.auth(tokenOf("admin"), "DELETE", "/v1/service-accounts/loader");
  });

  it("are made once of many at the same time", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => putAccount("once", "*", { roles: ["viewer"] })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(409),
    ]);
    await server.auth(tokenOf("admin"), "DELETE", "/v1/service-accounts/once");
  });
});
