import { PlinthError } from "plinth-client";
import { expect, test } from "vitest";
import { sentAfter, unsent } from "./sent.ts";

const refusal = (status: number, code: string): PlinthError => new PlinthError(status, { code });
const lost = new TypeError("Failed to fetch");
const ended = refusal(401, "PLATFORM_UNAUTHENTICATED");

test("a lost answer keeps the key, also when the next attempt is refused; a refusal alone ends it", () => {
  const first = unsent();
  const afterLoss = sentAfter(first, lost);
  expect(sentAfter(afterLoss, ended).key).toBe(first.key);
  expect(sentAfter(first, ended).key).not.toBe(first.key);
});

test("a changed start needs a key of its own once the first is known to have arrived", () => {
  const first = sentAfter(unsent(), lost);
  const next = sentAfter(first, refusal(409, "BUILDER_IDEMPOTENCY_KEY_REUSED"));
  expect(next.key).not.toBe(first.key);
  expect(next.mayHaveArrived).toBe(false);
});
