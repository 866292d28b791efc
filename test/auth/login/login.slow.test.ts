/** `plinth login`, `logout` and `whoami` as processes, with a real identity provider and a real server. */
import { readdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { decide } from "../../support/identity-provider/browser.ts";
import { newPerson, shownBy, startLoginServer, type LoginServer, type Person } from "./login-server.ts";

let server: LoginServer;
beforeAll(async () => {
  server = await startLoginServer();
});
afterAll(() => server.close());

let person: Person;
beforeEach(async () => {
  person = await newPerson();
});
afterEach(async () => {
  server.provider.intercept = () => false;
  await person.leave();
});

const logIn = (as = "ada"): ReturnType<Person["logIn"]> =>
  person.logIn(as, "--url", server.url, "--context", "test");

/** Answers so many calls of the token endpoint with that error. */
function answerTokens(times: number, status: number, body: object): void {
  let left = times;
  server.provider.intercept = (request, response) => {
    if (request.url !== "/token" || left === 0) return false;
    left -= 1;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    return true;
  };
}

describe("a sign-in", () => {
  it("is confirmed in a browser, stored where only its user reads it, and used by the next command", async () => {
    const { code, out, err } = await logIn();
    expect([code, out]).toEqual([
      0,
      `Signed in to ${server.url} as user:default/ada with developer.\nThe session is in the context test, and is renewed by itself.\n`,
    ]);
    expect(err).toContain(
      `To sign in to ${server.url} at ${server.provider.issuer}:\n  open ${server.provider.issuer}/device\n`,
    );
    const { current, contexts } = await person.contexts();
    expect([current, contexts["test"]]).toEqual([
      "test",
      {
        url: server.url,
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        signIn: expect.objectContaining({ provider: "oidc", refreshToken: expect.any(String) }),
      },
    ]);
    expect((await stat(person.file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(person.file))).toEqual(["contexts.json"]);
    const { token = "", signIn } = contexts["test"]!;
    for (const secret of [token, signIn?.refreshToken ?? ""]) expect(out + err).not.toContain(secret);
    expect((await person.run("list", "environments")).code).toBe(0);
    const who = await person.run("whoami", "--json");
    expect(JSON.parse(who.out)).toMatchObject({
      ref: "user:default/ada",
      roles: ["developer"],
      scopes: ["all"],
      tokenId: signIn?.sessionId,
    });
    const listed = JSON.parse((await person.run("token", "list", "--json")).out);
    expect(listed.data).toEqual([expect.objectContaining({ kind: "session", name: signIn?.sessionName })]);
  });

  it("can be confirmed with the code typed in", async () => {
    const login = person.start("login", "--url", server.url);
    const { plain, code } = await shownBy(login);
    await decide(new URL(plain), { as: "bo", code });
    expect(await login.ended).toMatchObject({ code: 0, out: expect.stringContaining("user:default/bo") });
    // Without a name the context has that of the host.
    expect(Object.keys((await person.contexts()).contexts)).toEqual([
      new URL(server.url).host.replace(":", "-"),
    ]);
  });

  it("that is denied says so, and stores nothing", async () => {
    const login = person.start("login", "--url", server.url);
    const { address } = await shownBy(login);
    await decide(new URL(address), { as: "ada", denies: true });
    expect(await login.ended).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("denied in the browser"),
    });
    await expect(person.contexts()).rejects.toThrow("ENOENT");
  });

  it("asks more slowly when it is told to, and again after a moment without an answer", async () => {
    answerTokens(1, 400, { error: "slow_down" });
    const beganAt = performance.now();
    expect((await logIn()).code).toBe(0);
    expect(performance.now() - beganAt).toBeGreaterThan(5_000);
    answerTokens(2, 503, {});
    expect((await logIn("bo")).code).toBe(0);
  });

  it("shows what the provider says without its control characters", async () => {
    answerTokens(1, 400, { error: "invalid_grant", error_description: "\u001b[31mno\u202e\r\nway" });
    const login = person.start("login", "--url", server.url);
    const { code, err } = await login.ended;
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("refuses the sign-in: invalid_grant: [31mno way."),
    ]);
    // eslint-disable-next-line no-control-regex -- what is looked for are control characters
    expect(err).not.toMatch(/[\u001b\u202e\r]/);
  });

  it("ends with Ctrl-C, and stores nothing", async () => {
    const login = person.start("login", "--url", server.url);
    await shownBy(login);
    login.interrupt();
    expect(await login.ended).toMatchObject({ code: 130, out: "" });
    await expect(person.contexts()).rejects.toThrow("ENOENT");
  });
});

describe("an answer that is not one to follow", () => {
  /** Changes an answer of the provider. */
  const change = (path: string, body: (issuer: string) => object): void => {
    server.provider.intercept = (request, response) => {
      if (request.url !== path) return false;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(body(server.provider.issuer)));
      return true;
    };
  };
  const metadata = "/.well-known/openid-configuration";
  const endpoints = (issuer: string) => ({
    issuer,
    token_endpoint: `${issuer}/token`,
    device_authorization_endpoint: `${issuer}/device/auth`,
  });
  const device = (issuer: string) => ({
    device_code: "d",
    user_code: "ABCD",
    verification_uri: `${issuer}/device`,
    expires_in: 60,
    interval: 0.1,
  });

  it.each<[string, string, (issuer: string) => object, string]>([
    [
      "of another issuer",
      metadata,
      (at) => ({ ...endpoints(at), issuer: "https://other.example" }),
      "of another issuer",
    ],
    [
      "without a device endpoint",
      metadata,
      (at) => ({ ...endpoints(at), device_authorization_endpoint: undefined }),
      "PLINTH_TOKEN",
    ],
    [
      "with a token endpoint without TLS",
      metadata,
      (at) => ({ ...endpoints(at), token_endpoint: "http://other.example/token" }),
      "token_endpoint is not of https",
    ],
    [
      "that shows a script",
      "/device/auth",
      (at) => ({ ...device(at), verification_uri: "javascript:alert(1)" }),
      "not one to show",
    ],
    [
      "that shows control characters",
      "/device/auth",
      (at) => ({ ...device(at), verification_uri: `${at}/\u001b[2J` }),
      "not one to show",
    ],
    [
      "that shows a code of escapes",
      "/device/auth",
      (at) => ({ ...device(at), user_code: "\u001b]0;x\u0007" }),
      "not one to show",
    ],
  ])("%s is refused", async (_what, path, body, message) => {
    change(path, body);
    const { code, out, err } = await person.run("login", "--url", server.url);
    expect([code, out, err]).toEqual([1, "", expect.stringContaining(message)]);
    expect(err).not.toContain("\u001b");
    await expect(person.contexts()).rejects.toThrow("ENOENT");
  });

  it("goes nowhere else: a redirect is no answer", async () => {
    server.provider.intercept = (request, response) => {
      if (request.url !== metadata) return false;
      response.writeHead(302, { location: `${server.provider.issuer}/elsewhere` }).end();
      return true;
    };
    const { code, err } = await person.run("login", "--url", server.url);
    expect([code, err]).toEqual([1, expect.stringContaining("answered 302")]);
    expect(server.provider.requests).not.toContain("GET /elsewhere");
  });
});

describe("a second sign-in in the same context", () => {
  it("takes the place of the first, whose session is revoked", async () => {
    await logIn();
    const first = (await person.contexts()).contexts["test"]!;
    expect((await logIn()).code).toBe(0);
    const used = await person.run("whoami", "--url", server.url, "--token", first.token ?? "");
    expect([used.code, used.err]).toEqual([1, expect.stringContaining("The token was revoked.")]);
  });
});

describe("plinth logout", () => {
  it("revokes the session and what renews it, and forgets both; other sessions stay", async () => {
    await logIn();
    const other = await newPerson();
    await other.logIn("ada", "--url", server.url);
    const { token = "", signIn } = (await person.contexts()).contexts["test"]!;
    expect(await person.run("logout")).toEqual({
      code: 0,
      out: "Signed out: the context test has no session any more.\n",
      err: "",
    });
    expect((await person.contexts()).contexts["test"]).toEqual({ url: server.url });
    const used = await person.run("whoami", "--url", server.url, "--token", token);
    expect(used.err).toContain("The token was revoked.");
    const renewed = await fetch(`${server.provider.issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id: signIn?.clientId ?? "",
        refresh_token: signIn?.refreshToken ?? "",
      }),
    });
    expect([renewed.status, await renewed.json()]).toEqual([
      400,
      expect.objectContaining({ error: "invalid_grant" }),
    ]);
    expect((await other.run("whoami")).code).toBe(0);
    await other.leave();
    const again = await person.run("logout");
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("has no session")]);
  });

  it("forgets also what it can't revoke, and says so", async () => {
    await logIn();
    server.provider.intercept = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    const { code, err } = await person.run("logout");
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`The sign-in at ${server.provider.issuer} could not be revoked`),
    ]);
    expect((await person.contexts()).contexts["test"]).toEqual({ url: server.url });
  });
});
