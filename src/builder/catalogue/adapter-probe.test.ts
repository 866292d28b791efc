import { expect, it } from "vitest";
import { OutboundError, type OutboundReason } from "../../platform/outbound/outbound-error.ts";
import { createProbe } from "./adapter-service.ts";

const { signal } = new AbortController();

it("takes any answer as a sign of life", async () => {
  const probe = createProbe({ request: async () => ({ status: 500, headers: {}, body: Buffer.alloc(0) }) });
  expect(await probe("http://a", signal)).toBe(true);
});

it.each<[OutboundReason, boolean | undefined]>([
  ["connect", false],
  ["dns", false],
  ["timeout", false],
  ["tls", false],
  ["reset", false],
  ["too_large", true],
  ["refused_by_policy", undefined],
  ["aborted", undefined],
])("%s means %s", async (reason, expected) => {
  const probe = createProbe({
    request: async () => {
      throw new OutboundError(reason, false, "x");
    },
  });
  expect(await probe("http://a", signal)).toBe(expected);
});
