import { expect, it } from "vitest";
import { createSentSecrets, secretsIn } from "./sent-secrets.ts";

it("knows the secrets of a call by the names of its headers and parameters", () => {
  const basic = Buffer.from("plinth:pass-word-1").toString("base64");
  expect(
    secretsIn({
      url: "https://host/mcp?api_key=key-in-the-url&page=long-enough-value",
      headers: {
        authorization: "Bearer token-0001",
        "X-Api-Key": "key-0001",
        "proxy-authorization": `Basic ${basic}`,
        "x-team": "long-enough-value",
        "x-token": "short",
      },
      body: { options: [{ api_key: "key-in-the-body" }], password: ["pass-word-2"], message: "long-enough" },
    }),
  ).toEqual([
    "Bearer token-0001",
    "token-0001",
    "key-0001",
    `Basic ${basic}`,
    basic,
    "pass-word-1",
    "key-in-the-url",
    "key-in-the-body",
    "pass-word-2",
  ]);
  expect(secretsIn({ url: "no URL" })).toEqual([]);
});

it("hides what has gone out, of short-lived tokens the last ones", () => {
  const sent = createSentSecrets(["always-hidden", "none"]);
  expect(sent.mask().text("always-hidden, token-0001 and none")).toBe("***, token-0001 and none");
  for (let n = 1; n <= 60; n += 1)
    sent.note({ headers: { authorization: `token-${String(n).padStart(4, "0")}` } });
  expect(sent.mask().text("always-hidden, token-0001 and token-0060")).toBe("***, token-0001 and ***");
});
