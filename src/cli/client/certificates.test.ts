/** A server whose certificate no authority of the system has signed, over real TLS. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../testdata.ts";
import { trustedBeside } from "./certificates.ts";

const pemFile = new URL("../../platform/outbound/testdata/self-signed-localhost.pem", import.meta.url);
const trusted = tls.getCACertificates("default");
let folder = "";
let close = (): Promise<unknown> => Promise.resolve();
let url = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-cacert-"));
  const pem = await readFile(pemFile, "utf8");
  await writeFile(join(folder, "ca.pem"), pem.slice(pem.indexOf("-----BEGIN CERTIFICATE")));
  await writeFile(join(folder, "none.pem"), "nothing");
  await writeFile(
    join(folder, "broken.pem"),
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
  );
  const server = createServer({ key: pem, cert: pem }, ({ url: path = "" }, response) => {
    // A connection that stays open would go on without its certificate being looked at again.
    response.setHeader("connection", "close");
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(answers()[path] ?? { data: [] }));
  });
  await new Promise<void>((up) => server.listen(0, "localhost", up));
  url = `https://localhost:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    return new Promise((gone) => server.close(gone));
  };
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await close();
  await rm(folder, { recursive: true, force: true });
});

/** As a server, and as the identity provider that it names. */
const answers = (): Record<string, object> => ({
  "/api/auth/v1/sign-in": {
    providers: [
      {
        name: "oidc",
        issuer: url,
        metadataUrl: `${url}/metadata`,
        clientId: "c",
        scopes: [],
        parameters: {},
      },
    ],
  },
  "/metadata": { issuer: url, token_endpoint: `${url}/token` },
});

const list = (more: string[], env: Record<string, string> = {}) =>
  run(["list", "environments", "--url", url, ...more], { env, cwd: folder });

test("its authority is named by --cacert or PLINTH_CACERT; without one, the error says so", async () => {
  const refused = await list([]);
  expect([refused.code, refused.err]).toEqual([
    3,
    expect.stringMatching(/certificate is not accepted[^]*--cacert, PLINTH_CACERT/),
  ]);
  expect(await list(["--cacert", "ca.pem"])).toEqual({ code: 0, out: "There are none.\n", err: "" });
  const ofVariable = await list([], { PLINTH_CACERT: "none.pem" });
  expect([ofVariable.code, ofVariable.err]).toEqual([2, expect.stringContaining("at PLINTH_CACERT")]);
});

test.each([
  ["missing.pem", /cannot be read \(ENOENT\)/],
  ["none.pem", /holds no certificate/],
  ["broken.pem", /holds a certificate that cannot be read/],
])("the file %s is refused", async (file, message) => {
  const ran = await list(["--cacert", file]);
  expect([ran.code, ran.err]).toEqual([2, expect.stringMatching(message)]);
});

test("an identity provider may have an authority of the file, or one of the system", async () => {
  const ran = await run(["login", "--url", url, "--cacert", "ca.pem"], { cwd: folder });
  expect([ran.code, ran.err]).toEqual([
    1,
    expect.stringContaining("it has no device_authorization_endpoint"),
  ]);
  const file = (await readFile(join(folder, "ca.pem"), "utf8")).trim();
  const all = new Set(trustedBeside().map((each) => each.trim()));
  expect([all.has(file), all.has(tls.rootCertificates[0]?.trim() ?? "")]).toEqual([true, true]);
});
