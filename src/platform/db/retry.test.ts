import { expect, it } from "vitest";
import { retryWhileAway } from "./retry.ts";

const away = Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });

it("sends again while the database is away", async () => {
  const met: Error[] = [];
  let failures = 2;
  const write = async () => {
    if (failures-- > 0) throw away;
    return "written";
  };
  const options = { forMs: 60_000, delayMs: 1, onRetry: (error: Error) => void met.push(error) };
  expect([await retryWhileAway(write, options), met]).toEqual(["written", [away, away]]);
});

it.each([
  ["another error", new Error("defect"), 60_000],
  ["an absence that lasts", away, -1],
])("throws %s", async (_, error, forMs) => {
  const options = { forMs, delayMs: 1, onRetry: () => expect.unreachable() };
  await expect(retryWhileAway(() => Promise.reject(error), options)).rejects.toBe(error);
});
