/** Sessions of `plinth login` that are renewed, by one command or by several at once, and codes that expire. */
import { readdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import {
  newPerson,
  oidcSettings,
  shownBy,
  startLoginServer,
  type LoginServer,
  type Person,
} from "./login-server.ts";

let server: LoginServer;
/** Its codes are good for a second. */
let hasty: LoginServer;
beforeAll(async () => {
  server = await startLoginServer({ provider: { tokenSeconds: 600 } });
  hasty = await startLoginServer({
    provider: { device: { clientId: "plinth-command-line", intervalSeconds: 0.2, codeSeconds: 1 } },
    configure(config, provider) {
      const other = { default: { ...oidcSettings(provider), issuer: "https://other.example" } };
      Object.assign(config.auth.providers, { other });
    },
  });
});
afterAll(async () => {
  await server.close();
  await hasty.close();
});

let person: Person;
beforeEach(async () => {
  person = await newPerson();
});
afterEach(async () => {
  server.provider.intercept = () => false;
  await person.leave();
});

const signIn = async () => (await person.contexts()).contexts["test"]!;
const refreshes = (): number => server.provider.requests.filter((each) => each === "POST /token").length;

/** Signs in, and makes the session due; a renewed one is not due again during the test. */
async function logInUntilDue(): Promise<void> {
  expect((await person.logIn("ada", "--url", server.url, "--context", "test")).code).toBe(0);
  // Tokens of the same second are the same.
  await pause(1_000);
  const stored = await person.contexts();
  stored.contexts["test"]!.signIn!.renewAt = new Date(0).toISOString();
  await writeFile(person.file, JSON.stringify(stored));
}

describe("a session that has ended", () => {
  it("is renewed without a word, under its name", async () => {
    await logInUntilDue();
    const before = await signIn();
    expect(await person.run("list", "environments")).toMatchObject({ code: 0, err: "" });
    const after = await signIn();
    expect(after.token).not.toBe(before.token);
    expect(after.signIn).toMatchObject({
      sessionName: before.signIn?.sessionName,
      sessionId: before.signIn?.sessionId,
    });
    expect(after.signIn?.refreshToken).not.toBe(before.signIn?.refreshToken);
  });

  it("is renewed once by commands that want it at once", async () => {
    await logInUntilDue();
    const asked = refreshes();
    const ran = await Promise.all(Array.from({ length: 6 }, () => person.run("whoami", "--json")));
    expect(ran.map(({ code, err }) => [code, err])).toEqual(ran.map(() => [0, ""]));
    expect(refreshes() - asked).toBe(1);
    expect(await readdir(dirname(person.file))).toEqual(["contexts.json"]);
  });

  it("is renewed by the next command where one was killed in the middle of it", async () => {
    await logInUntilDue();
    let isHeld = false;
    server.provider.intercept = (request) => (isHeld ||= request.url === "/token");
    const killed = person.start("whoami");
    await eventually("The refresh", async () => isHeld || null);
    killed.kill();
    await killed.ended;
    server.provider.intercept = () => false;
    expect(await readdir(dirname(person.file))).toContain("contexts.json.test.lock");
    expect((await person.run("whoami")).code).toBe(0);
    expect(await readdir(dirname(person.file))).toEqual(["contexts.json"]);
  });

  it("is not renewed once it was revoked: a sign-in is needed", async () => {
    await logInUntilDue();
    const { signIn: stored } = await signIn();
    const operator = { authorization: `Bearer ${server.server.token("operator")}` };
    const path = `/api/auth/v1/tokens/${stored?.sessionId}`;
    expect((await fetch(`${server.url}${path}`, { method: "DELETE", headers: operator })).status).toBe(204);
    const { code, err } = await person.run("whoami");
    expect([code, err]).toEqual([1, expect.stringContaining("was revoked")]);
    expect(err).toContain("plinth login");
  });

  it("says what to do where the provider does not renew it", async () => {
    await logInUntilDue();
    server.provider.intercept = (request, response) => {
      if (request.url !== "/token") return false;
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
      return true;
    };
    const { code, err } = await person.run("whoami");
    expect([code, err]).toEqual([1, expect.stringContaining("does not renew it (invalid_grant)")]);
    expect(err).toContain("plinth login --context test");
  });
});

describe("a server with several providers", () => {
  it("wants one to be named", async () => {
    const { code, err } = await person.run("login", "--url", hasty.url);
    expect([code, err]).toEqual([2, expect.stringContaining("oidc, other")]);
    const unknown = await person.run("login", "--url", hasty.url, "--provider", "none");
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining("it has oidc, other")]);
  });

  it("says so when a code has expired", async () => {
    const login = person.start("login", "--url", hasty.url, "--provider", "oidc");
    await shownBy(login);
    expect(await login.ended).toMatchObject({
      code: 1,
      err: expect.stringContaining("The code has expired"),
    });
  });
});
