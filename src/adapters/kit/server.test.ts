import { connect } from "node:net";

import { SignJWT } from "jose";
import { afterEach, expect, test } from "vitest";

import { Failure } from "../../platform/errors/failure.ts";
import type { AdapterHandlers, CallContext, ProvisionCall } from "./protocol.ts";
import { createAdapterServer } from "./server.ts";
import type { AdapterServerOptions } from "./server.ts";

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const descriptor =
  "dataProduct:\n  id: u\n  components:\n    - {id: 'urn:a', components: [{id: 'urn:a:sub'}]}\n";
const body = (id = "urn:a", more: object = {}): object => ({
  descriptorKind: "COMPONENT_DESCRIPTOR",
  descriptor: `${descriptor}componentIdToProvision: ${id}\n`,
  removeData: false,
  ...more,
});

interface Answer {
  status: number;
  json: any;
}

async function serve(handlers: Partial<AdapterHandlers>, options: Partial<AdapterServerOptions> = {}) {
  const server = createAdapterServer({
    name: "test",
    closeGraceMs: 50,
    ...options,
    handlers: {
      validate: async () => [],
      provision: async () => ({ result: "made" }),
      unprovision: async () => ({ result: "gone" }),
      updateAcl: async () => ({ result: "granted" }),
      ...handlers,
    },
  });
  const url = await server.listen({ port: 0 });
  open.push(() => server.close());
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    return { status: response.status, json: await response.json() };
  };
  const post = (path: string, sent: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    send(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof sent === "string" ? sent : JSON.stringify(sent),
    });
  const get = (path: string): Promise<Answer> => send(path, {});
  const remove = (path: string): Promise<Answer> => send(path, { method: "DELETE" });
  const status = async (token: string, until: (answer: any) => boolean): Promise<any> => {
    for (;;) {
      const answer = await get(`/v1/provision/${token}/status`);
      if (until(answer.json)) return answer.json;
    }
  };
  return { post, get, remove, status, server, url };
}

test("a synchronous provision answers the status object with info and logs", async () => {
  const seen: ProvisionCall[] = [];
  const { post } = await serve({
    provision: async (request, context) => {
      seen.push(request);
      context.log("INFO", "table made", "create");
      return { result: "made", info: { publicInfo: { table: "t" } } };
    },
  });
  const answer = await post("/v1/provision", body("URN:A:sub", { latestEnrichedDescriptor: descriptor }));
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({
    status: "COMPLETED",
    result: "made",
    info: { publicInfo: { table: "t" } },
    logs: [{ level: "INFO", message: "table made", phase: "create", timestamp: expect.any(String) }],
  });
  expect(seen[0]).toMatchObject({
    pointer: "/components/0/components/0",
    latest: { id: "u" },
    removeData: false,
  });
});

const refusal = (): Failure =>
  new Failure({
    kind: "invalid",
    code: "X",
    message: "No.",
    problems: [
      { where: "/a", message: "is wrong", solution: "Mend it." },
      { where: "/b", message: "too" },
    ],
    input: "abc",
  });

test("a refusal is 400 with every problem; a defect is 500 without its text", async () => {
  const { post } = await serve({
    provision: async () => {
      throw refusal();
    },
    unprovision: async () => {
      throw new Error("SELECT secret FROM x");
    },
  });
  expect(await post("/v1/provision", body())).toEqual({
    status: 400,
    json: {
      errors: ["/a: is wrong", "/b: too"],
      userMessage: "No.",
      input: "abc",
      inputErrorField: "/a",
      moreInfo: { problems: ["/a: is wrong", "/b: too"], solutions: ["Mend it."] },
    },
  });
  const defect = await post("/v1/unprovision", body());
  expect(defect.status).toBe(500);
  expect(JSON.stringify(defect.json)).not.toContain("SELECT");
});

test("a repeated idempotency key gives the same answer and one effect", async () => {
  let runs = 0;
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { post } = await serve({
    provision: async () => {
      runs += 1;
      await gate;
      return { result: `run ${runs}` };
    },
  });
  const key = { "idempotency-key": "p:t:PROVISION" };
  const both = Promise.all([post("/v1/provision", body(), key), post("/v1/provision", body(), key)]);
  release();
  const [first, second] = await both;
  const third = await post("/v1/provision", body(), key);
  expect(first.json.result).toBe("run 1");
  expect(second).toEqual(first);
  expect(third).toEqual(first);
  expect(runs).toBe(1);
  expect((await post("/v1/provision", body("urn:a:sub"), key)).status).toBe(409);
});

test("a key is kept for a refusal and forgotten for a passing failure", async () => {
  let runs = 0;
  let failure: unknown = new Error("connection lost");
  const { post } = await serve({
    provision: async () => {
      runs += 1;
      if (failure) throw failure;
      return { result: "made" };
    },
  });
  const key = { "idempotency-key": "k" };
  expect((await post("/v1/provision", body(), key)).status).toBe(500);
  failure = refusal();
  expect((await post("/v1/provision", body(), key)).status).toBe(400);
  failure = undefined;
  expect((await post("/v1/provision", body(), key)).status).toBe(400);
  expect(runs).toBe(2);
});

test("asynchronous calls answer a token, once per key, and polling ends in the outcome", async () => {
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { post, status } = await serve(
    {
      provision: async () => {
        await gate;
        return { result: "made" };
      },
      updateAcl: async () => {
        throw refusal();
      },
    },
    { async: true },
  );
  const key = { "idempotency-key": "k" };
  const first = await post("/v1/provision", body(), key);
  expect(first).toEqual({ status: 202, json: expect.any(String) });
  expect((await post("/v1/provision", body(), key)).json).toBe(first.json);
  expect((await status(first.json, () => true)).status).toBe("RUNNING");
  release();
  expect((await status(first.json, (s) => s.status !== "RUNNING")).result).toBe("made");
  expect((await post("/v1/provision", body(), key)).json).toBe(first.json);

  const request = JSON.stringify({
    dataProduct: { components: [{ id: "urn:a" }] },
    componentIdToProvision: "urn:a",
  });
  const acl = await post("/v1/updateacl", {
    refs: ["user:ada"],
    provisionInfo: { request, result: "" },
  });
  const failed = await status(acl.json, (s) => s.status !== "RUNNING");
  expect(failed).toMatchObject({
    status: "FAILED",
    result: "No. /a: is wrong /b: too\nWhat to do: Mend it.",
    info: null,
  });
  expect(failed.logs.map((entry: any) => entry.level)).toContain("ERROR");
});

test("the mixed mode answers at once what is quick and gives a token for what is slow", async () => {
  let release: () => void = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const { post, status } = await serve(
    { unprovision: async () => gate.then(() => ({ result: "gone" })) },
    { async: { afterMs: 30 } },
  );
  expect((await post("/v1/provision", body())).status).toBe(200);
  const slow = await post("/v1/unprovision", body());
  expect(slow.status).toBe(202);
  release();
  expect((await status(slow.json, (s) => s.status !== "RUNNING")).status).toBe("COMPLETED");
});

const untilAborted = (_call: unknown, { signal }: Pick<CallContext, "signal">): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
  });

test("termination aborts the operation, is repeatable, and is 501 without a handler", async () => {
  const { post, remove } = await serve(
    { provision: untilAborted, terminate: async () => {} },
    { async: true },
  );
  const { json: token } = await post("/v1/provision", body());
  const stopped = await remove(`/v1/provision/${token}`);
  expect(stopped).toMatchObject({ status: 200, json: { status: "TERMINATED" } });
  expect(await remove(`/v1/provision/${token}`)).toEqual(stopped);
  expect((await remove("/v1/provision/unknown")).status).toBe(400);

  const other = await serve({ provision: untilAborted }, { async: true });
  const { json: second } = await other.post("/v1/provision", body());
  expect((await other.remove(`/v1/provision/${second}`)).status).toBe(501);
});

test("close aborts what is still running and ends", async () => {
  let began = false;
  const provision = (call: unknown, context: CallContext): Promise<never> => {
    began = true;
    return untilAborted(call, context);
  };
  const { post, server } = await serve({ provision });
  const pending = post("/v1/provision", body());
  await expect.poll(() => began).toBe(true);
  await server.close();
  expect((await pending).status).toBe(503);
});

test("the secret is accepted raw and as the key of an HS256 token, nothing else", async () => {
  const secret = "s3cret";
  const { post, get } = await serve({}, { secret });
  const sign = (key: string, expires = "1m"): Promise<string> =>
    new SignJWT({ sub: "plinth-coordinator" })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime(expires)
      .sign(new TextEncoder().encode(key));
  const none = `${btoa('{"alg":"none"}')}.${btoa("{}")}.`.replaceAll("=", "");
  const statusFor = async (authorization: string | undefined): Promise<number> =>
    (await post("/v1/provision", body(), authorization === undefined ? {} : { authorization })).status;
  expect(await statusFor(`Bearer ${secret}`)).toBe(200);
  expect(await statusFor(`bearer ${await sign(secret)}`)).toBe(200);
  expect(await statusFor(undefined)).toBe(401);
  expect(await statusFor("Bearer s3cre")).toBe(401);
  expect(await statusFor(`Basic ${secret}`)).toBe(401);
  expect(await statusFor(`Bearer ${await sign("other")}`)).toBe(401);
  expect(await statusFor(`Bearer ${await sign(secret, "-5m")}`)).toBe(401);
  expect(await statusFor(`Bearer ${none}`)).toBe(401);
  expect((await get("/healthz")).status).toBe(200);
});

test("while the secret is changed both are accepted, in either form", async () => {
  const { post } = await serve({}, { secret: ["new", "", "old"] });
  const statusFor = async (authorization: string) =>
    (await post("/v1/provision", body(), { authorization })).status;
  const sign = (key: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("5m")
      .sign(new TextEncoder().encode(key));
  for (const secret of ["new", "old"])
    for (const bearer of [secret, await sign(secret)]) expect(await statusFor(`Bearer ${bearer}`)).toBe(200);
  for (const bearer of ["newer", await sign("older")]) expect(await statusFor(`Bearer ${bearer}`)).toBe(401);
});

test("beyond loopback a secret is needed", async () => {
  const { server } = await serve({});
  await expect(server.listen({ host: "0.0.0.0", port: 0 })).rejects.toThrow("secret");
});

const bad: Array<[string, string, unknown, number, RegExp]> = [
  ["no JSON", "/v1/provision", "{", 400, /not readable JSON/],
  ["a list", "/v1/provision", [], 400, /must be a JSON object/],
  ["nothing in it", "/v1/provision", {}, 400, /descriptorKind.*\/descriptor: /],
  ["no YAML", "/v1/provision", { ...body(), descriptor: "a: [" }, 400, /line \d+, column \d+/],
  ["unknown component", "/v1/provision", body("urn:zzz"), 400, /no component has the id urn:zzz/],
  ["bad removeData", "/v1/unprovision", body("urn:a", { removeData: "yes" }), 400, /removeData/],
  ["bad refs", "/v1/updateacl", { refs: ["ada", 3] }, 400, /\/refs\/0.*\/refs\/1.*provisionInfo\/request/],
  ["no reverse handler", "/v1/reverse-provisioning", {}, 404, /not part of/],
  ["unknown path", "/v3/x", {}, 404, /not part of/],
  ["too large", "/v1/provision", { descriptor: "x".repeat(3000) }, 413, /too large/],
];
test.each(bad)("bad input: %s", async (...row) => {
  const [, path, sent, status, text] = row;
  const { post } = await serve({}, { bodyLimitBytes: 2000 });
  const answer = await post(path, sent);
  expect(answer.status).toBe(status);
  expect(answer.json.errors.join(" ")).toMatch(text);
});

test("alias bombs and deep nesting are refused", async () => {
  const levels = Array.from(
    { length: 9 },
    (_, i) => `l${i + 1}: &l${i + 1} [${"*l".concat(`${i},`).repeat(9)}]`,
  );
  const bomb = ["l0: &l0 [x]", ...levels].join("\n");
  const { post } = await serve({});
  for (const text of [bomb, "[".repeat(500)]) {
    const answer = await post("/v1/provision", {
      descriptorKind: "COMPONENT_DESCRIPTOR",
      descriptor: text,
    });
    expect(answer.status).toBe(400);
  }
});

test("validation answers 200 with all problems, also for unreadable descriptors, and polls in version 2", async () => {
  const { post, get } = await serve({
    validate: async () => [
      { where: "/a", message: "one" },
      { where: "/b", message: "two" },
    ],
  });
  const invalid = { valid: false, error: { errors: ["/a: one", "/b: two"] } };
  expect(await post("/v1/validate", body())).toEqual({ status: 200, json: invalid });
  const solved = await serve({
    validate: async () => [
      { where: "/a", message: "one", solution: "Mend it." },
      { where: "", message: "two", solution: "Mend it." },
    ],
  });
  expect((await solved.post("/v1/validate", body())).json).toEqual({
    valid: false,
    error: {
      errors: ["/a: one", "two"],
      moreInfo: { problems: ["/a: one", "two"], solutions: ["Mend it."] },
    },
  });
  const unreadable = await post("/v1/validate", { ...body(), descriptor: "" });
  expect(unreadable).toMatchObject({ status: 200, json: { valid: false } });
  const { status, json: token } = await post("/v2/validate", body());
  expect(status).toBe(202);
  await expect
    .poll(async () => (await get(`/v2/validate/${token}/status`)).json)
    .toMatchObject({ status: "COMPLETED", result: invalid });
  expect((await get(`/v1/provision/${token}/status`)).status).toBe(400);
});

test("a validation is told when its caller has gone, and not when it was answered", async () => {
  const signals: AbortSignal[] = [];
  const { post, url } = await serve({
    validate: (call, { signal }) => {
      signals.push(signal);
      return call.pointer === "/components/0" ? Promise.resolve([]) : untilAborted(call, { signal });
    },
  });
  expect((await post("/v1/validate", body())).status).toBe(200);
  const caller = connect(Number(new URL(url).port), "127.0.0.1");
  const text = JSON.stringify(body("urn:a:sub"));
  caller.write(
    `POST /v1/validate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
  );
  await expect.poll(() => signals.length).toBe(2);
  expect(signals[1]?.aborted).toBe(false);
  caller.destroy();
  await expect.poll(() => signals[1]?.aborted).toBe(true);
  expect(signals[0]?.aborted).toBe(false);
});

test("reverse provisioning answers status, updates and logs", async () => {
  const { post } = await serve({
    reverseProvision: async (request) => ({ updates: { seen: request.params } }),
  });
  const good = { useCaseTemplateId: "urn:t", environment: "development", params: { schema: "s" } };
  expect(await post("/v1/reverse-provisioning", good)).toEqual({
    status: 200,
    json: { status: "COMPLETED", updates: { seen: { schema: "s" } }, logs: [] },
  });
  expect((await post("/v1/reverse-provisioning", { params: [] })).json.errors).toHaveLength(3);
});

test("what an adapter leaves out is answered 404, and termination without its handler 501", async () => {
  const server = createAdapterServer({
    name: "least",
    async: true,
    closeGraceMs: 50,
    handlers: {
      validate: async () => [],
      provision: (_call, { signal }) =>
        new Promise((_done, fail) => signal.addEventListener("abort", () => fail(new Error("stopped")))),
      unprovision: async () => ({ result: "gone" }),
    },
  });
  const url = await server.listen({ port: 0 });
  open.push(() => server.close());
  const call = async (method: string, path: string, sent?: object): Promise<Answer> => {
    const headers = { "content-type": "application/json" };
    const init = sent === undefined ? { method } : { method, headers, body: JSON.stringify(sent) };
    const response = await fetch(url + path, init);
    return { status: response.status, json: await response.json() };
  };
  expect((await call("POST", "/v1/updateacl", { refs: [] })).status).toBe(404);
  expect((await call("POST", "/v1/reverse-provisioning", {})).status).toBe(404);
  const { json: token } = await call("POST", "/v1/provision", body());
  expect((await call("DELETE", `/v1/provision/${token}`)).status).toBe(501);
});
