import { describe, expect, it } from "vitest";
import { mask, unmasked } from "../../masked-values.ts";
import { isSameAddress, maskAddress, unmaskAddress } from "./agent-address.ts";
import { complete, maskAll, maskNamed, secretPlaces } from "./agent-secrets.ts";

const stored = {
  endpoint: "https://a.test/ask?api_key=s3cret&v=2",
  payload: {
    protocol: "http",
    destructive: true,
    max_tokens: 5,
    model: "navigator",
    headers: { Accept: "text/plain", Authorization: "Bearer s3cret", retries: 3 },
    parts: [{ apiKey: "s3cret" }, { name: "x" }, "https://me:s3cret@b.test/"],
    empty: { token: "", need_token: true, secret: null },
  },
};

it("everybody sees the protocol and the marks, and what is no text", () => {
  expect(maskAll(stored)).toEqual({
    endpoint: `https://a.test/ask?api_key=${mask}&v=${mask}`,
    payload: {
      protocol: "http",
      destructive: true,
      max_tokens: 5,
      model: mask,
      headers: { Accept: mask, Authorization: mask, retries: mask },
      parts: [{ apiKey: mask }, { name: mask }, mask],
      empty: { token: "", need_token: true, secret: null },
    },
  });
});

const named = {
  ...stored.payload,
  headers: { Accept: mask, Authorization: mask, retries: mask },
  parts: [{ apiKey: mask }, { name: "x" }, mask],
};

it("a file has all but what has the name or the looks of a secret", () => {
  expect(maskNamed(stored).payload).toEqual(named);
});

it("masks come back as what is stored at their places", () => {
  expect(unmasked(named, stored.payload)).toEqual({ value: stored.payload, unknown: [] });
  expect(unmasked(maskAll(stored).payload, stored.payload)).toEqual({ value: stored.payload, unknown: [] });
});

it("a mask without a stored value is left out and reported", () => {
  const { value, unknown } = unmasked({ headers: { a: mask }, parts: [mask, { b: mask }, 1] }, undefined);
  expect(value).toEqual({ headers: {}, parts: [{}, 1] });
  expect(unknown).toEqual([
    ["headers", "a"],
    ["parts", "0"],
    ["parts", "1", "b"],
  ]);
  expect(secretPlaces(stored.payload)).toEqual([
    ["headers", "Accept"],
    ["headers", "Authorization"],
    ["headers", "retries"],
    ["parts", "0", "apiKey"],
    ["parts", "2"],
  ]);
});

describe("addresses", () => {
  it.each([
    ["https://a.test/x", "https://a.test/x"],
    ["https://a.test/x?q=1", `https://a.test/x?q=${mask}`],
    ["https://a.test/x?q=1&q=2&e=&f", `https://a.test/x?q=${mask}&q=${mask}&e=&${mask}`],
    ["https://a.test/x?s3cret", `https://a.test/x?${mask}`],
    ["https://a.test/x?a=b?c=d#s3cret", `https://a.test/x?a=${mask}`],
    ["no address", "no address"],
  ])("%s is shown as %s, and comes back", (given, shown) => {
    expect(maskAddress(given)).toBe(shown);
    expect(unmaskAddress(shown, given)).toBe(given.replace(/#.*/, ""));
  });

  it.each([
    [`https://a.test/?k=${mask}&v=3`, "https://a.test/?k=1&v=2", "https://a.test/?k=1&v=3"],
    [`https://a.test/?k=${mask}&k=3`, "https://a.test/?k=1&k=2", "https://a.test/?k=1&k=3"],
    [`https://a.test/?n=${mask}`, "https://a.test/?k=1", null],
    [`https://a.test/?k=${mask}&k=${mask}`, "https://a.test/?k=1", null],
    [`https://a.test/${mask}?k=1`, "https://a.test/?k=1", null],
    ["https://a.test/", "https://a.test/?k=1", "https://a.test/"],
  ])("%s over %s is %s", (given, before, whole) => {
    expect(unmaskAddress(given, before)).toBe(whole);
  });

  it.each([
    ["https://a.test/x?q=1", "HTTPS://A.test:443/x?q=2", true],
    ["https://a.test/x", "https://a.test/x/", false],
    ["https://a.test/x", "http://a.test/x", false],
    ["https://a.test/x", "https://b.test/x", false],
    ["https://a.test/x", "here", false],
  ])("%s and %s: %s", (one, other, isSame) => {
    expect(isSameAddress(one, other)).toBe(isSame);
  });
});

describe("a change", () => {
  const elsewhere = "https://b.test/ask?api_key=other";
  const missingAt = (given: Parameters<typeof complete>[0]): string[] =>
    complete(given, stored).missing.map(({ path }) => path.join("."));

  it("of neither, or of both with masks, keeps what is stored", () => {
    expect(complete({}, stored)).toEqual({ whole: stored, missing: [] });
    expect(complete(maskAll(stored), stored)).toEqual({ whole: stored, missing: [] });
    expect(complete({ endpoint: "https://a.test/ask?api_key=new" }, stored)).toEqual({
      whole: { ...stored, endpoint: "https://a.test/ask?api_key=new" },
      missing: [],
    });
  });

  it("of the address wants the secrets again", () => {
    const places = secretPlaces(stored.payload).map((place) => ["payload", ...place].join("."));
    expect(missingAt({ endpoint: elsewhere })).toEqual(places);
    expect(missingAt({ endpoint: `https://b.test/ask?api_key=${mask}` })).toEqual(["endpoint", ...places]);
    expect(missingAt({ endpoint: elsewhere, payload: { token: mask, a: "b" } })).toEqual(["payload.token"]);
    expect(complete({ endpoint: elsewhere, payload: { token: "new" } }, stored)).toEqual({
      whole: { endpoint: elsewhere, payload: { token: "new" } },
      missing: [],
    });
  });

  it("of the address alone is taken where nothing secret is stored", () => {
    const harmless = { endpoint: "https://a.test/ask", payload: { protocol: "http", model: "m" } };
    expect(complete({ endpoint: elsewhere }, harmless)).toEqual({
      whole: { ...harmless, endpoint: elsewhere },
      missing: [],
    });
  });

  it("that comes first has no masks", () => {
    expect(complete({ endpoint: "https://a.test", payload: { token: mask } }, null).missing).toEqual([
      { path: ["payload", "token"], message: "is a mask without a stored value" },
    ]);
  });
});
