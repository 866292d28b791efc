/** Pages of other sites can't act as whoever is signed in, nor as the guest of a server on the same machine. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWholeServer, type WholeServer } from "../../support/server.ts";
import {
  bodyOf,
  newBrowser,
  startConsoleServer,
  type Browser,
  type ConsoleServer,
} from "./console-server.ts";

let console: ConsoleServer;
let browser: Browser;
let guests: WholeServer;

beforeAll(async () => {
  console = await startConsoleServer();
  browser = newBrowser(console.url);
  await browser.signIn("ada");
  guests = await startWholeServer({
    workers: "off",
    configure: (config) => void (config.auth = { environment: "default", providers: {} }),
  });
});
afterAll(async () => {
  await guests.close();
  await console.close();
});

type Headers = Record<string, string>;

/** A request as a browser or a program sends it, with a path of no operation's effect: what gets past the guard is 400 or 404. */
async function ask(url: string, method: string, headers: Headers): Promise<string> {
  const path =
    method === "GET" || method === "HEAD" ? "/api/auth/v1/tokens" : `/api/auth/v1/${pathOf[method] ?? ""}`;
  const body = method === "POST" || method === "PUT" ? "{}" : null;
  const type: Headers = body === null ? {} : { "content-type": "application/json" };
  const answer = await fetch(url + path, { method, body, headers: { ...type, ...headers } });
  if (answer.status !== 403)
    return answer.status < 500 && answer.status !== 401 ? "taken" : String(answer.status);
  return (await bodyOf(answer)).error.code;
}

const pathOf: Record<string, string> = {
  POST: "tokens",
  PUT: "service-accounts/x",
  DELETE: "tokens/none",
};

const refused = "PLATFORM_CROSS_SITE";
const header = { "x-plinth-console": "1" };
const rows: [what: string, headers: (own: string) => Headers, verdict: string][] = [
  ["of a page of its own with the header", (own) => ({ ...header, origin: own }), "taken"],
  ["of its own by the browser's word", () => ({ ...header, "sec-fetch-site": "same-origin" }), "taken"],
  ["of its own without the header", (own) => ({ origin: own }), refused],
  ["of its own with another header", (own) => ({ "x-plinth-console": "true", origin: own }), refused],
  ["with the header alone", () => header, refused],
  ["that somebody has typed, with the header", () => ({ ...header, "sec-fetch-site": "none" }), refused],
  ["of another site", () => ({ ...header, origin: "https://evil.example" }), refused],
  [
    "of another site by the browser's word",
    (own) => ({ ...header, origin: own, "sec-fetch-site": "cross-site" }),
    refused,
  ],
  [
    "of another port",
    () => ({ ...header, origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }),
    refused,
  ],
  ["of a sandboxed page", () => ({ ...header, origin: "null" }), refused],
  [
    "of this host with another scheme",
    (own) => ({ ...header, origin: own.replace("http:", "https:") }),
    "taken",
  ],
];

describe.each(["POST", "PUT", "DELETE"])("%s with the cookie of a session", (method) => {
  const cookieOf = () => ({ cookie: `plinth=${browser.cookies.get("plinth")}` });
  it.each(rows)("%s", async (_what, headers, verdict) => {
    const found = await ask(console.url, method, { ...cookieOf(), ...headers(console.url) });
    // A developer may not change service accounts; that is found out after the page.
    expect(found === "PLATFORM_FORBIDDEN" ? "taken" : found).toBe(verdict);
  });
});

describe.each(["GET", "HEAD"])("%s with the cookie of a session", (method) => {
  it("is taken without the header, as EventSource and addresses that are opened send it", async () => {
    expect(await ask(console.url, method, { cookie: `plinth=${browser.cookies.get("plinth")}` })).toBe(
      "taken",
    );
  });
});

describe("a bearer token", () => {
  it("is taken whatever page sends it, since no browser adds it by itself", async () => {
    const headers = { authorization: "Bearer test-token-of-admin-0000", origin: "https://evil.example" };
    expect(await ask(console.url, "DELETE", headers)).toBe("taken");
  });
});

describe("a sign-out", () => {
  it("is refused for a page of another site, with the body of the interface", async () => {
    const answer = await fetch(`${console.url}/api/auth/v1/browser/sign-out`, {
      method: "POST",
      headers: { cookie: `plinth=${browser.cookies.get("plinth")}`, origin: "https://evil.example" },
    });
    expect([answer.status, await bodyOf(answer)]).toEqual([
      403,
      {
        error: {
          code: refused,
          message: "The request lacks the header X-Plinth-Console: 1.",
          problems: [],
          solutions: [expect.stringContaining("send the header `X-Plinth-Console: 1`")],
          requestId: expect.any(String),
        },
      },
    ]);
    expect((await browser.session()).caller.ref).toBe("user:default/ada");
  });
});

describe.each(["POST", "PUT", "DELETE"])("%s as the guest of development", (method) => {
  const cases: [what: string, headers: (own: string) => Headers, verdict: string][] = [
    ["of a program", () => ({}), "taken"],
    ["of a page of its own", (own) => ({ origin: own, "sec-fetch-site": "same-origin" }), "taken"],
    ["of a page of its own in an older browser", (own) => ({ origin: own }), "taken"],
    [
      "of another port of this machine",
      () => ({ origin: "http://127.0.0.1:1", "sec-fetch-site": "same-site" }),
      refused,
    ],
    ["of another port in an older browser", () => ({ origin: "http://localhost:5173" }), refused],
    ["of another site", () => ({ origin: "https://evil.example", "sec-fetch-site": "cross-site" }), "401"],
    ["of a sandboxed page", () => ({ origin: "null" }), "401"],
  ];
  it.each(cases)("%s", async (_what, headers, verdict) => {
    expect(await ask(guests.url, method, headers(guests.url))).toBe(verdict);
  });
});

describe("the session of a guest", () => {
  it("says that nobody has to sign in", async () => {
    const answer = await newBrowser(guests.url).session();
    expect(answer).toMatchObject({
      caller: { ref: "user:default/guest", provider: "guest", roles: ["admin"] },
      isGuest: true,
      session: null,
      providers: [],
    });
  });

  it("is none for a page of another site", async () => {
    const answer = await fetch(`${guests.url}/api/auth/v1/browser/session`, {
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect([answer.status, (await bodyOf(answer)).caller]).toEqual([200, null]);
  });
});
