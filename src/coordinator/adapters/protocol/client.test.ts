/** How the client calls: addresses, headers, faults of the connection, authorization. */
import { once } from "node:events";
import { createServer } from "node:http";
import { jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRequested } from "../../../adapters/mock/behaviour.ts";
import type { MockAdapter } from "../../../adapters/mock/server.ts";
import { startMockAdapter } from "../../../adapters/mock/server.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createAuthorization } from "./authorization.ts";
import { createAdapterClient } from "./client.ts";
import { bodies, callTo, clientOf, componentBody, openOutbound } from "./client-fixtures.ts";

let adapter: MockAdapter;
let outbound: Outbound;

beforeAll(async () => {
  adapter = await startMockAdapter();
  outbound = openOutbound();
});

afterAll(async () => {
  await outbound.close();
  await adapter.close();
});

const client = () => clientOf(outbound);

/** Every component behaves so from now on. */
function behave(requested: object): void {
  const { requested: read, problems } = readRequested(requested, "");
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  adapter.setBehaviours({ default: read });
}

describe("the call itself", () => {
  it("carries key and trace, below any prefix, and is the same when repeated", async () => {
    behave({ mode: "async" });
    adapter.clearJournal();
    const call = callTo(`${adapter.url}//`, { idempotencyKey: "plan:tâsk 1:PROVISION" });
    const first = await client().start(call, "provision", bodies.provision);
    expect(await client().start(call, "provision", bodies.provision)).toEqual(first);
    const [one, two] = adapter.journal();
    expect(one).toMatchObject({
      path: "/v1/provision",
      componentId: "c",
      idempotencyKey: "plan%3At%C3%A2sk%201%3APROVISION",
      traceparent: call.traceparent,
      acted: true,
    });
    expect(two).toMatchObject({ acted: false, repeat: true, otherBody: false, bodyHash: one?.bodyHash });
  });

  it("puts any token into the path as one segment", async () => {
    adapter.clearJournal();
    const call = callTo(adapter.url);
    for (const token of ["a/b?c#d", "ü $&%2F", "..."]) {
      expect(await client().poll(call, token, "provision")).toMatchObject({ type: "token-unknown" });
    }
    expect(adapter.journal().map((entry) => entry.token)).toEqual(["a/b?c#d", "ü $&%2F", "..."]);
  });

  it("is not made to an address or with a token that would change the path", async () => {
    const calls = [
      client().poll(callTo(adapter.url), "..", "provision"),
      client().terminate(callTo(adapter.url), ""),
      client().start(callTo(`${adapter.url}?x=`), "provision", "{}"),
      client().start(callTo("http://169.254.169.254"), "provision", "{}"),
    ];
    for (const answer of await Promise.all(calls)) {
      expect(answer).toMatchObject({
        type: "fault",
        reason: "refused_by_policy",
        requestSent: false,
        retryable: false,
      });
    }
    expect(await client().start(callTo("not a url"), "provision", "{}")).toMatchObject({
      type: "fault",
      reason: "malformed_url",
      requestSent: false,
      retryable: false,
    });
  });

  it("tells a call that cannot have arrived from one that may have", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const closed = await client().start(callTo(`http://127.0.0.1:${port}`), "provision", "{}");
    expect(closed).toMatchObject({ type: "fault", reason: "connect", requestSent: false, retryable: true });
    const stop = new AbortController();
    behave({ delayMs: 600_000 });
    adapter.clearJournal();
    const stopped = client().start(
      callTo(adapter.url, { signal: stop.signal }),
      "provision",
      bodies.provision,
    );
    await expect.poll(() => adapter.journal().length).toBe(1);
    stop.abort();
    expect(await stopped).toMatchObject({
      type: "fault",
      reason: "aborted",
      requestSent: true,
      retryable: false,
    });
  });
});

describe("authorization", () => {
  const signing = (secrets: readonly (string | undefined)[]) =>
    createAdapterClient({ outbound, now: () => new Date(), secrets: () => secrets });

  it("is with the new secret, and with that of before only where the adapter has no other one yet", async () => {
    const authorizations: string[] = [];
    const withOld = createServer((request, response) => {
      const { authorization = "" } = request.headers;
      authorizations.push(authorization);
      const bearer = authorization.replace("Bearer ", "");
      const isGood = jwtVerify(bearer, new TextEncoder().encode("old")).then(
        () => true,
        () => false,
      );
      void isGood.then((good) => response.writeHead(good ? 200 : 401).end('{"valid":true}'));
    }).listen(0, "127.0.0.1");
    await once(withOld, "listening");
    const { port } = withOld.address() as { port: number };
    const both = signing(["new", "old"]);
    const types = [];
    for (const each of [signing(["new"]), both, both])
      types.push((await each.validate(callTo(`http://127.0.0.1:${port}`), componentBody)).type);
    withOld.close();
    expect(types).toEqual(["refused", "validated", "validated"]);
    expect(authorizations).toHaveLength(5);
    const withNew = await startMockAdapter({ secret: "new" });
    withNew.clearJournal();
    expect(await both.validate(callTo(withNew.url), componentBody)).toMatchObject({ type: "validated" });
    expect(withNew.journal()).toHaveLength(1);
    await withNew.close();
  });

  it("reaches an adapter that changes its secret between two attempts", async () => {
    let takes = "old";
    const changing = createServer(({ headers }, response) => {
      const bearer = headers.authorization?.replace("Bearer ", "") ?? "";
      void jwtVerify(bearer, new TextEncoder().encode(takes)).then(
        () => response.writeHead(200).end('{"valid":true}'),
        () => {
          takes = "new";
          response.writeHead(401).end();
        },
      );
    }).listen(0, "127.0.0.1");
    await once(changing, "listening");
    const { port } = changing.address() as { port: number };
    try {
      const answer = await signing(["new", "old"]).validate(
        callTo(`http://127.0.0.1:${port}`),
        componentBody,
      );
      expect(answer).toMatchObject({ type: "validated" });
    } finally {
      changing.close();
    }
  });

  it("follows the secrets of the moment", async () => {
    const guarded = await startMockAdapter({ secret: ["new", "old"] });
    const secrets = ["old"];
    const follower = signing(secrets);
    const types = [];
    for (const secret of ["old", "neither", "new"]) {
      secrets[0] = secret;
      types.push((await follower.validate(callTo(guarded.url), componentBody)).type);
    }
    await guarded.close();
    expect(types).toEqual(["validated", "refused", "validated"]);
  });

  it("is a signed token that an adapter with the same secret takes, and no other", async () => {
    const guarded = await startMockAdapter({ secret: "shared" });
    const results = [];
    for (const secret of ["shared", "other", "", undefined]) {
      const answer = await signing([secret]).validate(callTo(guarded.url), componentBody);
      results.push(answer.type);
    }
    await guarded.close();
    expect(results).toEqual(["validated", "refused", "refused", "refused"]);
  });

  it("is made once and again shortly before it expires, also when the clock is set back", async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const authorization = createAuthorization("shared", () => new Date(nowMs));
    const [first, same] = await Promise.all([authorization.header(), authorization.header()]);
    expect(same).toBe(first);
    nowMs += 479_000;
    expect(authorization.header()).toBe(first);
    nowMs += 2_000;
    const second = await authorization.header();
    expect(second).not.toBe(first);
    nowMs -= 600_000;
    expect(await authorization.header()).not.toBe(second);
    const key = new TextEncoder().encode("shared");
    const { payload } = await jwtVerify(first.replace("Bearer ", ""), key, {
      currentDate: new Date(Date.UTC(2026, 0, 1)),
    });
    expect(payload).toEqual({ sub: "plinth-coordinator", iat: 1_767_225_600, exp: 1_767_226_200 });
  });

  it("does not come back out of what an adapter echoes", async () => {
    const echo = createServer((request, response) => {
      response
        .writeHead(400)
        .end(JSON.stringify({ errors: [`${request.headers.authorization} and top-secret`] }));
    }).listen(0, "127.0.0.1");
    await once(echo, "listening");
    const address = echo.address();
    const port = typeof address === "object" ? address?.port : 0;
    const answer = await signing(["other", "top-secret"]).start(
      callTo(`http://127.0.0.1:${port}`),
      "provision",
      "{}",
    );
    expect(answer).toMatchObject({ type: "refused", problems: ["Bearer *** and ***"] });
    echo.closeAllConnections();
    echo.close();
  });
});
