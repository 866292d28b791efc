/** Sessions of browsers in two processes: what they may, how long they last, and what ends them. */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startWholeServer, tokenOf, type WholeServer } from "../../support/server.ts";
import {
  bodyOf,
  newBrowser,
  startConsoleServer,
  type Browser,
  type ConsoleServer,
} from "./console-server.ts";

const perOwner = 3;
const owns = "ref = (select owner from access_tokens where id = $1)";
const environments = "/api/coordinator/v1/environments";

let console: ConsoleServer;
let beside: WholeServer;

/** Another process of the same installation. */
const startBeside = (): Promise<WholeServer> =>
  startWholeServer({
    workers: "off",
    db: { ...console.server.db, drop: async () => undefined },
    configure(config) {
      config.auth = console.server.config.auth;
      config.accessTokens.perOwner = perOwner;
    },
  });

beforeAll(async () => {
  console = await startConsoleServer({
    configure: (config) => void (config.accessTokens.perOwner = perOwner),
  });
  beside = await startBeside();
});
afterAll(async () => {
  await beside.close();
  await console.close();
});

/** The same browser, on a page of that server. */
function ofPage(url: string, { cookies }: Browser): Browser {
  const page = newBrowser(url);
  for (const [name, value] of cookies) page.cookies.set(name, value);
  return page;
}

async function refusalAt(url: string, browser: Browser): Promise<[number, string | undefined]> {
  const answer = await ofPage(url, browser).call("GET", "/api/auth/v1/whoami");
  return [answer.status, (await bodyOf(answer)).error?.code];
}

describe("a session", () => {
  it("is another one after each sign-in, whatever the browser had before", async () => {
    const browser = newBrowser(console.url);
    browser.cookies.set("plinth", "A".repeat(43));
    await browser.signIn("ada");
    const first = browser.cookies.get("plinth");
    expect(first).not.toBe("A".repeat(43));
    // What this process has just found good is refused all the same.
    expect((await browser.call("GET", environments)).status).toBe(200);
    await browser.signIn("ada");
    expect(browser.cookies.get("plinth")).not.toBe(first);
    browser.cookies.set("plinth", first ?? "");
    const answer = await browser.call("GET", environments);
    expect([answer.status, (await bodyOf(answer)).errors?.[0] ?? null]).toEqual([401, expect.anything()]);
  });

  it("ends with a sign-out, here and at the provider", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const before = browser.cookies.get("plinth") ?? "";
    const out = await browser.call("POST", "/api/auth/v1/browser/sign-out");
    expect(out.status).toBe(200);
    const { endSessionUrl } = await bodyOf(out);
    const at = new URL(endSessionUrl);
    expect([at.origin, Object.fromEntries(at.searchParams)]).toEqual([
      console.provider.issuer,
      { client_id: "plinth-console", post_logout_redirect_uri: `${console.url}/sign-in` },
    ]);
    expect(browser.lines.get("plinth")).toBe("plinth=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    browser.cookies.set("plinth", before);
    expect((await browser.call("GET", environments)).status).toBe(401);
    expect((await browser.session()).caller).toBe(null);
    // It was not accepted, so it is gone again.
    expect(browser.cookies.has("plinth")).toBe(false);
    expect(await (await browser.call("POST", "/api/auth/v1/browser/sign-out")).json()).toEqual({
      endSessionUrl: null,
    });
    expect(console.provider.requests).toContain("POST /token/revocation");
  });

  it.each([
    ["it was not used", "update access_tokens set expires_at = now() - interval '1 hour' where id = $1"],
    ["it was revoked", "update access_tokens set revoked_at = now() where id = $1"],
    ["its owner is not known", `delete from token_owners where ${owns}`],
    ["its provider was taken out of the settings", `update token_owners set provider = 'gone' where ${owns}`],
  ])("is refused by every process when %s", async (_why, change) => {
    const browser = newBrowser(console.url);
    await browser.signIn("eve");
    const { session } = await browser.session();
    await console.server.db.database.db.query(change, [session.id]);
    expect(await refusalAt(beside.url, browser)).toEqual([401, "PLATFORM_SESSION_ENDED"]);
    await eventually("The refusal here", async () =>
      (await refusalAt(console.url, browser))[0] === 401 ? true : null,
    );
  });

  it("is taken by another process, and by one that has started since", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const at = async (url: string) => (await ofPage(url, browser).call("GET", environments)).status;
    expect([await at(console.url), await at(beside.url)]).toEqual([200, 200]);
    const restarted = await startBeside();
    try {
      expect(await at(restarted.url)).toBe(200);
    } finally {
      await restarted.close();
    }
  });

  it("ends everywhere when it is revoked in the list of tokens", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const { session } = await browser.session();
    expect((await browser.call("DELETE", `/api/auth/v1/tokens/${session.id}`)).status).toBe(204);
    expect(await refusalAt(console.url, browser)).toEqual([401, "PLATFORM_SESSION_ENDED"]);
    expect(await refusalAt(beside.url, browser)).toEqual([401, "PLATFORM_SESSION_ENDED"]);
    const { rows } = await console.server.db.database.db.query(
      "select 1 from browser_sessions where token_id = $1",
      [session.id],
    );
    expect(rows).toEqual([]);
  });

  it("moves its end on when it is used, and never beyond its last end", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const { session } = await browser.session();
    const { db } = console.server.db.database;
    await db.query(
      "update access_tokens set expires_at = now() + interval '5 minutes', last_used_at = null where id = $1",
      [session.id],
    );
    // The other process has not noted a use of it within the last minute.
    const page = ofPage(beside.url, browser);
    await page.call("GET", environments);
    const inMinutes = async () =>
      Math.round((Date.parse((await page.session()).session.expiresAt) - Date.now()) / 60_000);
    await eventually("The later end", async () => ((await inMinutes()) === 60 ? true : null));
    await db.query("update browser_sessions set ends_at = now() + interval '7 minutes' where token_id = $1", [
      session.id,
    ]);
    await db.query("update access_tokens set last_used_at = null where id = $1", [session.id]);
    const restarted = await startBeside();
    try {
      await ofPage(restarted.url, browser).call("GET", environments);
      await eventually("The last end", async () => ((await inMinutes()) === 7 ? true : null));
    } finally {
      await restarted.close();
    }
  });

  it("ends the oldest one of somebody who has as many as are allowed", async () => {
    const browsers = Array.from({ length: 4 }, () => newBrowser(console.url));
    for (const browser of browsers) await browser.signIn("hoarder");
    const statuses = await Promise.all(
      browsers.map(async (browser) => (await ofPage(beside.url, browser).call("GET", environments)).status),
    );
    expect(statuses).toEqual([401, 200, 200, 200]);
  });

  it("makes tokens, which a token can't, and never as a bearer token itself", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const made = await fetch(`${console.url}/api/auth/v1/tokens`, {
      method: "POST",
      headers: {
        cookie: `plinth=${browser.cookies.get("plinth")}`,
        "x-plinth-console": "1",
        origin: console.url,
        "content-type": "application/json",
      },
      body: JSON.stringify({ name: "of the console" }),
    });
    expect(made.status).toBe(201);
    const value = browser.cookies.get("plinth") ?? "";
    await browser.call("GET", environments);
    for (const bearer of [value, `plinth=${value}`]) {
      const answer = await fetch(console.url + environments, {
        headers: { authorization: `Bearer ${bearer}` },
      });
      expect(answer.status).toBe(401);
    }
  });

  it("gives no JWT for longer than the provider vouches for the person", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const { session } = await browser.session();
    const { rows } = await console.server.db.database.db.query<{ until: Date }>(
      "select vouched_until as until from browser_sessions where token_id = $1",
      [session.id],
    );
    const answer = await fetch(`${console.url}/api/auth/session-tokens/jwt`, {
      method: "POST",
      headers: {
        cookie: `plinth=${browser.cookies.get("plinth")}`,
        "x-plinth-console": "1",
        origin: console.url,
        "content-type": "application/json",
      },
      body: JSON.stringify({ duration_seconds: 3_600 }),
    });
    const { jwt, expires_in: seconds } = await bodyOf(answer);
    // The token of the provider is good for ten minutes, and the session for an hour.
    expect(seconds).toBeLessThanOrEqual(600);
    expect(decodeJwt(jwt).exp).toBe(Math.floor(rows[0]!.until.getTime() / 1_000));
  });

  it("gives way to a bearer token in the same request, good or bad", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const as = async (bearer: string) => {
      const answer = await browser.call("GET", "/api/auth/v1/whoami", { authorization: `Bearer ${bearer}` });
      return [answer.status, (await bodyOf(answer)).ref];
    };
    expect(await as(tokenOf("admin"))).toEqual([200, "service:default/admin"]);
    expect(await as("nonsense")).toEqual([401, undefined]);
  });

  it("is none where a browser sends two", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const cookie = `plinth=${browser.cookies.get("plinth")}; plinth=${"B".repeat(43)}`;
    const answer = await fetch(`${console.url}/api/auth/v1/whoami`, { headers: { cookie } });
    expect([answer.status, (await bodyOf(answer)).error.code]).toEqual([401, "PLATFORM_SESSION_ENDED"]);
  });
});
