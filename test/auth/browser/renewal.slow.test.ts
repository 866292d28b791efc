/** What the identity provider says of somebody is asked for anew before its token ends, and what it does not say any more ends a session. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startWholeServer } from "../../support/server.ts";
import { start } from "../../coordinator/ships.ts";
import {
  bodyOf,
  newBrowser,
  type Browser,
  startConsoleServer,
  type ConsoleServer,
} from "./console-server.ts";

/** How long its tokens last; they are renewed a fifth of it before. */
const tokenSeconds = 3;
const environments = "/api/coordinator/v1/environments";

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsoleServer({ provider: { tokenSeconds } });
});
afterAll(() => console.close());

const renewalsOf = ({ requests }: ConsoleServer["provider"]): number =>
  requests.filter((each) => each === "POST /token").length;
const renewals = (): number => renewalsOf(console.provider);
/** @param since after the last request, which on a slow machine may have got a new token. */
const pastToken = (since: number) =>
  eventually("The end of the token", async () =>
    performance.now() - since > tokenSeconds * 1_000 + 200 ? true : null,
  );

/** How long a request at least waits for the renewal, and for the database, before it is answered 503. */
const leastWaitMs = 4_000;

/** Asks again after a 503 that came no sooner than that, as it may on a slow machine. */
async function statusAfterWaits(browser: Browser): Promise<number> {
  for (;;) {
    const sentAt = performance.now();
    const { status } = await browser.call("GET", environments);
    if (status !== 503 || performance.now() - sentAt < leastWaitMs) return status;
  }
}

describe("a session", () => {
  it("outlives the token, with one renewal for many requests in two processes, and gets the roles of the new one", async () => {
    // However long the requests take, the renewed token is good for them.
    const lasting = await startConsoleServer();
    const { server, provider } = lasting;
    const beside = await startWholeServer({
      workers: "off",
      db: { ...server.db, drop: async () => undefined },
      configure: (config) => void (config.auth = server.config.auth),
    });
    try {
      const browser = newBrowser(lasting.url);
      lasting.roles(["viewer"]);
      await browser.signIn("ada");
      const before = renewalsOf(provider);
      lasting.roles(["operator"]);
      // What a token of the same second says of the roles is not newer.
      await pause(1_000);
      await server.db.database.pool.query(
        "update browser_sessions set vouched_until = now() - interval '1 s', renew_at = now() - interval '2 s'",
      );
      const other = newBrowser(beside.url);
      other.cookies.set("plinth", browser.cookies.get("plinth") ?? "");
      const statuses = await Promise.all(
        [browser, other].flatMap((each) => Array.from({ length: 10 }, () => statusAfterWaits(each))),
      );
      expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
      expect(renewalsOf(provider) - before).toBe(1);
      expect((await browser.session()).caller.roles).toEqual(["operator"]);
    } finally {
      await beside.close();
      await lasting.close();
    }
  });

  it.each([
    [400, "invalid_grant"],
    [400, "interaction_required"],
    [400, "access_denied"],
    [400, "unauthorized_client"],
    [401, "invalid_client"],
  ])("ends when the provider does not renew it any more: %i %s", async (status, error) => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const { session } = await browser.session();
    const since = performance.now();
    console.provider.intercept = (request, response) => {
      if (request.url !== "/token") return false;
      request.resume();
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
      return true;
    };
    await pastToken(since);
    const answer = await browser.call("GET", "/api/auth/v1/whoami");
    console.provider.intercept = () => false;
    expect([answer.status, (await bodyOf(answer)).error.code]).toEqual([401, "PLATFORM_SESSION_ENDED"]);
    const listed = await console.server.db.database.db.query<{ by: string }>(
      "select revoked_by as by from access_tokens where id = $1",
      [session.id],
    );
    expect(listed.rows).toEqual([{ by: "provider:oidc" }]);
  });

  it("waits for a provider that can't be reached, and goes on when it is back", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    await browser.session();
    const since = performance.now();
    console.provider.intercept = (_request, response) => (response.writeHead(503).end(), true);
    await pastToken(since);
    const answer = await browser.call("GET", "/api/auth/v1/whoami");
    console.provider.intercept = () => false;
    expect([answer.status, (await bodyOf(answer)).error.code]).toEqual([503, "PLATFORM_AUTH_UNAVAILABLE"]);
    await eventually("The renewal", async () =>
      (await browser.call("GET", environments)).status === 200 ? true : null,
    );
  });

  it("is shown, and signed out of, while the provider can't be asked who has it", async () => {
    const browser = newBrowser(console.url);
    console.roles(["viewer"]);
    await browser.signIn("ada");
    const before = await browser.session();
    const since = performance.now();
    console.provider.intercept = (_request, response) => (response.writeHead(503).end(), true);
    try {
      await pastToken(since);
      expect((await browser.call("GET", "/api/auth/v1/whoami")).status).toBe(503);
      expect(await browser.session()).toMatchObject({
        caller: { ref: "user:default/ada", roles: ["viewer"] },
        session: { id: before.session.id },
      });
      expect(browser.cookies.has("plinth")).toBe(true);
      const out = await browser.call("POST", "/api/auth/v1/browser/sign-out");
      expect([out.status, browser.cookies.has("plinth")]).toEqual([200, false]);
      expect((await browser.session()).caller).toBeNull();
    } finally {
      console.provider.intercept = () => false;
    }
    const { db } = console.server.db.database;
    const { rows } = await db.query<{ by: string; actor: string }>(
      `select t.revoked_by as by, a.actor from access_tokens t join audit a on a.subject = 'token:' || t.id
       where t.id = $1 and a.operation = 'signOut'`,
      [before.session.id],
    );
    expect(rows).toEqual([{ by: "user:default/ada", actor: "user:default/ada" }]);
  });

  it("survives a renewal while the provider's keys can't be read, though its refresh token is used up then", async () => {
    const browser = newBrowser(console.url);
    await browser.signIn("ada");
    const since = performance.now();
    await pastToken(since);
    // It has not read the keys of the provider yet.
    const beside = await startWholeServer({
      workers: "off",
      db: { ...console.server.db, drop: async () => undefined },
      configure: (config) => void (config.auth = console.server.config.auth),
    });
    try {
      const page = newBrowser(beside.url);
      page.cookies.set("plinth", browser.cookies.get("plinth") ?? "");
      console.provider.intercept = ({ url }, response) => {
        if (url !== "/jwks") return false;
        response.writeHead(503).end();
        return true;
      };
      const before = renewals();
      expect((await page.call("GET", environments)).status).toBe(503);
      expect(renewals() - before).toBe(1);
      console.provider.intercept = () => false;
      const status = await eventually("The answer after the renewal", async () => {
        const answer = await page.call("GET", environments);
        return answer.status === 503 ? null : answer.status;
      });
      expect(status).toBe(200);
    } finally {
      console.provider.intercept = () => false;
      await beside.close();
    }
  });

  it("ends with the token where the provider gives nothing to renew it with", async () => {
    const other = await startConsoleServer({
      provider: { tokenSeconds, refreshTokens: false },
    });
    try {
      const browser = newBrowser(other.url);
      await browser.signIn("ada");
      const since = performance.now();
      const { session } = await browser.session();
      expect((Date.parse(session.endsAt) - Date.parse(session.startedAt)) / 1_000).toBeLessThanOrEqual(
        tokenSeconds,
      );
      await pastToken(since);
      expect((await browser.call("GET", environments)).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

/** The events of a plan that no worker drives. */
async function openStream({ server }: ConsoleServer, browser: Browser) {
  const path = `/api/coordinator/v1/execution-plans/${await start(server)}/events`;
  const response = await browser.call("GET", path);
  const state = { text: "", isOver: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
      state.text += decoder.decode(piece, { stream: true });
  })()
    .catch(() => undefined)
    .finally(() => (state.isOver = true));
  return { status: response.status, text: () => state.text, isOver: () => state.isOver };
}

describe("an event stream with the cookie", () => {
  it.each([
    ["signed out of", (browser: Browser) => browser.call("POST", "/api/auth/v1/browser/sign-out")],
    [
      "revoked",
      async (browser: Browser) =>
        browser.call("DELETE", `/api/auth/v1/tokens/${(await browser.session()).session.id}`),
    ],
  ])("ends when the session is %s", async (_how, end) => {
    const lasting = await startConsoleServer();
    try {
      const browser = newBrowser(lasting.url);
      await browser.signIn("ada");
      await lasting.server.registerMock();
      const stream = await openStream(lasting, browser);
      expect(stream.status).toBe(200);
      await end(browser);
      await eventually("The end of the stream", async () => (stream.isOver() ? true : null));
      expect(stream.text()).toMatch(/: the credentials are not accepted any more\n\n$/);
    } finally {
      await lasting.close();
    }
  });
});
