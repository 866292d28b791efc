/** Workers as processes of their own, killed after a mail server has taken a mail and before that is recorded. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { openProcessStage, type ProcessStage } from "../support/process-stage.ts";
import { bodyOf, headerOf, startMailServer, type MailServer } from "./mail-server.ts";
import { insertHook } from "./waiting-rows.ts";

let stage: ProcessStage;
let mails: MailServer;
let organization: HttpPeer;

const names = ["ada", "bob", "silent-cho"];
const person = (name: string) =>
  JSON.stringify({
    apiVersion: "backstage.io/v1alpha1",
    kind: "User",
    metadata: { name },
    spec: { profile: { email: `${name}@example.com` } },
  });

beforeAll(async () => {
  mails = await startMailServer({ security: "none" });
  organization = await startHttpPeer((_, response) => response.end(names.map(person).join("\n---\n")));
  const mail = {
    host: "localhost",
    port: mails.port,
    security: "none",
    from: "plinth@example.com",
    // The mail server has the mail, and says nothing: the process waits for its word and is killed meanwhile.
    timeoutMs: 600_000,
    parallel: 2,
    digestMinutes: 0,
  };
  stage = await openProcessStage({
    settings: () => ({
      server: { baseUrl: "https://plinth.example" },
      notices: { mail },
      outbound: { privateNetworks: { locations: true } },
    }),
  });
  await stage.serve();
  const location = { type: "url", target: `${organization.url}/org.yaml` };
  const { status, text } = await stage.call({
    method: "POST",
    path: "/api/catalog/locations",
    body: location,
  });
  expect(status, text).toBe(201);
});
afterAll(async () => {
  await stage.close();
  await mails.close();
  await organization.close();
});

it("sends a mail again under the same id, and loses none", async () => {
  stage.startWorker();
  const ids = [];
  for (let n = 0; n < 6; n++)
    ids.push(await insertHook(stage.db.database, { owners: names.map((name) => `user:default/${name}`) }));
  const toCho = () => mails.received.filter(({ to }) => to === "silent-cho@example.com");
  for (const sent of [1, 2, 3]) {
    await eventually(`mail ${sent} that nobody hears of`, () => toCho().length === sent);
    await stage.killWorkers();
    ids.push(await insertHook(stage.db.database, { owners: ["user:default/ada"] }));
    stage.startWorker();
  }
  await eventually("the mail after the third death", () => toCho().length === 4);
  expect(new Set(toCho().map((mail) => headerOf(mail, "Message-ID"))).size).toBe(1);
  // Each was told of everything, in however many mails.
  for (const name of ["ada", "bob"]) {
    const wanted = name === "ada" ? ids : ids.slice(0, 6);
    const got = () =>
      mails.received
        .filter(({ to }) => to === `${name}@example.com`)
        .map(bodyOf)
        .join("\n");
    await eventually(`all of ${name}`, () => wanted.every((id) => got().includes(id)));
  }
  const { rows } = await stage.db.database.pool.query(
    "select recipient, status, attempts from notice_messages where recipient = 'user:default/silent-cho'",
  );
  expect(rows).toEqual([{ recipient: "user:default/silent-cho", status: "PENDING", attempts: 4 }]);
});
