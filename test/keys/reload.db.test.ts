/** What a process does with settings that it has taken while it works: the mail server's. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { noticeKinds } from "../../src/platform/config/schema/schema-notices.ts";
import type { Config } from "../../src/platform/config/schema/schema.ts";
import { startMailServer, type MailServer } from "../notices/mail-server.ts";
import { startWholeServer, until, type WholeServer } from "../support/server.ts";

const certificate = new URL(
  "../../src/platform/outbound/testdata/self-signed-localhost.pem",
  import.meta.url,
);

let server: WholeServer;
let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer({ security: "tls", user: "plinth", password: "the-new-one" });
  server = await startWholeServer({
    configure(config) {
      config.notices.mail = {
        host: "localhost",
        port: mails.port,
        security: "tls",
        user: "plinth",
        password: "the-old-one",
        from: "plinth@example.com",
        fromName: "Plinth",
        timeoutMs: 5_000,
        parallel: 1,
        digestMinutes: 0,
        retryDelaysMs: [],
        kinds: [...noticeKinds],
      };
    },
  });
});
afterAll(async () => {
  await server.close();
  await mails.close();
});

/** How a sample ends, and why. */
async function sample(): Promise<{ status: string; lastError: string | null }> {
  const body = { channel: "mail", to: "ada@example.com" };
  const { body: sent } = await server.coordinator({ method: "POST", path: "/v1/notices/test", body });
  const { body: end } = await until(
    () => server.coordinator({ path: `/v1/notices/${sent.id}` }),
    (answer) => ["SENT", "DEAD"].includes(answer.body.status),
  );
  return end;
}

const withMail = (more: object): Config => ({
  ...server.config,
  notices: { ...server.config.notices, mail: { ...server.config.notices.mail!, ...more } },
});

it("signs in to the mail server with what it has taken last, and trusts the certificates of that", async () => {
  expect((await sample()).lastError).toContain("self-signed certificate");
  const ca = readFileSync(certificate, "utf8");
  expect(await server.reload(withMail({ ca }))).toEqual({ changed: ["notices.mail.ca"], needRestart: [] });
  expect((await sample()).lastError).toContain("Wrong user or password");
  // The new password is for another server, and the former one does not get it.
  const moved = withMail({ ca, password: "the-new-one", host: "127.0.0.1" });
  expect(await server.reload(moved)).toEqual({ changed: [], needRestart: ["notices.mail"] });
  expect((await sample()).lastError).toContain("Wrong user or password");
  expect(await server.reload(withMail({ ca, password: "the-new-one" }))).toEqual({
    changed: ["notices.mail.password"],
    needRestart: [],
  });
  expect(await sample()).toMatchObject({ status: "SENT", lastError: null });
  expect(mails.received).toMatchObject([{ user: "plinth", secure: true }]);
});
