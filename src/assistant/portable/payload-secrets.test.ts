import { expect, it } from "vitest";
import { mask, masked, maskedAddress, unmasked } from "./payload-secrets.ts";

const stored = {
  protocol: "http",
  max_tokens: 5,
  headers: { Accept: "text/plain", Authorization: "Bearer s3cret" },
  parts: [{ apiKey: "s3cret" }, { name: "x" }],
};
const shown = {
  protocol: "http",
  max_tokens: 5,
  headers: { Accept: mask, Authorization: mask },
  parts: [{ apiKey: mask }, { name: "x" }],
};

it("texts below the name of a secret are masked, and come back from what is stored", () => {
  expect(masked(stored)).toEqual(shown);
  expect(unmasked(shown, stored)).toEqual({ value: stored, unknown: [] });
});

it("a mask without a stored value is left out and told", () => {
  const { value, unknown } = unmasked(shown, undefined);
  expect(value).toEqual({ protocol: "http", max_tokens: 5, headers: {}, parts: [{}, { name: "x" }] });
  expect(unknown).toEqual(["headers.Accept", "headers.Authorization", "parts.0.apiKey"]);
});

it.each([
  ["https://a.test/x?q=1", "https://a.test/x?q=1"],
  ["https://a.test/x?api_key=s3cret&q=1", `https://a.test/x?api_key=${mask}&q=1`],
  ["no address", "no address"],
])("%s is shown as %s", (given, wanted) => {
  expect(maskedAddress(given)).toBe(wanted);
});
