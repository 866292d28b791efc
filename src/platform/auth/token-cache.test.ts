import { describe, expect, test } from "vitest";
import type { Actor } from "../lib/actor.ts";
import { createTokenCache, digestOf } from "./token-cache.ts";
import { authenticatorWith, bearer, failureOf, local, sign } from "./testdata.ts";

const actor = (name: string): Actor => ({ ref: `user:default/${name}`, roles: [], provider: "oidc" });

describe("token cache", () => {
  test("keeps until the token expires, at most a minute", () => {
    const cache = createTokenCache();
    cache.put("short", actor("s"), { nowMs: 0, expiresAtMs: 1000 });
    cache.put("long", actor("l"), { nowMs: 0, expiresAtMs: 1_000_000 });
    cache.put("gone", actor("g"), { nowMs: 5000, expiresAtMs: 4000 });
    expect(cache.get("short", 999)).toEqual(actor("s"));
    expect(cache.get("short", 1000)).toBeUndefined();
    expect(cache.get("long", 59_999)).toEqual(actor("l"));
    expect(cache.get("long", 60_000)).toBeUndefined();
    expect(cache.get("gone", 0)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  test("the one not used for longest goes first", () => {
    const cache = createTokenCache(2);
    const times = { nowMs: 0, expiresAtMs: 10_000 };
    cache.put("a", actor("a"), times);
    cache.put("b", actor("b"), times);
    cache.get("a", 1);
    cache.put("c", actor("c"), times);
    expect([cache.get("a", 1), cache.get("b", 1), cache.get("c", 1)]).toEqual([
      actor("a"),
      undefined,
      actor("c"),
    ]);
    expect(cache.size).toBe(2);
  });

  test("keys are digests", () => {
    expect(digestOf("token")).toMatch(/^[\w-]{43}$/);
    expect(digestOf("token")).not.toBe(digestOf("token2"));
  });
});

describe("with the authenticator", () => {
  const secret = "0123456789abcdef0123456789abcdef";
  const key = new TextEncoder().encode(secret);
  const arrange = () => {
    let offsetMs = 0;
    const authenticate = authenticatorWith(
      { service: { hmac: { secret, roles: ["service"] } } },
      { now: () => new Date(Date.now() + offsetMs) },
    );
    return {
      authenticate,
      pass: (ms: number) => {
        offsetMs += ms;
      },
    };
  };

  test("a token that was checked is answered at once, without a promise", async () => {
    const { authenticate, pass } = arrange();
    const token = await sign(key, { header: { alg: "HS256" } });
    const first = authenticate(bearer(token), local);
    expect(first).toBeInstanceOf(Promise);
    const known = await first;
    expect(authenticate(bearer(token), local)).toBe(known);
    pass(60_001);
    expect(authenticate(bearer(token), local)).toBeInstanceOf(Promise);
  });

  test("it is refused as soon as it has expired", async () => {
    const { authenticate, pass } = arrange();
    const token = await sign(key, { header: { alg: "HS256" }, expiresIn: 20 });
    await authenticate(bearer(token), local);
    pass(26_000);
    expect(await failureOf(() => authenticate(bearer(token), local))).toMatchObject({
      code: "PLATFORM_TOKEN_EXPIRED",
    });
  });
});
