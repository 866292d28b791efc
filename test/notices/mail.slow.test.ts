/** Mails to a real server over TCP: what it gets, and what follows from each way in which it fails. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { MailSettings } from "../../src/platform/config/schema/schema-notices.ts";
import { silentLogger } from "../../src/platform/lib/logger.ts";
import { createOutbound, type Outbound } from "../../src/platform/outbound/outbound.ts";
import { sendMail } from "../../src/coordinator/watching/notices/sending/mail.ts";
import { bodyOf, headerOf, startMailServer, type MailServer } from "./mail-server.ts";
import { startStalledServer } from "./stalled-server.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const ca = readFileSync(
  new URL("../../src/platform/outbound/testdata/self-signed-localhost.pem", import.meta.url),
  "utf8",
);

function client(allowPrivateNetworks = true): Outbound {
  const policy = { allowedSchemes: ["https"], blockedHosts: [], maxResponseBytes: 1, timeoutMs: 1_000 };
  const outbound = createOutbound({ ...policy, allowPrivateNetworks }, silentLogger);
  cleanups.push(() => outbound.close());
  return outbound;
}

const settingsFor = (port: number, more: Partial<MailSettings> = {}): MailSettings => ({
  host: "localhost",
  port,
  security: "none",
  from: "plinth@example.com",
  fromName: "Plinth",
  timeoutMs: 10_000,
  parallel: 2,
  digestMinutes: 0,
  retryDelaysMs: [],
  kinds: [],
  ...more,
});

async function started(options: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  cleanups.push(() => server.close());
  return server;
}

const mail = {
  id: "0d4f",
  to: "ada@example.com",
  subject: "Something waits",
  text: "Ünïcode — line 1\nline 2\n",
};
const noStop = new AbortController().signal;

interface Sending {
  settings?: Partial<MailSettings>;
  wanted?: Partial<typeof mail>;
  stopping?: AbortSignal;
}

const sendTo = (port: number, { settings, wanted, stopping = noStop }: Sending = {}) =>
  sendMail({ outbound: client(), settings: settingsFor(port, settings) }, { ...mail, ...wanted }, stopping);

describe("a mail", () => {
  it("arrives with its text, an id that stays the same, and a word that no program answers it", async () => {
    const server = await started({ security: "none" });
    expect(await sendTo(server.port)).toEqual({ result: "sent", error: null });
    expect(await sendTo(server.port)).toEqual({ result: "sent", error: null });
    await expect.poll(() => server.received.length).toBe(2);
    const [first, second] = server.received as [MailServer["received"][0], MailServer["received"][0]];
    expect(first).toMatchObject({ from: "plinth@example.com", to: "ada@example.com" });
    expect(headerOf(first, "Message-ID")).toBe("<notice.0d4f@example.com>");
    expect(headerOf(second, "Message-ID")).toBe("<notice.0d4f@example.com>");
    expect(headerOf(first, "Auto-Submitted")).toBe("auto-generated");
    expect(headerOf(first, "From")).toBe("Plinth <plinth@example.com>");
    expect(headerOf(first, "Subject")).toBe("Something waits");
    expect(headerOf(first, "Content-Type")).toBe("text/plain; charset=utf-8");
    expect(bodyOf(first)).toContain("Ünïcode — line 1\nline 2\n");
  });

  it("has no header or recipient that a text of a user brings", async () => {
    const server = await started({ security: "none" });
    const evil = "x\r\nBcc: eve@example.com\r\n\r\nnew body";
    const wanted = {
      subject: evil,
      id: "a>\r\nBcc: eve@example.com",
      text: ".\r\nMAIL FROM:<eve@example.com>\r\n",
    };
    expect(await sendTo(server.port, { wanted })).toMatchObject({ result: "sent" });
    await expect.poll(() => server.received.length).toBe(1);
    const [got] = server.received as [MailServer["received"][0]];
    expect(got.to).toBe("ada@example.com");
    expect(got.text.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/im);
    expect(bodyOf(got)).toContain("MAIL FROM:<eve@example.com>");
    const two = await sendTo(server.port, { wanted: { to: "ada@example.com>\r\nRCPT TO:<eve@example.com" } });
    expect(two).toEqual({ result: "refused", error: "The recipient has no usable address." });
    expect(server.received).toHaveLength(1);
  });
});

describe("encryption and sign-in", () => {
  const signIn = { user: "plinth", password: "correct horse" };

  it.each(["starttls", "tls"] as const)("%s, with a certificate that `ca` vouches for", async (security) => {
    const server = await started({ security, ...signIn });
    expect(await sendTo(server.port, { settings: { security, ca, ...signIn } })).toEqual({
      result: "sent",
      error: null,
    });
    await expect.poll(() => server.received.length).toBe(1);
    expect(server.received[0]).toMatchObject({ secure: true, user: "plinth" });
  });

  it.each(["starttls", "tls"] as const)("%s: sends nothing under another certificate", async (security) => {
    const server = await started({ security, ...signIn });
    const sent = await sendTo(server.port, { settings: { security, ...signIn } });
    expect(sent).toMatchObject({
      result: "failed",
      error: expect.stringContaining("self-signed certificate"),
    });
    expect(server.received).toEqual([]);
  });

  it("sends nothing to a server that offers no STARTTLS", async () => {
    const server = await started({ security: "none", ...signIn });
    const sent = await sendTo(server.port, { settings: { security: "starttls", ca, ...signIn } });
    expect(sent).toMatchObject({ result: "failed" });
    expect(server.received).toEqual([]);
  });

  it("tries again after a wrong password, which somebody may correct, and does not repeat it", async () => {
    const server = await started({ security: "tls", ...signIn });
    const sent = await sendTo(server.port, {
      settings: { security: "tls", ca, user: "plinth", password: "wrong battery" },
    });
    expect(sent).toEqual({ result: "failed", error: expect.stringContaining("535") });
    expect(sent.error).not.toContain("battery");
  });

  it("sends nothing without signing in where a user is set and the server offers none", async () => {
    const server = await started({ security: "tls" });
    const sent = await sendTo(server.port, { settings: { security: "tls", ca, ...signIn } });
    expect(sent.result).toBe("failed");
    expect(server.received).toEqual([]);
  });
});

describe("a server that fails", () => {
  it.each<[string, string, "failed" | "refused", string]>([
    ["refuses the recipient", "refused@example.com", "refused", "550 No such user"],
    ["takes nobody for now", "later@example.com", "failed", "450 Greylisted"],
    ["refuses the content", "full@example.com", "refused", "552 The mailbox is full"],
    ["is busy", "busy@example.com", "failed", "451 Try again later"],
    ["ends the connection within the data", "cut@example.com", "failed", "localhost"],
  ])("%s", async (_, to, result, error) => {
    const server = await started({ security: "none" });
    expect(await sendTo(server.port, { wanted: { to } })).toEqual({
      result,
      error: expect.stringContaining(error),
    });
    expect(server.received).toEqual([]);
  });

  it("dies within the data", async () => {
    const server = await started({ security: "none" });
    expect((await sendTo(server.port, { wanted: { to: "dies@example.com" } })).result).toBe("failed");
    await server.ended;
  });

  it("has the mail and does not say so: nobody can know, so it is sent again under the same id", async () => {
    const server = await started({ security: "none" });
    const wanted = { to: "silent@example.com" };
    const sent = await sendTo(server.port, { wanted, settings: { timeoutMs: 5_000 } });
    expect(sent).toEqual({ result: "failed", error: "localhost did not take it within 5000 ms." });
    await expect.poll(() => server.received.length).toBe(1);
  });

  it("says nothing at all", async () => {
    const stalled = await startStalledServer();
    cleanups.push(() => stalled.close());
    const sent = await sendTo(stalled.port, { settings: { timeoutMs: 300 } });
    expect(sent).toEqual({ result: "failed", error: "localhost did not take it within 300 ms." });
  });

  it("is not there", async () => {
    const stalled = await startStalledServer();
    await stalled.close();
    expect(await sendTo(stalled.port)).toEqual({
      result: "failed",
      error: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("is in a network that may not be called", async () => {
    const server = await started({ security: "none" });
    const deps = { outbound: client(false), settings: settingsFor(server.port) };
    expect(await sendMail(deps, mail, noStop)).toEqual({
      result: "failed",
      error: expect.stringContaining("private network"),
    });
    expect(server.received).toEqual([]);
  });
});

it("ends with the process", async () => {
  const server = await started({ security: "none" });
  const stop = new AbortController();
  const sending = sendTo(server.port, { wanted: { to: "silent@example.com" }, stopping: stop.signal });
  await expect.poll(() => server.received.length).toBe(1);
  stop.abort();
  expect((await sending).result).toBe("failed");
});
