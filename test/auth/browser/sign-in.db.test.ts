/** People sign in with a browser at a real identity provider, and the browser gets nothing but a cookie. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Config } from "../../../src/platform/config/schema/schema.ts";
import { sql } from "../../../src/platform/db/sql.ts";
import { bodyOf, newBrowser, startConsoleServer, type ConsoleServer } from "./console-server.ts";

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsoleServer();
});
afterAll(() => console.close());

const environments = "/api/coordinator/v1/environments";

describe("a sign-in", () => {
  it("begins at the provider with PKCE, a nonce and a state", async () => {
    const begun = await newBrowser(console.url).open(`${console.url}/api/auth/v1/browser/sign-in`);
    expect(begun.status).toBe(302);
    const to = new URL(begun.headers.get("location") ?? "");
    expect(to.origin).toBe(console.provider.issuer);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      client_id: "plinth-console",
      response_type: "code",
      redirect_uri: `${console.url}/api/auth/v1/browser/callback`,
      scope: "openid platform",
      resource: "urn:plinth",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^plinth-sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it("ends with a cookie that stands for the person, and no token in the browser", async () => {
    const browser = newBrowser(console.url);
    expect(await browser.signIn("ada", "/units?page=2#top")).toBe("/units?page=2#top");
    expect(browser.lines.get("plinth")).toMatch(
      /^plinth=[\w-]{43}; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    );
    expect([...browser.cookies.keys()]).toEqual(["plinth"]);
    const session = await browser.session();
    expect(session).toEqual({
      caller: {
        ref: "user:default/ada",
        provider: "oidc",
        roles: ["developer"],
        scopes: ["all"],
        groups: [],
      },
      isGuest: false,
      session: {
        id: expect.any(String),
        startedAt: expect.any(String),
        expiresAt: expect.any(String),
        endsAt: expect.any(String),
      },
      providers: [{ name: "oidc", title: "oidc", signInUrl: "/api/auth/v1/browser/sign-in?provider=oidc" }],
      mode: "development",
      version: "0.1.0",
      environments: ["development", "production"],
    });
    const life = (name: string) =>
      (Date.parse(session.session[name]) - Date.parse(session.session.startedAt)) / 60_000;
    // The first use may have moved the first of them on by a moment.
    expect([Math.floor(life("expiresAt")), life("endsAt")]).toEqual([60, 24 * 60]);
    expect((await browser.call("GET", environments)).status).toBe(200);
    const who = await (await browser.call("GET", "/api/auth/v1/whoami")).json();
    expect(who).toMatchObject({ ref: "user:default/ada", provider: "oidc", roles: ["developer"] });
  });

  it("stores the hash of the cookie's value alone, and the refresh token encrypted", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("mary");
    const value = browser.cookies.get("plinth") ?? "";
    const { rows } = await sql<{ row: string; sealed: Buffer }>`select (t.*)::text as row, s.sealed
      from access_tokens t join browser_sessions s on s.token_id = t.id where owner = 'user:default/mary'`.execute(
      console.server.db.database.db,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(value);
    expect(rows[0]?.row).not.toContain(Buffer.from(value).toString("hex"));
    expect(rows[0]?.sealed.subarray(0, 4).toString()).toBe("PLK1");
  });

  it("is listed with the person's tokens", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("grace");
    const { data } = await bodyOf(await browser.call("GET", "/api/auth/v1/tokens"));
    expect(data).toEqual([
      expect.objectContaining({
        kind: "session",
        name: "browser session of oidc",
        owner: "user:default/grace",
        status: "active",
        ending: null,
      }),
    ]);
  });

  it("works with a confidential client as well", async () => {
    const other = await startConsoleServer({ clientSecret: "of the test, long enough" });
    try {
      const browser = newBrowser(other.url);
      expect(await browser.signIn("ada")).toBe("/");
      expect((await browser.session()).caller.ref).toBe("user:default/ada");
    } finally {
      await other.close();
    }
  });
});

it("a reload changes the secret of the client", async () => {
  const inUse = "of the provider, long enough";
  const other = await startConsoleServer({
    clientSecret: inUse,
    configure: (config) => void (browserOf(config).clientSecret = "the former one, long enough"),
  });
  try {
    expect(await newBrowser(other.url).signIn("ada")).toMatch(/^\/sign-in\?/);
    const next = structuredClone(other.server.config);
    browserOf(next).clientSecret = inUse;
    expect(await other.server.reload(next)).toEqual({
      changed: ["auth.providers.oidc.default.browser.clientSecret"],
      needRestart: [],
    });
    expect(await newBrowser(other.url).signIn("ada")).toBe("/");
  } finally {
    await other.close();
  }
});

const browserOf = (config: Config): { clientSecret?: string } => {
  const { browser } = config.auth.providers.oidc!.default!;
  return browser!;
};

describe("where a sign-in leads", () => {
  it.each([
    ["nowhere named", undefined, "/"],
    ["a path", "/units/urn:dmb:dp:sea:ships:0", "/units/urn:dmb:dp:sea:ships:0"],
    ["another host", "//evil.example/", "/"],
    ["another host with a backslash", "/\\evil.example", "/"],
    ["an address", "https://evil.example/", "/"],
    ["an address without slashes", "https:evil.example", "/"],
    ["a script", "javascript:alert(1)", "/"],
    ["a tab between slashes", "/\t/evil.example", "/"],
    ["a line end", "/a\r\nset-cookie: x=y", "/"],
    ["more than 500 characters", `/${"a".repeat(500)}`, "/"],
  ])("%s", async (_what, returnTo, leads) => {
    expect(await newBrowser(console.url).signIn("ada", returnTo)).toBe(leads);
  });
});

const problem = (answer: Response): string | null =>
  new URL(answer.headers.get("location") ?? "", console.url).searchParams.get("error");

describe("a callback", () => {
  it("is refused in a browser that has not begun the sign-in", async () => {
    const callback = await newBrowser(console.url).toCallback("ada");
    const other = newBrowser(console.url);
    const answer = await other.open(callback);
    expect([answer.status, problem(answer)]).toEqual([302, "expired"]);
    expect(answer.headers.get("location")).toMatch(/^\/sign-in\?error=expired&requestId=[\w-]+$/);
    expect(other.cookies.has("plinth")).toBe(false);
  });

  it("is refused with another state, or with none", async () => {
    const browser = newBrowser(console.url);
    const callback = await browser.toCallback("ada");
    for (const state of ["of-somebody-else", ""]) {
      const changed = new URL(callback);
      changed.searchParams.set("state", state);
      expect(problem(await browser.open(changed))).toBe("expired");
    }
    expect(browser.cookies.has("plinth")).toBe(false);
  });

  it("is refused the second time, as is its code with a state that is good", async () => {
    const browser = newBrowser(console.url);
    const callback = await browser.toCallback("ada");
    expect((await browser.open(callback)).headers.get("location")).toBe("/");
    expect(problem(await browser.open(callback))).toBe("expired");
    const next = await browser.toCallback("ada");
    next.searchParams.set("code", callback.searchParams.get("code") ?? "");
    expect(problem(await browser.open(next))).toBe("expired");
  });

  it("is refused with the code of another sign-in, whose verifier and nonce are others", async () => {
    const stolen = await newBrowser(console.url).toCallback("mallory");
    const browser = newBrowser(console.url);
    const callback = await browser.toCallback("ada");
    callback.searchParams.set("code", stolen.searchParams.get("code") ?? "");
    expect(problem(await browser.open(callback))).toBe("expired");
    expect(browser.cookies.has("plinth")).toBe(false);
  });

  it.each(["before", "after"])(
    "is refused with a cookie that somebody else has set beside the browser's own, %s it",
    async (where) => {
      const other = newBrowser(console.url);
      const callback = await other.toCallback("mallory");
      const browser = newBrowser(console.url);
      await browser.toCallback("ada");
      const [own, foreign] = [browser, other].map(
        (each) => `plinth-sign-in=${each.cookies.get("plinth-sign-in")}`,
      );
      const cookie = (where === "before" ? [foreign, own] : [own, foreign]).join("; ");
      const answer = await fetch(callback, { redirect: "manual", headers: { cookie } });
      expect([problem(answer), answer.headers.getSetCookie()]).toEqual(["expired", []]);
    },
  );

  it("is refused when it names another issuer", async () => {
    const browser = newBrowser(console.url);
    const callback = await browser.toCallback("ada");
    callback.searchParams.set("iss", "https://other.example");
    expect(problem(await browser.open(callback))).toBe("provider");
  });

  it("says that the person refused, and nothing that the provider wrote", async () => {
    const browser = newBrowser(console.url);
    const callback = await browser.toCallback("ada");
    const state = callback.searchParams.get("state") ?? "";
    const iss = encodeURIComponent(console.provider.issuer);
    const denied = await browser.open(
      `${callback.origin}${callback.pathname}?error=access_denied&error_description=%3Cscript%3E&iss=${iss}&state=${state}`,
    );
    expect(denied.headers.get("location")).toMatch(/^\/sign-in\?error=denied&requestId=[\w-]+$/);
  });

  it("that fails leads to a sign-in that still knows where the person was", async () => {
    const browser = newBrowser(console.url);
    const to = "/units/urn:dmb:dp:sea:ships:0?env=production&q=a%20b#drift";
    const ledTo = (answer: Response) => {
      const { pathname, searchParams } = new URL(answer.headers.get("location") ?? "", console.url);
      return [pathname, searchParams.get("error"), searchParams.get("returnTo")];
    };
    const callback = await browser.toCallback("ada", to);
    callback.searchParams.set("iss", "https://other.example");
    expect(ledTo(await browser.open(callback))).toEqual(["/sign-in", "provider", to]);
    const begin = (returnTo: string) =>
      `${console.url}/api/auth/v1/browser/sign-in?provider=other&returnTo=${encodeURIComponent(returnTo)}`;
    expect(ledTo(await browser.open(begin(to)))).toEqual(["/sign-in", "unknown-provider", to]);
    const outside = await browser.open(begin("//evil.example/"));
    expect(ledTo(outside)).toEqual(["/sign-in", "unknown-provider", null]);
  });

  it("works for each of two tabs that have begun one", async () => {
    const browser = newBrowser(console.url);
    const first = await browser.toCallback("ada", "/first");
    const second = await browser.toCallback("ada", "/second");
    expect((await browser.open(second)).headers.get("location")).toBe("/second");
    expect((await browser.open(first)).headers.get("location")).toBe("/first");
  });

  it("leads to a provider that is not known, or not there, with a plain reason", async () => {
    const browser = newBrowser(console.url);
    const sign = `${console.url}/api/auth/v1/browser/sign-in`;
    expect(problem(await browser.open(`${sign}?provider=other`))).toBe("unknown-provider");
    const callback = await browser.toCallback("ada");
    console.provider.intercept = (_request, response) => (response.writeHead(503).end(), true);
    try {
      expect(problem(await browser.open(callback))).toBe("unavailable");
    } finally {
      console.provider.intercept = () => false;
    }
  });
});
