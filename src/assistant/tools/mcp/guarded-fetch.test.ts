import { expect, it } from "vitest";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { createSentSecrets } from "../../../platform/outbound/sent-secrets.ts";
import { createGuardedFetch } from "./guarded-fetch.ts";

it("ends the call when the answer has a status that no answer may have", async () => {
  let isCancelled = false;
  const outbound = {
    stream: async () => ({
      status: 799,
      headers: {},
      body: (async function* () {})(),
      cancel: () => (isCancelled = true),
    }),
  } as unknown as Outbound;
  const limits = { timeoutMs: 1_000, maxBytes: 1_000, onExceeded: () => {}, sent: createSentSecrets([]) };
  await expect(createGuardedFetch(outbound, limits)("http://mcp.example/")).rejects.toThrow();
  expect(isCancelled).toBe(true);
});
