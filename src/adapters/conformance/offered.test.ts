import { expect, it } from "vitest";
import type { Exchange } from "./exchange.ts";
import { isNotOffered } from "./offered.ts";

const answered = (status: number, text: string): Exchange => ({
  method: "POST",
  path: "/v1/updateacl",
  sent: { headers: {}, body: "" },
  answer: { status, text, contentType: "application/json", contentEncoding: "", shown: text },
  ms: 1,
});

it.each([
  [404, ""],
  [405, '{"detail":"Method Not Allowed"}'],
  [501, "no"],
  [500, '{"error":"Not implemented"}'],
  [500, '{"error":"Endpoint not implemented"}'],
  [500, '{"error":"Response not yet implemented"}'],
  [500, '{"error":"x","userMessage":"The requested feature hasn\'t been implemented"}'],
  [500, "Reverse provisioning is not supported"],
  [500, "UnsupportedOperationException: unsupported"],
])("%i %s says that the operation is not offered", (status, text) => {
  expect(isNotOffered(answered(status, text))).toBe(true);
});

it.each([
  [500, '{"error":"The warehouse is closed"}'],
  [500, '{"error":"The group was not found"}'],
  [400, '{"errors":["not implemented"]}'],
  [200, "not implemented"],
  [503, "not available"],
])("%i %s says something else", (status, text) => {
  expect(isNotOffered(answered(status, text))).toBe(false);
});

it("a call without an answer says nothing", () => {
  const { answer: _, ...exchange } = answered(404, "");
  expect(isNotOffered({ ...exchange, fault: "no complete answer came within 1 s", timedOut: true })).toBe(
    false,
  );
});
