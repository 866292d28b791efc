import { describe, expect, test } from "vitest";
import { cookieNames, cookieValues, setCookie } from "./cookies.ts";
import { requestOrigin } from "./request-origin.ts";

describe("where a request of a browser comes from", () => {
  test.each([
    ["nothing is said", {}, "unknown"],
    ["somebody typed the address", { "sec-fetch-site": "none" }, "unknown"],
    [
      "the browser says it is the same origin",
      { "sec-fetch-site": "same-origin", origin: "http://rewritten" },
      "own",
    ],
    ["the same site", { "sec-fetch-site": "same-site", origin: "https://plinth.example" }, "foreign"],
    ["another site", { "sec-fetch-site": "cross-site" }, "foreign"],
    ["the address of the settings", { origin: "https://plinth.example", host: "inside:7007" }, "own"],
    ["the host that was called", { origin: "http://inside:7007", host: "inside:7007" }, "own"],
    ["the host with the usual port", { origin: "https://inside", host: "inside:443" }, "own"],
    ["another port", { origin: "http://inside:7008", host: "inside:7007" }, "foreign"],
    ["another host", { origin: "https://evil.example", host: "inside:7007" }, "foreign"],
    ["a host that only begins so", { origin: "https://plinth.example.evil.example" }, "foreign"],
    ["no page", { origin: "null", host: "null" }, "foreign"],
    ["two origins", { origin: ["https://plinth.example", "https://evil.example"] }, "foreign"],
    ["no host", { origin: "https://inside" }, "foreign"],
  ] as const)("%s", (_what, headers, verdict) => {
    expect(requestOrigin({ ...headers } as Record<string, string>, "https://plinth.example")).toBe(verdict);
  });
});

describe("cookies", () => {
  test("have the prefix of browsers over https, and none on plain http", () => {
    expect(cookieNames("https://plinth.example/below")).toEqual({
      session: "__Host-plinth",
      signIn: "__Host-plinth-sign-in",
      isSecure: true,
    });
    expect(cookieNames(undefined)).toEqual({ session: "plinth", signIn: "plinth-sign-in", isSecure: false });
    const { session: name, isSecure } = cookieNames("https://plinth.example");
    expect(setCookie({ name, value: "x", maxAgeSeconds: 60 }, { isSecure })).toBe(
      "__Host-plinth=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure",
    );
  });

  test.each([
    [undefined, []],
    ["a=b", []],
    ["plinth=x", ["x"]],
    ["a=b; plinth=x;plinth=y", ["x", "y"]],
    ["xplinth=x; plinth-sign-in=y; Plinth=z", []],
    ["plinth", []],
  ])("of the header %j are %j", (header, values) => {
    expect(cookieValues(header, "plinth")).toEqual(values);
  });
});
