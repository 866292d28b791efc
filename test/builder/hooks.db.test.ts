/** Remote hooks against a third party that behaves in every way: called, answered, forged, out of time. */
import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sql } from "../../src/platform/db/sql.ts";
import type { Answer } from "../support/server.ts";
import { deployHarbour, hook, openHarbour, type Harbour } from "./harbour.ts";
import { startThirdParty, takesIn, type ThirdParty, type Ticket } from "./third-party.ts";
import { eventually } from "../support/eventually.ts";

const secret = "a secret of thirty-two characters or more";

/** No call takes so long, also on a busy machine: each is made once. */
const patientMs = 15_000;

let harbour: Harbour;
let ticketing: ThirdParty;

beforeAll(async () => {
  ticketing = await startThirdParty();
  harbour = await openHarbour({
    configure: (config) => {
      config.server.baseUrl = "https://plinth.example/";
      config.actionHandlers.accessRequest.hooks = [
        hook("tickets", {
          kind: "remote",
          url: ticketing.url,
          timeoutMs: patientMs,
          secret,
          headers: { authorization: "Bearer t" },
        }),
      ];
    },
  });
  await deployHarbour(harbour);
});
afterAll(async () => {
  await harbour.close();
  await ticketing.close();
});
afterEach(() => {
  ticketing.setReply(takesIn);
  Object.defineProperty(hooksOfConfig()[0], "timeoutMs", { value: patientMs, configurable: true });
});

const hooksOfConfig = (): any[] =>
  // The worker and the routes look at the settings at the time of each call.
  harbour.server.config.actionHandlers.accessRequest.hooks as any[];

const put = (requestId: string, body: unknown = { status: "OK" }): Promise<Answer> =>
  harbour.server.builder({ method: "PUT", path: `/hooks/${requestId}`, body, as: null });

const ticketOf = (request: { id: string }): Promise<Ticket> =>
  eventually("the ticket", () =>
    ticketing.tickets.find(({ fields }) => fields.accessRequestId === request.id),
  );

const hookOf = async (request: any): Promise<any> =>
  (await harbour.server.builder({ path: `/hooks/${request.hooks[0].hookId}` })).body;

const asked = async (more: object = {}): Promise<{ request: any; ticket: Ticket }> => {
  const request = await harbour.opened(more, { as: "operator" });
  return { request, ticket: await ticketOf(request) };
};

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const id = expect.stringMatching(/^[0-9a-f-]{36}$/);

it("the third party is called under an id of its own, and its answer is the end", async () => {
  const { request, ticket } = await asked({ reason: "a report", accessControlFields: { until: "May" } });
  expect(ticket.requestId).toMatch(/^cap_[A-Za-z0-9_-]{43}\.[A-Za-z0-9_-]{43}$/);
  expect(ticket.respondToUrl).toBe(`https://plinth.example/api/builder/hooks/${ticket.requestId}`);
  expect(ticket.headers).toMatchObject({ authorization: "Bearer t", "content-type": "application/json" });
  expect(ticket.fields).toEqual({
    accessRequestId: request.id,
    operation: "GRANT",
    deploymentUnitId: request.deploymentUnitId,
    environment: "development",
    outputPortUrns: [request.outputPorts[0].urn],
    identities: ["user:ada"],
    reason: "a report",
    requester: "service:default/operator",
    accessControlFields: { until: "May" },
    hookId: request.hooks[0].hookId,
    hookName: "tickets",
    expiresAt: time,
  });
  const pending = await eventually("the 202", async () => {
    const found = await hookOf(request);
    return found.sentAt === null ? null : found;
  });
  expect(pending).toMatchObject({
    status: "pending",
    attempts: 1,
    sentInfo: { ticket: "T-1" },
    waiting: expect.stringContaining("Waits for the answer of the third party, until "),
  });
  const answer = await put(ticket.requestId, { status: "OK", hookInfo: { by: "Eve" } });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      hookId: request.hooks[0].hookId,
      hookName: "tickets",
      actionId: id,
      actionName: "accessRequest",
      creationAt: time,
      updateAt: time,
      status: "OK",
    },
  ]);
  const done = await harbour.reached(request.id, "GRANTED");
  expect(done.history[1]).toMatchObject({ status: "APPROVED", by: "hook:accessRequest/tickets" });
  expect(await hookOf(request)).toMatchObject({
    response: { by: "Eve" },
    endedBy: "hook:accessRequest/tickets",
  });
  const again = await put(ticket.requestId, { status: "KO" });
  expect([again.status, again.body.error.code]).toEqual([409, "BUILDER_HOOK_ENDED"]);
  expect((await harbour.read(request.id)).status).toBe("GRANTED");
});

it("KO rejects the request and nothing is called", async () => {
  const { request, ticket } = await asked();
  expect((await put(ticket.requestId, { status: "KO" })).body.status).toBe("KO");
  expect(await harbour.read(request.id)).toMatchObject({
    status: "REJECTED",
    message: "The hook tickets was answered KO by hook:accessRequest/tickets.",
  });
  const { rows } = await sql`select 1 from acl_requests where request_id like ${`${request.id}%`}`.execute(
    harbour.server.db.database.db,
  );
  expect(rows).toEqual([]);
});

it.each(["OK", "mixed"])("of a hundred answers at once exactly one wins (%s)", async (kind) => {
  const { request, ticket } = await asked();
  const body = (index: number) => ({
    status: kind === "OK" || index % 2 === 0 ? "OK" : "KO",
    hookInfo: { index },
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => put(ticket.requestId, body(index))),
  );
  const won = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []));
  expect(won).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
  const end = body(won[0]!);
  expect(await hookOf(request)).toMatchObject({ status: end.status, response: end.hookInfo });
  await harbour.reached(request.id, end.status === "OK" ? "GRANTED" : "REJECTED");
  const { rows } = await sql<{ count: number }>`select count(*) as count from acl_requests
    where request_id like ${`${request.id}%`}`.execute(harbour.server.db.database.db);
  expect(rows[0]?.count).toBe(end.status === "OK" ? 1 : 0);
});

describe("an id that lets nobody answer", () => {
  const forms: [string, (ticket: Ticket, request: any) => string][] = [
    ["unknown", () => `cap_${"A".repeat(43)}.${"A".repeat(43)}`],
    ["of the wrong form", () => "nothing"],
    ["empty but for its mark", () => "cap_"],
    ["very long", () => "x".repeat(400)],
    ["the hookId", (_ticket, request) => request.hooks[0].hookId],
    ["the access request's", (_ticket, request) => request.id],
    ["without its signature", ({ requestId }) => requestId.split(".")[0]!],
    [
      "with another signature",
      ({ requestId }) => `${requestId.slice(0, -1)}${requestId.endsWith("A") ? "B" : "A"}`,
    ],
    ["in other letters", ({ requestId }) => requestId.toUpperCase()],
    ["with a NUL", ({ requestId }) => `${requestId}%00`],
    ["with more behind it", ({ requestId }) => `${requestId}%20`],
  ];

  it.each(forms)("%s: 404, with one body", async (...[, form]) => {
    const { request, ticket } = await asked();
    const answer = await put(form(ticket, request));
    expect(answer.status, answer.text).toBe(404);
    expect(answer.body.error).toEqual({
      name: "NotFoundError",
      message: "There is no hook with that id.",
      code: "BUILDER_HOOK_NOT_FOUND",
    });
    expect((await hookOf(request)).status).toBe("pending");
  });

  it("bytes that are no path at all are refused before anybody looks for a hook", async () => {
    const { ticket } = await asked();
    for (const requestId of [`${ticket.requestId}%ff`, "x".repeat(9_000)])
      expect((await put(requestId)).body.error.code).toBe("PLATFORM_INPUT");
  });

  it("one that somebody wrote into the database without knowing the secret", async () => {
    const { request, ticket } = await asked();
    const seed = "B".repeat(43);
    const sign = (key: string) =>
      createHmac("sha256", key).update(`plinth hook ${request.hooks[0].hookId} ${seed}`).digest("base64url");
    const forged = `cap_${seed}.${sign("another secret")}`;
    const digest = sql`rtrim(translate(encode(sha256(${forged}::bytea), 'base64'), '+/', '-_'), '=')`;
    await sql`update hooks set request_hash = ${digest} where id = ${request.hooks[0].hookId}`.execute(
      harbour.server.db.database.db,
    );
    expect((await put(forged)).status).toBe(404);
    expect((await put(ticket.requestId)).status).toBe(404);
    // With the secret it would be one: what refuses it is the signature.
    const known = `cap_${seed}.${sign(secret)}`;
    const knownDigest = sql`rtrim(translate(encode(sha256(${known}::bytea), 'base64'), '+/', '-_'), '=')`;
    await sql`update hooks set request_hash = ${knownDigest} where id = ${request.hooks[0].hookId}`.execute(
      harbour.server.db.database.db,
    );
    expect((await put(known)).status).toBe(200);
  });
});

it("a hook whose request was withdrawn is known, and can't be answered any more", async () => {
  const { request, ticket } = await asked();
  await harbour.server.builder({ method: "POST", path: `/access-requests/${request.id}/withdraw` });
  const answer = await put(ticket.requestId);
  expect([answer.status, answer.body.error.code]).toEqual([409, "BUILDER_HOOK_ENDED"]);
});

it("what a third party gives as its reason reaches the requester", async () => {
  const { request, ticket } = await asked();
  const answer = await put(ticket.requestId, { status: "KO", hookInfo: { comment: "Ask finance first." } });
  expect(answer.status).toBe(200);
  const { body } = await harbour.server.builder({ path: `/access-requests/${request.id}` });
  expect([body.status, body.message, body.hooks[0].reason]).toEqual([
    "REJECTED",
    expect.stringMatching(/was answered KO by hook:.*: Ask finance first\.$/),
    "Ask finance first.",
  ]);
});

it("nothing that is stored or shown lets its reader answer", async () => {
  const { request, ticket } = await asked();
  await eventually("the 202", async () => (await hookOf(request)).sentAt);
  const [seed = "", signature = ""] = ticket.requestId.slice(4).split(".");
  const tables = await sql<{
    name: string;
  }>`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name
    from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`.execute(
    harbour.server.db.database.db,
  );
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t
      where t::text like ${`%${seed}%`} or t::text like ${`%${signature}%`}`.execute(
      harbour.server.db.database.db,
    );
    expect(rows, name).toEqual([]);
  }
  for (const path of ["/hooks?limit=100", `/access-requests/${request.id}`, "/access-requests?limit=100"]) {
    const { text } = await harbour.server.builder({ path });
    expect(text).not.toContain(seed);
  }
  // Third parties may well send the id back in the header that it came in; request ids are written down.
  const echoed = await harbour.server.builder({
    method: "PUT",
    path: `/hooks/${ticket.requestId}`,
    headers: { "x-request-id": ticket.requestId },
    body: { status: "KO" },
  });
  expect([echoed.status, echoed.headers.get("x-request-id")]).toEqual([200, id]);
  const audit = await sql`select 1 from audit where request_id like 'cap%'`.execute(
    harbour.server.db.database.db,
  );
  expect(audit.rows).toEqual([]);
});

it("metrics tell how many wait, and since when", async () => {
  const { request } = await asked();
  const scrape = async (): Promise<string> => {
    const headers = { authorization: `Bearer ${harbour.server.token("viewer")}` };
    return (await fetch(`${harbour.server.url}/metrics`, { headers })).text();
  };
  const pending = /^plinth_hooks_pending\{action="accessRequest",kind="remote"\} (\d+)$/m;
  const oldest = /^plinth_hook_oldest_pending_seconds\{action="accessRequest",kind="remote"\} \d/m;
  // Each scrape may leave out a source that takes long.
  await expect.poll(scrape).toMatch(oldest);
  const before = Number(await eventually("the number", async () => pending.exec(await scrape())?.[1]));
  await harbour.server.builder({ method: "POST", path: `/access-requests/${request.id}/withdraw` });
  const after = async (): Promise<number> => Number(pending.exec(await scrape())?.[1] ?? 0);
  await expect.poll(after).toBe(before - 1);
});

describe("a body that is refused leaves the hook pending", () => {
  const bodies: [string, unknown][] = [
    ["no status", {}],
    ["another status", { status: "pending" }],
    ["hookInfo that is no object", { status: "OK", hookInfo: [1] }],
    ["no JSON", "{"],
    ["a list", []],
  ];
  it.each(bodies)("%s", async (...[, body]) => {
    const { request, ticket } = await asked();
    expect((await put(ticket.requestId, body)).status).toBe(400);
    const large = await put(ticket.requestId, { status: "OK", hookInfo: { text: "x".repeat(300_000) } });
    expect(large.status).toBe(413);
    expect((await hookOf(request)).status).toBe("pending");
  });
});

describe("a third party in trouble", () => {
  const failures: [string, (attempt: number, ticket: Ticket, response: any) => void, RegExp][] = [
    ["answers 500", (_attempt, _ticket, response) => response.writeHead(500).end(), /answered 500, not 202/],
    [
      "answers 200",
      (_attempt, _ticket, response) => response.writeHead(200).end("{}"),
      /answered 200, not 202/,
    ],
    ["redirects", (_attempt, _ticket, response) => response.writeHead(307).end(), /redirect \(307\)/],
    [
      "dies in the middle",
      (_attempt, _ticket, response) => response.socket.destroy(),
      /It does not answer, or may not be called/,
    ],
    ["never answers", () => {}, /It does not answer, or may not be called/],
  ];

  /** Limits each call by its number, and returns how many were made: a busy third party may not see a quick one. */
  const countCalls = (limitOf: (call: number) => number): (() => number) => {
    let made = 0;
    const get = (): number => limitOf((made += 1));
    Object.defineProperty(hooksOfConfig()[0], "timeoutMs", { get, configurable: true });
    return () => made;
  };

  it.each(failures)("%s: it is called again under the same id, and takes it in", async (...[name, fail]) => {
    const isSilent = name === "never answers";
    const made = countCalls((call) => (isSilent && call < 3 ? 300 : patientMs));
    ticketing.setReply((...call) => (made() < 3 ? fail(made(), ...call) : takesIn(...call)));
    const { request } = await asked();
    await eventually("the 202", async () => (await hookOf(request)).sentAt);
    const calls = ticketing.tickets.filter(({ fields }) => fields.accessRequestId === request.id);
    expect([made(), (await hookOf(request)).attempts]).toEqual([3, 3]);
    if (!isSilent) expect(calls).toHaveLength(3);
    expect(new Set(calls.map(({ requestId, respondToUrl }) => `${requestId} ${respondToUrl}`)).size).toBe(1);
    expect((await put(calls[0]!.requestId)).status).toBe(200);
  });

  it.each(failures)(
    "%s to the last: the hook is KO with the error, and the request rejected",
    async (...[name, fail, error]) => {
      let seen = 0;
      // The second has more time where the first was not seen.
      countCalls((call) => (name === "never answers" && (call === 1 || seen > 0) ? 300 : patientMs));
      ticketing.setReply((...call) => fail((seen += 1), ...call));
      const { request, ticket } = await asked();
      const rejected = await harbour.reached(request.id, "REJECTED");
      expect(rejected.message).toMatch(error);
      expect(await hookOf(request)).toMatchObject({
        status: "KO",
        attempts: 3,
        response: { error: expect.stringMatching(error), attempts: 3 },
        endedBy: "service:default/plinth",
      });
      expect((await put(ticket.requestId)).status).toBe(409);
    },
  );

  const odd: [string, string, string | null][] = [
    ["no body", "", null],
    ["no JSON", "<html>", "Its 202 had a body that is not JSON."],
    ["a list", "[1]", "Its 202 had a body that is not an object."],
    ["hookInfo that is no object", '{"hookInfo":"x"}', "Its 202 had a hookInfo that is not an object."],
    [
      "what no database keeps",
      '{"hookInfo":{"a":"\\u0000"}}',
      "Its 202 had a hookInfo with a NUL character, which can't be kept.",
    ],
    [
      "hookInfo of a hundred thousand levels",
      `{"hookInfo":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
      "Its 202 had a body that is nested deeper than 200 levels.",
    ],
    [
      "hookInfo of four thousand levels",
      `{"hookInfo":{"a":${"[".repeat(4_000)}${"]".repeat(4_000)}}}`,
      "Its 202 had a body that is nested deeper than 200 levels.",
    ],
  ];
  it.each(odd)("a 202 with %s is taken for what it is", async (...[, body, remark]) => {
    ticketing.setReply((_ticket, response) => void response.writeHead(202).end(body));
    const { request, ticket } = await asked();
    await eventually("the 202", async () => (await hookOf(request)).sentAt);
    expect(await hookOf(request)).toMatchObject({ attempts: 1, sentInfo: null, lastError: remark });
    expect((await put(ticket.requestId)).status).toBe(200);
  });

  it("an answer that comes before the 202 counts, and what the 202 says is kept", async () => {
    ticketing.setReply(
      (ticket, response) => void put(ticket.requestId).then(() => takesIn(ticket, response)),
    );
    const { request } = await asked();
    await harbour.reached(request.id, "GRANTED");
    await eventually("the 202", async () => (await hookOf(request)).sentAt);
    expect(await hookOf(request)).toMatchObject({ status: "OK", sentInfo: { ticket: "T-1" }, attempts: 1 });
  });

  it("an operator can answer in its place, the owner can't", async () => {
    const { request, ticket } = await asked();
    const path = `/hooks/${request.hooks[0].hookId}/answer`;
    const body = { status: "OK", reason: "The ticketing system is away." };
    expect((await harbour.server.builder({ method: "POST", path, body, as: "developer" })).status).toBe(403);
    expect((await harbour.server.builder({ method: "POST", path, body, as: "operator" })).status).toBe(200);
    expect((await put(ticket.requestId)).status).toBe(409);
  });
});

describe("time", () => {
  it("a hook that nobody answers ends with its action, visibly", async () => {
    const { request, ticket } = await asked();
    // Only now, because one that has expired is not sent any more.
    await sql`update hooks set expires_at = now() + interval '300 ms' where id = ${request.hooks[0].hookId}`.execute(
      harbour.server.db.database.db,
    );
    const expired = await harbour.reached(request.id, "EXPIRED");
    expect(expired.message).toBe("Nobody answered the hook tickets in time.");
    expect(await hookOf(request)).toMatchObject({ status: "KO", reason: "Nobody answered in time." });
    expect((await put(ticket.requestId)).status).toBe(409);
  });

  it("an answer after it is refused even when no worker has looked", async () => {
    const { request, ticket } = await asked();
    await eventually("the 202", async () => (await hookOf(request)).sentAt);
    // Within one statement of the answer: the worker's next round ends it.
    await sql`update hooks set expires_at = now() where id = ${request.hooks[0].hookId}`.execute(
      harbour.server.db.database.db,
    );
    const answer = await put(ticket.requestId);
    expect([answer.status, answer.body.error.code]).toEqual([409, "BUILDER_HOOK_ENDED"]);
    await harbour.reached(request.id, "EXPIRED");
  });
});

describe("access for others than the requester", () => {
  const answer = (request: any, as: "viewer" | "operator", status = "OK"): Promise<Answer> => {
    const { hookId } = request.hooks.find(({ kind }: any) => kind === "notification");
    return harbour.server.builder({ method: "POST", path: `/hooks/${hookId}/answer`, body: { status }, as });
  };

  it("waits for its owner besides the third party", async () => {
    const request = await harbour.opened({}, { as: "viewer" });
    expect(request.hooks.map(({ hookName, kind }: any) => [hookName, kind])).toEqual([
      ["tickets", "remote"],
      ["the owner", "notification"],
    ]);
    expect((await put((await ticketOf(request)).requestId)).status).toBe(200);
    expect((await harbour.read(request.id)).status).toBe("PENDING");
    expect((await answer(request, "viewer")).status).toBe(403);
    expect((await answer(request, "operator")).status).toBe(200);
    await harbour.reached(request.id, "GRANTED");
  });

  it("is refused when its owner refuses", async () => {
    const request = await harbour.opened({}, { as: "viewer" });
    // A hook that has ended is not sent any more.
    const { requestId } = await ticketOf(request);
    expect((await answer(request, "operator", "KO")).status).toBe(200);
    expect((await harbour.read(request.id)).status).toBe("REJECTED");
    const late = await put(requestId);
    expect(late.status).toBe(409);
  });
});

describe("settings that change", () => {
  it("without hooks nobody decides, so nothing is asked, unless told otherwise", async () => {
    const settings = harbour.server.config.actionHandlers.accessRequest as any;
    const hooks = settings.hooks;
    settings.hooks = [];
    const refused = await harbour.request();
    expect([refused.status, refused.body.error.code]).toEqual([409, "BUILDER_NOBODY_DECIDES"]);
    settings.approveWithoutHooks = true;
    const others = await harbour.request({}, { as: "viewer" });
    expect([others.status, others.body.error.code]).toEqual([403, "BUILDER_ACCESS_FOR_OTHERS"]);
    const request = await harbour.opened();
    Object.assign(settings, { hooks, approveWithoutHooks: false });
    expect(request.hooks).toEqual([]);
    await harbour.reached(request.id, "GRANTED");
  });

  it("a hook without a secret keeps its id only until the third party has it", async () => {
    const [settings] = hooksOfConfig();
    delete settings.secret;
    const { request, ticket } = await asked();
    await eventually("the 202", async () => (await hookOf(request)).sentAt);
    settings.secret = secret;
    expect(ticket.requestId).toMatch(/^cap_[A-Za-z0-9_-]{43}$/);
    const { rows } = await sql<{ text: string }>`select h::text as text from hooks h
      where id = ${request.hooks[0].hookId}`.execute(harbour.server.db.database.db);
    expect(rows[0]?.text).not.toContain(ticket.requestId.slice(4));
    expect((await put(ticket.requestId)).status).toBe(200);
  });

  it("another secret makes what was signed by the old one worthless", async () => {
    const { request, ticket } = await asked();
    await eventually("the 202", async () => (await hookOf(request)).sentAt);
    const [settings] = hooksOfConfig();
    settings.secret = `${secret}, another one`;
    expect((await put(ticket.requestId)).status).toBe(404);
    settings.secret = secret;
    expect((await put(ticket.requestId)).status).toBe(200);
  });
});
