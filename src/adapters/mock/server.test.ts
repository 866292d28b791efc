import { SignJWT } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import type { MockAdapter, MockAdapterOptions } from "./server.ts";
import { startMockAdapter } from "./server.ts";

const running: MockAdapter[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((adapter) => adapter.close()));
});

async function start(options: MockAdapterOptions = {}) {
  const adapter = await startMockAdapter(options);
  running.push(adapter);
  return adapter;
}

const descriptor = (id: string, mock?: object) =>
  `dataProduct:\n  id: u\n  components:\n    - id: ${id}\n      specific: ${JSON.stringify({ mock })}\ncomponentIdToProvision: ${id}\n`;

interface Sent {
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

async function send(adapter: MockAdapter, sent: Sent) {
  const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
  const method = sent.method ?? (sent.body === undefined ? "GET" : "POST");
  const response = await fetch(adapter.url + sent.path, { method, ...body, headers: sent.headers ?? {} });
  const text = await response.text();
  return { status: response.status, text, json: (): any => JSON.parse(text) };
}

const provision = (adapter: MockAdapter, body: unknown, key?: string) =>
  send(adapter, {
    path: "/v1/provision",
    body,
    headers: key === undefined ? {} : { "idempotency-key": key },
  });

const request = (id: string, mock?: object) => ({
  descriptorKind: "COMPONENT_DESCRIPTOR",
  descriptor: descriptor(id, mock),
  removeData: false,
});

describe("provisioning", () => {
  it("is synchronous by default and gives info", async () => {
    const adapter = await start();
    const answer = await provision(adapter, request("c1"));
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      status: "COMPLETED",
      info: { publicInfo: { mock: { value: "c1" } } },
      logs: [{ level: "INFO", phase: "mock" }],
    });
  });

  it("runs for as many polls as requested, with a growing log", async () => {
    const adapter = await start();
    const { status, text: token } = await provision(
      adapter,
      request("c1", { mode: "async", runningPolls: 2 }),
    );
    expect(status).toBe(202);
    const seen = [];
    for (let n = 0; n < 4; n++) {
      const { status: state, logs } = (await send(adapter, { path: `/v1/provision/${token}/status` })).json();
      seen.push([state, logs.length]);
    }
    expect(seen).toEqual([
      ["RUNNING", 1],
      ["RUNNING", 2],
      ["COMPLETED", 3],
      ["COMPLETED", 4],
    ]);
  });

  it.each([
    [{ fail: "status" }, 200, "FAILED"],
    [{ outcome: "TERMINATED" }, 200, "TERMINATED"],
    [{ fail: "400" }, 400, undefined],
    [{ operations: { provision: { fail: "500" }, unprovision: { fail: "400" } } }, 500, undefined],
  ])("fails by wish %j", async (mock, status, state) => {
    const answer = await provision(await start(), request("c1", mock));
    expect([answer.status, answer.json().status]).toEqual([status, state]);
  });

  it("lets tests overrule the descriptor, and both the default", async () => {
    const adapter = await start();
    const body = { default: { fail: "500" }, components: { c2: { fail: "422" } } };
    await send(adapter, { method: "PUT", path: "/_mock/behaviours", body });
    const statuses = [];
    for (const id of ["c0", "c2"]) statuses.push((await provision(adapter, request(id))).status);
    statuses.push((await provision(adapter, request("c2", { fail: "400" }))).status);
    statuses.push((await provision(adapter, request("c3", { odd: {} }))).status);
    expect(statuses).toEqual([500, 422, 422, 200]);
  });

  it("names every wish that is wrong", async () => {
    const adapter = await start();
    const body = {
      default: { mode: "x", odd: { later: "500" } },
      components: { c: { delayMs: -1, operations: { fly: {} } } },
    };
    const answer = await send(adapter, { method: "PUT", path: "/_mock/behaviours", body });
    expect(answer.status).toBe(400);
    expect(answer.json().errors).toHaveLength(4);
    const verdict = await send(adapter, { path: "/v1/validate", body: request("c1", { colour: "red" }) });
    expect(verdict.json()).toEqual({
      valid: false,
      error: { errors: ["/specific/mock/colour is not a behaviour of the mock"] },
    });
  });

  it.each([["not json"], [{}], [{ descriptor: 7 }], [{ descriptor: "[}" }], [[]]])(
    "refuses %j",
    async (body) => {
      const adapter = await start();
      expect((await provision(adapter, body)).status).toBe(400);
      expect(adapter.effects().filter(({ acted }) => acted > 0)).toEqual([]);
    },
  );

  it("refuses what breaks off, is of no known kind, or names a component that it does not hold", async () => {
    const adapter = await start();
    const post = (body: string) => fetch(`${adapter.url}/v1/provision`, { method: "POST", body });
    const good = request("c1");
    const odd = [
      JSON.stringify(good).slice(0, -1),
      JSON.stringify({ ...good, descriptorKind: "OTHER" }),
      JSON.stringify({ ...good, removeData: "yes" }),
      JSON.stringify({ ...good, descriptor: good.descriptor.replace(/c1\n$/, "c2\n") }),
    ];
    expect(await Promise.all(odd.map(async (body) => (await post(body)).status))).toEqual([
      400, 400, 400, 400,
    ]);
    expect((await post(JSON.stringify(good))).status).toBe(200);
  });
});

describe("the ledger", () => {
  it("acts once for each idempotency key and answers repeats the same", async () => {
    const adapter = await start();
    const first = await provision(adapter, request("c1", { mode: "async" }), "plan:task:PROVISION");
    const second = await provision(adapter, request("c1", { mode: "async" }), "plan:task:PROVISION");
    const other = await provision(adapter, request("c1", { mode: "async" }), "plan:task:UNPROVISION");
    expect(second.text).toBe(first.text);
    expect(other.text).not.toBe(first.text);
    expect(adapter.effects()).toEqual([
      {
        componentId: "c1",
        operation: "provision",
        acted: 2,
        repeats: 1,
        keys: ["plan:task:PROVISION", "plan:task:UNPROVISION"],
      },
    ]);
  });

  it("answers a repeat during the work when the work is done", async () => {
    const adapter = await start();
    const answered: string[] = [];
    const call = async (name: string) => {
      const answer = await provision(adapter, request("c1", { delayMs: 2_000 }), "k");
      answered.push(name);
      return answer.text;
    };
    const first = call("first");
    await expect.poll(() => adapter.journal().length).toBe(1);
    const repeat = call("repeat");
    await expect.poll(() => adapter.journal().length).toBe(2);
    expect(answered).toEqual([]);
    expect(await repeat).toBe(await first);
    expect(adapter.effects()[0]).toMatchObject({ acted: 1, repeats: 1 });
  });

  it("shows a repeat with another body", async () => {
    const adapter = await start();
    await provision(adapter, request("c1"), "k");
    await provision(adapter, { ...request("c1"), removeData: true }, "k");
    expect(adapter.journal().map((entry) => [entry.acted, entry.repeat, entry.otherBody])).toEqual([
      [true, false, false],
      [false, true, true],
    ]);
  });

  it("tells a connection cut before the work from one cut after it", async () => {
    const adapter = await start();
    const cut = (name: string) => ({ odd: { start: { name, times: 1 } } });
    for (const name of ["reset-before", "reset-after"]) {
      await expect(provision(adapter, request(name, cut(name)), name)).rejects.toThrow();
      expect((await provision(adapter, request(name, cut(name)), name)).status).toBe(200);
    }
    expect(adapter.journal().map((entry) => [entry.componentId, entry.acted, entry.repeat])).toEqual([
      ["reset-before", false, false],
      ["reset-before", true, false],
      ["reset-after", true, false],
      ["reset-after", false, true],
    ]);
  });

  it("keeps sequence, key, trace, hash and operation of every call, and filters them", async () => {
    const adapter = await start();
    const headers = { "idempotency-key": "k", traceparent: "00-a-b-01" };
    const { text } = await send(adapter, {
      path: "/v1/provision",
      body: request("c1", { mode: "async" }),
      headers,
    });
    await send(adapter, { path: `/v1/provision/${text}/status`, headers });
    await send(adapter, { path: "/nowhere" });
    const all = (await send(adapter, { path: "/_mock/journal" })).json();
    expect(all).toMatchObject([
      {
        sequence: 1,
        operation: "provision",
        componentId: "c1",
        idempotencyKey: "k",
        traceparent: "00-a-b-01",
        token: text,
      },
      { sequence: 2, operation: "poll", componentId: "c1", acted: false, bodyHash: null },
      { sequence: 3, operation: "other" },
    ]);
    expect(all[0].bodyHash).toMatch(/^[0-9a-f]{64}$/);
    const polls = (
      await send(adapter, { path: "/_mock/journal?operation=poll&component=c1&after=1" })
    ).json();
    expect(polls).toHaveLength(1);
    await send(adapter, { method: "DELETE", path: "/_mock/journal" });
    expect((await send(adapter, { path: "/_mock/effects" })).json()).toEqual([]);
  });
});

describe("the other operations", () => {
  it("leaves what has ended as it ended when a termination comes too late", async () => {
    const adapter = await start();
    const { text } = await provision(adapter, request("c1", { mode: "async", runningPolls: 0 }));
    const path = `/v1/provision/${text}`;
    const states = [
      (await send(adapter, { path: `${path}/status` })).json().status,
      (await send(adapter, { method: "DELETE", path })).json().status,
      (await send(adapter, { path: `${path}/status` })).json().status,
    ];
    expect(states).toEqual(["COMPLETED", "COMPLETED", "COMPLETED"]);
  });

  it("terminates at once, by and by, not at all, or cannot", async () => {
    const adapter = await start();
    const outcomes: Record<string, unknown[]> = {};
    for (const how of ["final", "accepted", "unsupported", "error", "never"]) {
      const mock = { mode: "async", terminate: how, runningPolls: 9 };
      const { text } = await provision(adapter, request(how, mock));
      const ended = await send(adapter, { method: "DELETE", path: `/v1/provision/${text}` });
      const states: unknown[] = [ended.status];
      for (let n = 0; n < 3; n++)
        states.push((await send(adapter, { path: `/v1/provision/${text}/status` })).json().status);
      outcomes[how] = states;
    }
    expect(outcomes).toEqual({
      final: [200, "TERMINATED", "TERMINATED", "TERMINATED"],
      accepted: [202, "TERMINATING", "TERMINATED", "TERMINATED"],
      unsupported: [501, "RUNNING", "RUNNING", "RUNNING"],
      error: [500, "RUNNING", "RUNNING", "RUNNING"],
      never: [202, "TERMINATING", "TERMINATING", "TERMINATING"],
    });
  });

  it("knows access control, reverse provisioning and both validations", async () => {
    const adapter = await start();
    const acl = {
      refs: ["user:a"],
      provisionInfo: {
        request: JSON.stringify({
          dataProduct: { components: [{ id: "c9" }] },
          componentIdToProvision: "c9",
        }),
        result: "",
      },
    };
    expect((await send(adapter, { path: "/v1/updateacl", body: acl })).json().status).toBe("COMPLETED");
    expect((await send(adapter, { path: "/v1/updateacl", body: { refs: "x" } })).status).toBe(400);
    const reverse = { useCaseTemplateId: "urn:t", environment: "development" };
    const found = (await send(adapter, { path: "/v1/reverse-provisioning", body: reverse })).json();
    expect(found).toMatchObject({ status: "COMPLETED", updates: {} });
    adapter.setBehaviours({
      components: { c1: { mode: "async", runningPolls: 0, validationErrors: ["no name"] } },
    });
    const { text } = await send(adapter, { path: "/v2/validate", body: request("c1") });
    const status = (await send(adapter, { path: `/v2/validate/${text}/status` })).json();
    expect([status.status, JSON.parse(status.result)]).toEqual([
      "FAILED",
      { valid: false, error: { errors: ["no name"] } },
    ]);
    expect((await send(adapter, { path: "/v1/validate", body: request("c1") })).json().valid).toBe(false);
    expect(adapter.journal().map((entry) => entry.componentId)).toContain("c9");
  });

  it("forgets its tokens like a restart does", async () => {
    const adapter = await start();
    const { text } = await provision(adapter, request("c1", { mode: "async" }), "k");
    await send(adapter, { method: "DELETE", path: "/_mock/tasks" });
    expect((await send(adapter, { path: `/v1/provision/${text}/status` })).status).toBe(404);
  });
});

it("lets in the raw secret and tokens signed with it, nobody else", async () => {
  const adapter = await start({ secret: "shared" });
  const signed = (key: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1m")
      .sign(new TextEncoder().encode(key));
  const statuses = [];
  for (const bearer of [
    "shared",
    await signed("shared"),
    await signed("shared"),
    "other",
    await signed("other"),
    "a.b.c",
    "",
  ]) {
    statuses.push(
      (await send(adapter, { path: "/_mock/effects", headers: { authorization: `Bearer ${bearer}` } }))
        .status,
    );
  }
  statuses.push((await send(adapter, { path: "/v1/validate", body: {} })).status);
  expect(statuses).toEqual([200, 200, 200, 401, 401, 401, 401, 401]);
});

it("answers a probe of its health, which has no credentials", async () => {
  const adapter = await start({ secret: "shared" });
  expect((await send(adapter, { path: "/healthz" })).status).toBe(200);
  expect((await send(adapter, { path: "/healthz/more" })).status).toBe(401);
});
