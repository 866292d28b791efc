import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { sendRaw, startTestServer, testArea, type RunningServer } from "../../../../test/support/http.ts";
import { Failure } from "../../errors/failure.ts";
import type { Actor } from "../../lib/actor.ts";
import { route } from "../operation.ts";

const callers: Record<string, Actor> = {
  "Bearer right": { ref: "service:default/right", roles: ["viewer"], provider: "service" },
  "Bearer early": { ref: "service:default/early", roles: ["viewer"], provider: "service" },
};
const nobody = (): Failure =>
  new Failure({ kind: "unauthenticated", code: "TEST_NOBODY", message: "Unknown token." });

/** Refuses the fourth of anything within a minute. */
const start = async (isAsync: boolean): Promise<RunningServer & { asked: string[] }> => {
  const asked: string[] = [];
  const check = (authorization = ""): Actor => {
    asked.push(authorization);
    const actor = callers[authorization];
    if (actor === undefined) throw nobody();
    return actor;
  };
  const server = await startTestServer(
    [
      testArea((app) => {
        const read = { summary: "What it is", response: { 200: Type.String() }, method: "GET" } as const;
        route(app, { ...read, id: "read", path: "/things", rule: "read", handler: () => "thing" });
        route(app, {
          ...read,
          id: "who",
          path: "/who",
          rule: "who",
          readsCaller: true,
          handler: ({ actor }) => actor.ref,
        });
      }),
    ],
    {
      server: { rateLimitPerMinute: 3, trustProxy: true },
      access: {
        authenticate: ({ authorization }) =>
          isAsync ? Promise.resolve(authorization).then(check) : check(authorization),
        authorize: () => undefined,
        hasRule: () => true,
        isPublic: (rule) => rule === "who",
      },
    },
  );
  return { ...server, asked };
};

const client = ({ url }: RunningServer) => {
  const get = (path: string, token: string | null, address = "192.0.2.1"): Promise<Response> =>
    fetch(`${url}/api/test${path}`, {
      headers: {
        "x-forwarded-for": address,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
    });
  return {
    get,
    statuses: async (path: string, tokens: (string | null)[], address?: string): Promise<number[]> => {
      const found: number[] = [];
      for (const token of tokens) found.push((await get(path, token, address)).status);
      return found;
    },
  };
};

describe.each([false, true])("guesses of credentials, checked later: %s", (isAsync) => {
  it("are not looked at any more once an address has sent as many wrong ones as it may send requests", async () => {
    await using server = await start(isAsync);
    const { get, statuses } = client(server);
    expect(await statuses("/things", ["a", "b", "c", "d"])).toEqual([401, 401, 401, 429]);
    const right = await get("/things", "right");
    expect([right.status, await right.json()]).toMatchObject([429, { code: "PLATFORM_RATE_LIMITED" }]);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(server.asked).toEqual(["Bearer a", "Bearer b", "Bearer c"]);
    // What was guessed is nothing that others are to suffer for.
    expect(await statuses("/things", ["right"], "192.0.2.2")).toEqual([200]);
  });

  it("do not lock out who is known at that address, nor who has no credentials to send", async () => {
    await using server = await start(isAsync);
    const { statuses } = client(server);
    expect(await statuses("/things", ["early", "a", "b", "c"])).toEqual([200, 401, 401, 401]);
    expect(await statuses("/things", ["right", "early", null])).toEqual([429, 200, 401]);
    expect(await statuses("/who", [null])).toEqual([200]);
  });

  it("are not needed for an operation that anybody may call, which counts once", async () => {
    await using server = await start(isAsync);
    const { statuses } = client(server);
    expect(await statuses("/who", [null, null, null, null])).toEqual([200, 200, 200, 429]);
  });

  it("count where they are sent to an operation that anybody may call, and says who calls", async () => {
    await using server = await start(isAsync);
    const { statuses } = client(server);
    expect(await statuses("/who", ["a", "b"])).toEqual([200, 200]);
    expect(await statuses("/things", ["c", "right"])).toEqual([401, 429]);
    expect(await statuses("/who", ["right"])).toEqual([429]);
  });

  it("count against the network of 64 bits that an IPv6 address is in, as requests without any do", async () => {
    await using server = await start(isAsync);
    const { statuses } = client(server);
    for (const [n, token] of ["a", "b", "c"].entries())
      expect(await statuses("/things", [token], `2001:db8:0:1::${n + 1}`)).toEqual([401]);
    expect(await statuses("/things", ["right"], "2001:db8:0:1:2:3:4:5")).toEqual([429]);
    expect(await statuses("/things", ["right"], "2001:db8:0:2::1")).toEqual([200]);
    expect(await statuses("/who", [null, null, null], "2001:db8:0:1::7")).toEqual([200, 200, 200]);
    expect(await statuses("/who", [null], "2001:db8:0:1::8")).toEqual([429]);
    expect(await statuses("/gone", [null], "2001:db8:0:1::9")).toEqual([429]);
  });

  it("count against an IPv4 address in both of its forms", async () => {
    await using server = await start(isAsync);
    const { statuses } = client(server);
    expect(await statuses("/things", ["a", "b", "c"], "::ffff:192.0.2.1")).toEqual([401, 401, 401]);
    expect(await statuses("/things", ["right"], "192.0.2.1")).toEqual([429]);
    expect(await statuses("/things", ["right"], "::ffff:192.0.2.2")).toEqual([200]);
  });

  it("does not count who is known against the address, whatever is called", async () => {
    await using server = await start(isAsync);
    const { statuses } = client(server);
    expect(await statuses("/who", [null, null, null, null])).toEqual([200, 200, 200, 429]);
    expect(await statuses("/who", ["right", "right", "early"])).toEqual([200, 200, 200]);
    expect(await statuses("/things", ["right", "right"])).toEqual([200, 429]);
  });
});

it.each([false, true])("looks at all Authorization headers of a request (async: %s)", async (isAsync) => {
  const server = await start(isAsync);
  const line = "authorization: Bearer right\r\n";
  const get = (headers: string): Promise<string> =>
    sendRaw(server.port, `GET /api/test/things HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers}\r\n`);
  expect(await get(line)).toMatch(/^HTTP\/1.1 200 /);
  expect(await get(`${line}Authorization: Bearer other\r\n`)).toMatch(/^HTTP\/1.1 401 /);
  expect(server.asked).toEqual(["Bearer right", "Bearer right, Bearer other"]);
  await server.close();
});
