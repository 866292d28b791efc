/** Sign-in and session with programs as they are shipped: one is killed in the middle of a sign-in, and the browser notices nothing. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  databaseVariables,
  killChild,
  productProgram,
  startChild,
  stopChild,
  type Child,
} from "../../crash/processes.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { freePort } from "../../support/http-peer.ts";
import { startIdentityProvider, type IdentityProvider } from "../../support/identity-provider/server.ts";
import { testSecretKey } from "../../support/server.ts";
import { clientId, newBrowser, oidcSettings } from "./console-server.ts";

const page = "<!doctype html><title>The console of the test</title><style nonce=__CSP_NONCE__></style>";

let db: TestDatabase;
let home: string;
let provider: IdentityProvider;
let port: number;
let server: Child;

const start = async (): Promise<string> => {
  const options = { cwd: home, env: databaseVariables(db.connection) };
  const args = ["start", "--port", String(port), "--data-dir", join(home, "data")];
  server = startChild(productProgram(), args, options);
  return server.waitForLine(({ console }) => (typeof console === "string" ? console : undefined));
};

beforeAll(async () => {
  db = await testDatabase();
  home = await mkdtemp(join(tmpdir(), "plinth-console-"));
  port = await freePort();
  provider = await startIdentityProvider({
    registration: false,
    client: { id: clientId, redirectUri: `http://127.0.0.1:${port}/api/auth/v1/browser/callback` },
  });
  const settings = {
    auth: { providers: { oidc: { default: oidcSettings(provider) } } },
    mesh: { builder: { instantiations: { secretKey: testSecretKey } } },
    outbound: { allowPrivateNetworks: true },
    console: { folder: join(home, "console") },
  };
  await writeFile(join(home, "plinth.yaml"), JSON.stringify(settings));
  await mkdir(join(home, "console"));
  await writeFile(join(home, "console/index.html"), page);
});
afterAll(async () => {
  await stopChild(server);
  await provider.close();
  await db.drop();
  await rm(home, { recursive: true, force: true });
});

it("a sign-in and its session outlive the process", async () => {
  const url = `http://127.0.0.1:${port}`;
  expect(await start()).toBe(`${url}/`);
  const browser = newBrowser(url);
  expect(await (await browser.call("GET", "/units", { accept: "text/html" })).text()).toContain(
    "The console of the test",
  );
  const callback = await browser.toCallback("ada", "/units");
  await killChild(server);
  await start();
  expect((await browser.open(callback)).headers.get("location")).toBe("/units");
  expect((await browser.session()).caller).toMatchObject({ ref: "user:default/ada", roles: ["developer"] });
  await killChild(server);
  await start();
  expect((await browser.session()).caller).toMatchObject({ ref: "user:default/ada", roles: ["developer"] });
  expect((await browser.call("POST", "/api/auth/v1/browser/sign-out")).status).toBe(200);
  expect((await browser.session()).caller).toBe(null);
});
