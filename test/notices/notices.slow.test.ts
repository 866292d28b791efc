/** What waits for people, from the thing itself to the mail in a mailbox and the message in a chat. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noticeKinds, type ChatSettings } from "../../src/platform/config/schema/schema-notices.ts";
import { input, refusal, testRefusals } from "../coordinator/refusals.ts";
import { ended, hullId, provisioning, provisioningPath, ships } from "../coordinator/ships.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";
import { startRecorder, type Recorder } from "../support/recorder.ts";
import { send, startWholeServer, until, type WholeServer } from "../support/server.ts";
import { bodyOf, headerOf, startMailServer, type MailServer, type ReceivedMail } from "./mail-server.ts";
import { insertHook, insertReconcile, insertToolApproval, lookSoon, type HookOf } from "./waiting-rows.ts";

let server: WholeServer;
let mails: MailServer;
let chats: Recorder;
let organization: HttpPeer;

const entity = (kind: "User" | "Group", name: string, spec: object) =>
  JSON.stringify({ apiVersion: "backstage.io/v1alpha1", kind, metadata: { name }, spec });
const person = (name: string, more: object = {}, email: string | null = `${name}@example.com`) =>
  entity("User", name, { profile: email === null ? {} : { email }, ...more });
const group = (name: string, more: object = {}) =>
  entity("Group", name, { type: "team", children: [], ...more });
const people = [
  person("ada"),
  person("bob", { memberOf: ["masters"] }),
  person("cho", { memberOf: ["pilots"] }, null),
  person("dan", { memberOf: ["pilots"] }),
  person("grace"),
  person("wrong", {}, "eve@example.com\nBcc: all@example.com"),
  person("refused"),
  person("once"),
  person("busy"),
  group("masters"),
  group("pilots", { parent: "masters" }),
  group("harbour", { profile: { email: "harbour@example.com" } }),
  group("platform", { profile: { email: "ops@example.com" } }),
].join("\n---\n");

const chat = (
  name: string,
  format: ChatSettings["format"],
  more: Partial<ChatSettings> = {},
): ChatSettings => ({
  name,
  format,
  webhookUrl: `${chats.url}/${name}/secret-token`,
  details: false,
  timeoutMs: 5_000,
  digestMinutes: 0,
  retryDelaysMs: [50],
  ...more,
});

beforeAll(async () => {
  mails = await startMailServer({ security: "none" });
  chats = await startRecorder();
  organization = await startHttpPeer((_, response) => response.end(people));
  server = await startWholeServer({
    configure(config) {
      config.server.baseUrl = "https://plinth.example/";
      config.mode = "production";
      const never = { cron: "0 0 1 1 *", timeZone: "UTC" };
      config.coordinator.drift.schedules = [{ ...never, environment: "development", reconcile: "ask" }];
      const grace = { userEntityRef: "user:default/grace", roles: ["operator" as const] };
      config.auth.providers["guest"] = { default: { dangerouslyAllowInProduction: true, ...grace } };
      config.notices = {
        mail: {
          host: "localhost",
          port: mails.port,
          security: "none",
          from: "plinth@example.com",
          fromName: "Plinth",
          timeoutMs: 5_000,
          parallel: 4,
          digestMinutes: 0,
          retryDelaysMs: [100, 20_000],
          kinds: [...noticeKinds],
        },
        chats: [
          chat("open", "json", { details: true }),
          chat("closed", "slack"),
          chat("later", "json", {
            details: true,
            digestMinutes: 60,
            kinds: ["HOOK"],
            environments: ["production"],
          }),
        ],
        operators: ["group:default/platform"],
        copies: [
          { to: "audit@example.com", kinds: ["ACCESS_REQUEST"], details: false },
          {
            to: "user:default/grace",
            kinds: ["ACCESS_REQUEST"],
            environments: ["production"],
            details: false,
          },
        ],
        delayMinutes: { toolApproval: 0, unknownOutcome: 0, hook: 0, others: 0 },
      };
    },
  });
  await server.registerMock();
  const location = { type: "url", target: `${organization.url}/org.yaml` };
  const registered = await server.catalog({ method: "POST", path: "/locations", body: location });
  expect(registered.status, registered.text).toBe(201);
});
afterAll(async () => {
  await server.close();
  await mails.close();
  await chats.close();
  await organization.close();
});

const mailsTo = (to: string, about: string): ReceivedMail[] =>
  mails.received.filter((mail) => mail.to === to && bodyOf(mail).includes(about));
const eventuallyMail = async (to: string, about: string): Promise<ReceivedMail> => {
  await expect
    .poll(() => mailsTo(to, about).length, { message: `mail to ${to} about ${about}` })
    .toBeGreaterThan(0);
  return mailsTo(to, about)[0]!;
};
const recipientsOf = (about: string): string[] =>
  mails.received
    .filter((mail) => bodyOf(mail).includes(about))
    .map(({ to }) => to)
    .toSorted();
const inChat = (name: string): any[] =>
  chats.calls.filter(({ path }) => path.startsWith(`/${name}/`)).map(({ body }) => body);
const hook = (more: Partial<HookOf>) => insertHook(server.db.database, more);
const list = async (query: string): Promise<any[]> => {
  const { status, body, text } = await server.coordinator({ path: `/v1/notices?limit=100&${query}` });
  expect(status, text).toBe(200);
  return body.data;
};
const noticesAbout = async (id: string): Promise<any[]> =>
  (await list("")).filter(({ notices }) => notices.some((each: any) => each.id === id));

describe("an access request", () => {
  it("is reported to the owners: people, members of groups, and groups with an address of their own", async () => {
    const id = await hook({
      owners: ["user:default/ada", "group:default/masters", "group:default/harbour"],
      fields: { deploymentUnitId: "urn:sea:ships", environment: "development", reason: "For the report." },
    });
    const mail = await eventuallyMail("ada@example.com", id);
    expect(headerOf(mail, "Subject")).toBe(
      "[Plinth] Access request: user:default/eve asks for access to urn:sea:ships: For the report.",
    );
    expect(bodyOf(mail)).toContain(`https://plinth.example/api/builder/hooks/${id}`);
    expect(bodyOf(mail)).toMatch(
      /\* Access request in development, since \d{4}-\d\d-\d\d \d\d:\d\d UTC, until 2999/,
    );
    for (const to of ["bob", "dan", "harbour"]) await eventuallyMail(`${to}@example.com`, id);
    // Neither the requester nor operators, since the owners can decide.
    expect(recipientsOf(id)).toEqual(["ada", "bob", "dan", "harbour"].map((name) => `${name}@example.com`));
    const [sent] = await noticesAbout(id);
    expect(headerOf(mail, "Message-ID")).toMatch(/^<notice\.[0-9a-f-]{36}@example\.com>$/);
    expect(sent).toMatchObject({ status: "SENT", attempts: 1, notices: [{ kind: "ACCESS_REQUEST", id }] });
  });

  it("is copied, with what it is about only to those who may see it", async () => {
    const copied = () => mails.received.filter(({ to }) => to === "audit@example.com");
    await expect.poll(() => copied().length).toBe(1);
    expect(bodyOf(copied()[0]!)).toContain("* Access request\n");
    expect(bodyOf(copied()[0]!)).not.toMatch(/urn:sea:ships|report|eve|hooks/);
    expect(mailsTo("grace@example.com", "Access request")).toEqual([]);
    const id = await hook({ owners: ["user:default/ada"], fields: { environment: "production" } });
    await eventuallyMail("ada@example.com", id);
    await expect.poll(() => mailsTo("grace@example.com", "* Access request\n").length).toBe(1);
  });

  it("comes into chats, with what it is about only where everybody may see it", async () => {
    await expect.poll(() => inChat("open").some(({ text }) => text.includes("urn:sea:ships"))).toBe(true);
    await expect.poll(() => inChat("closed").length).toBeGreaterThan(0);
    const [first] = inChat("closed");
    expect(first.text).toBe("Access request");
    expect(JSON.stringify(inChat("closed"))).not.toMatch(/urn:sea:ships|report|eve|hooks/);
    const call = chats.calls.find(({ path }) => path.startsWith("/open/"))!;
    expect(call.headers).toMatchObject({ "idempotency-key": call.body.id, "user-agent": "plinth-notices" });
  });
});

describe("who is asked", () => {
  it("whoever requests a deployment is not asked to approve it", async () => {
    const id = await hook({
      action: "deployment",
      requester: "user:default/ada",
      owners: ["user:default/ada", "user:default/bob"],
      fields: { deploymentUnitId: "urn:sea:docks", removeData: true },
    });
    const mail = await eventuallyMail("bob@example.com", id);
    expect(headerOf(mail, "Subject")).toBe(
      "[Plinth] Removal of data to approve: user:default/ada asks to remove the data of urn:sea:docks.",
    );
    expect(recipientsOf(id)).toEqual(["bob@example.com"]);
  });

  it("operators, where nobody who may decide has an address", async () => {
    const id = await hook({ owners: ["user:default/cho", "group:default/nobody", "user:default/unknown"] });
    await eventuallyMail("ops@example.com", id);
    expect(recipientsOf(id)).toEqual(["ops@example.com"]);
  });

  it("operators, for a third party that does not answer", async () => {
    const id = await hook({ kind: "remote", owners: ["user:default/ada"] });
    const mail = await eventuallyMail("ops@example.com", id);
    expect(headerOf(mail, "Subject")).toContain("Hook that a third party has not answered");
  });

  it("only its user, for a tool call of the assistant", async () => {
    const run = await insertToolApproval(server.db.database, "user:default/bob");
    await eventuallyMail("bob@example.com", run);
    expect(recipientsOf(run)).toEqual(["bob@example.com"]);
    expect(JSON.stringify(chats.calls)).not.toContain(run);
  });

  it("the owner of a unit for its reconcile, and for an exception of it", async () => {
    const unit = { ...ships("urn:dmb:dp:sea:owned:0"), dataProductOwner: "user:ada" };
    const path = provisioningPath(unit.id);
    const { body: plan } = await server.coordinator({ method: "POST", path, body: provisioning(unit) });
    expect(await ended(server, plan)).toBe("COMPLETED");
    const id = await insertReconcile(server.db.database, unit.id);
    await eventuallyMail("ada@example.com", id);
    expect(recipientsOf(id)).toEqual(["ada@example.com"]);
    const policy = { id: "named", name: "Named", engine: "cel", spec: { assert: "has(resource.name)" } };
    await server.governance({ method: "POST", path: "/policies", body: policy });
    const body = {
      policyId: "named",
      resourceIds: [unit.id],
      environments: ["development"],
      reason: "It moves soon.",
    };
    const more = { until: "2999-01-01T00:00:00.000Z" };
    const made = await server.governance({ method: "POST", path: "/exceptions", body: { ...body, ...more } });
    expect(made.status, made.text).toBe(201);
    await eventuallyMail("ada@example.com", "It moves soon.");
    expect(recipientsOf("It moves soon.")).toEqual(["ada@example.com"]);
  });
});

describe("what a person chooses", () => {
  const choose = (choices: object[]) =>
    server.coordinator({ method: "PUT", path: "/v1/notice-choices", body: { choices }, as: null });

  it("plans that end are reported to whoever has asked for it, and an unknown outcome to operators", async () => {
    const { body: before } = await server.coordinator({ path: "/v1/notice-choices", as: null });
    expect(before).toMatchObject({ ref: "user:default/grace", email: "grace@example.com" });
    expect(before.choices.filter(({ wanted }: any) => !wanted).map(({ kind }: any) => kind)).toEqual([
      "PLAN_FAILED",
      "PLAN_ENDED",
    ]);
    const chosen = await choose([{ kind: "PLAN_FAILED", wanted: true }]);
    expect([chosen.status, chosen.body.choices.at(-2)]).toEqual([
      200,
      { kind: "PLAN_FAILED", wanted: true, sent: true },
    ]);
    const unit = ships("urn:dmb:dp:sea:lost:0");
    const lost = { name: "reset-after", times: Number.MAX_SAFE_INTEGER } as const;
    server.mock.setBehaviours({
      components: { [hullId]: { operations: { provision: { odd: { start: lost } } } } },
    });
    const call = { method: "POST", path: provisioningPath(unit.id), body: provisioning(unit) };
    const { body: plan } = await server.coordinator({ ...call, as: null });
    expect(await ended(server, plan)).toBe("FAILED");
    server.mock.setBehaviours({});
    const mail = await eventuallyMail("grace@example.com", plan);
    expect(headerOf(mail, "Subject")).toContain("Plan that failed: PROVISION of urn:dmb:dp:sea:lost:0");
    await eventuallyMail("ops@example.com", `unknown-outcomes/${plan}`);
  });

  it("nobody else is told, and not about plans that end well", async () => {
    expect(mails.received.filter((mail) => bodyOf(mail).includes("Plan that ended"))).toEqual([]);
    expect(
      mails.received.filter((mail) => bodyOf(mail).includes("Plan that failed")).map(({ to }) => to),
    ).toEqual(["grace@example.com"]);
  });

  it("what they do not want is not sent to them", async () => {
    expect((await choose([{ kind: "DEPLOYMENT_APPROVAL", wanted: false }])).status).toBe(200);
    const owners = ["user:default/grace", "user:default/ada"];
    const id = await hook({ action: "deployment", owners });
    await eventuallyMail("ada@example.com", id);
    expect(recipientsOf(id)).toEqual(["ada@example.com"]);
  });
});

describe("a message", () => {
  it("is given up at once where the recipient is refused, and sent again on request under the same id", async () => {
    const id = await hook({ owners: ["user:default/refused"] });
    const dead = async () => (await noticesAbout(id)).filter(({ status }) => status === "DEAD");
    await expect.poll(async () => (await dead()).length).toBe(1);
    const [notice] = await dead();
    expect(notice).toMatchObject({
      channel: "mail",
      recipient: "user:default/refused",
      attempts: 1,
      lastError: "localhost answered 550 No such user",
    });
    const again = await server.coordinator({ method: "POST", path: `/v1/notices/${notice.id}/send-again` });
    expect([again.status, again.body.id, again.body.status]).toEqual([202, notice.id, "PENDING"]);
    await until(
      () => server.coordinator({ path: `/v1/notices/${notice.id}` }),
      ({ body }) => body.status === "DEAD" && body.attempts === 1,
    );
  });

  it("is sent again after a fault that may pass", async () => {
    const id = await hook({ owners: ["user:default/once"] });
    await eventuallyMail("once@example.com", id);
    const own = async () =>
      (await noticesAbout(id)).find(({ recipient }) => recipient === "user:default/once");
    await expect.poll(async () => (await own())?.status).toBe("SENT");
    expect((await own()).attempts).toBe(2);
  });

  it("never goes to what is no single address", async () => {
    const id = await hook({ owners: ["user:default/wrong"] });
    await expect
      .poll(async () => (await noticesAbout(id)).map(({ lastError }) => lastError))
      .toContain("The recipient has no usable address.");
  });

  it("is withdrawn when nothing of it waits any more", async () => {
    const id = await hook({ owners: ["user:default/busy"] });
    const own = async () =>
      (await noticesAbout(id)).filter(({ recipient }) => recipient === "user:default/busy");
    await expect.poll(own).toMatchObject([{ attempts: 2 }]);
    const body = { status: "OK", reason: "" };
    const answered = await server.builder({ method: "POST", path: `/hooks/${id}/answer`, body });
    expect(answered.status, answered.text).toBe(200);
    await lookSoon(server.db.database);
    const { pool } = server.db.database;
    const endedCount = async () =>
      (await pool.query("select from notices where subject_id = $1 and ended_at is not null", [id])).rowCount;
    await expect.poll(endedCount).toBeGreaterThan(0);
    // Its third attempt would be due after 20 seconds.
    await pool.query("update notice_messages set next_attempt_at = now() where next_attempt_at > now()");
    await expect.poll(async () => (await own())[0]?.status).toBe("WITHDRAWN");
  });

  it("has all that came within the time of the channel", async () => {
    const wanted = { kind: "remote", fields: { environment: "production" } } as const;
    const first = await hook(wanted);
    const of = (id: string) => inChat("later").filter((body) => JSON.stringify(body).includes(id));
    await expect.poll(() => of(first).length).toBe(1);
    const others = [await hook(wanted), await hook(wanted)];
    for (const id of others) await eventuallyMail("ops@example.com", id);
    expect(inChat("later")).toHaveLength(1);
    await server.db.database.pool.query(
      "update notice_messages set ended_at = ended_at - interval '2 hours' where channel = 'later'",
    );
    await expect.poll(() => inChat("later").length).toBe(2);
    expect(
      inChat("later")[1]
        .notices.map(({ url }: any) => url.split("/").at(-1))
        .toSorted(),
    ).toEqual(others.toSorted());
  });
});

describe("a sample", () => {
  const test = (body: object) =>
    server.coordinator({ method: "POST", path: "/v1/notices/test", body, as: null });

  it("goes to the caller, to an address, or into a chat", async () => {
    for (const body of [
      { channel: "mail" },
      { channel: "mail", to: "new@example.com" },
      { channel: "closed" },
    ]) {
      const { status, body: notice, text } = await test(body);
      expect(status, text).toBe(202);
      expect(notice).toMatchObject({ isTest: true, notices: [] });
      await until(
        () => server.coordinator({ path: `/v1/notices/${notice.id}` }),
        (answer) => answer.body.status === "SENT",
      );
    }
    for (const to of ["grace@example.com", "new@example.com"]) await eventuallyMail(to, "This is a sample");
    expect(JSON.stringify(inChat("closed").at(-1))).toContain("This is a sample");
  });

  it("is counted by its channel", async () => {
    const { body } = await server.coordinator({ path: "/v1/notice-channels" });
    expect(body.data[0]).toEqual({
      name: "mail",
      pending: 0,
      dead: expect.any(Number),
      oldestPendingAt: null,
    });
    expect(body.data.map(({ name }: { name: string }) => name)).toContain("closed");
    const { dead } = body.data[0];
    const { body: made } = await test({ channel: "mail", to: "user:default/cho" });
    await until(
      () => server.coordinator({ path: `/v1/notices/${made.id}` }),
      (answer) => answer.body.status === "DEAD",
    );
    const { body: later } = await server.coordinator({ path: "/v1/notice-channels" });
    expect(later.data[0].dead).toBe(dead + 1);
  });

  it("says why it can't be sent", async () => {
    const { body } = await test({ channel: "mail", to: "user:default/cho" });
    const { body: end } = await until(
      () => server.coordinator({ path: `/v1/notices/${body.id}` }),
      (answer) => answer.body.status === "DEAD",
    );
    expect(end.lastError).toBe("The catalogue has no e-mail address of the recipient.");
  });
});

it("counts what was sent, failed and is dead", async () => {
  const { text } = await send(server.url, { path: "/metrics", as: "operator" });
  expect(text).toMatch(/plinth_notices_attempts_total\{channel="mail",result="sent"\} \d\d/);
  expect(text).toMatch(/plinth_notices_attempts_total\{channel="mail",result="failed"\} \d/);
  expect(text).toMatch(/plinth_notices_attempts_total\{channel="mail",result="dead"\} \d/);
  expect(text).toMatch(/plinth_notices\{channel="mail",status="dead"\} \d/);
});

describe("refusals", () => {
  const id = "0198c5b2-7a10-4c3e-9d55-3f2b8a1c6e40";
  const test = (body: object) => ({ method: "POST", path: "/v1/notices/test", body });
  const choices = (body: object) => ({ method: "PUT", path: "/v1/notice-choices", body });
  testRefusals(
    () => server,
    [
      refusal(404, "COORD_NOTICE_NOT_FOUND")("an unknown notice", { path: `/v1/notices/${id}` }, "notice-id"),
      refusal(404, "COORD_NOTICE_NOT_FOUND")("no id", { path: "/v1/notices/a" }, "notice-id"),
      refusal(404, "COORD_NOTICE_NOT_FOUND")(
        "an unknown notice, again",
        { method: "POST", path: `/v1/notices/${id}/send-again` },
        "notice-id",
      ),
      refusal(404, "COORD_CHANNEL_NOT_FOUND")("an unknown channel", test({ channel: "smoke" }), "/channel"),
      refusal(400, "COORD_INVALID_RECIPIENT")("a name", test({ channel: "mail", to: "Ada" }), "/to"),
      refusal(400, "COORD_INVALID_RECIPIENT")(
        "two addresses",
        test({ channel: "mail", to: "a@example.com, b@example.com" }),
        "/to",
      ),
      refusal(409, "COORD_NOT_A_PERSON")("a service", { path: "/v1/notice-choices" }, ""),
      input("an unknown kind", choices({ choices: [{ kind: "WEATHER", wanted: true }] }), "/choices/0/kind"),
      input("no choice", choices({ choices: [] }), "/choices"),
      input("an unknown status", { path: "/v1/notices?status=LOST" }, "status"),
    ],
  );
});
