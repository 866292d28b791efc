import { expect, test, vi } from "vitest";
import { readAgain, type ReadLocation } from "./read-again.ts";

const before: ReadLocation = { refreshedAt: "2026-01-01T10:00:00.000Z", problems: [] };
const broken = [{ where: "a.yaml:1:1", message: "It is no YAML." }];

/** The location as it is at each look; the last one stays. */
const stepsOf = (...looks: ReadLocation[]) => {
  const order: string[] = [];
  return {
    order,
    location: async () => {
      order.push("look");
      return (looks.length > 1 ? looks.shift() : looks[0]) as ReadLocation;
    },
    request: async () => void order.push("request"),
    pause: async () => void order.push("pause"),
  };
};

test("it is read once the time of its last reading has moved", async () => {
  const read = { refreshedAt: "2026-01-01T10:00:05.000Z", problems: [] };
  const steps = stepsOf(before, before, before, read);
  expect(await readAgain(steps)).toEqual({ outcome: "read", problems: [] });
  expect(steps.order).toEqual(["look", "request", "pause", "look", "pause", "look", "pause", "look"]);
});

test("what was read may have problems", async () => {
  const read = { refreshedAt: "2026-01-01T10:00:05.000Z", problems: broken };
  expect(await readAgain(stepsOf(before, read))).toEqual({ outcome: "read", problems: broken });
  expect(await readAgain(stepsOf({ refreshedAt: null, problems: [] }, read))).toMatchObject({
    outcome: "read",
  });
});

test("a reading that fails says why", async () => {
  expect(await readAgain(stepsOf(before, before, { ...before, problems: broken }))).toEqual({
    outcome: "failed",
    problems: broken,
  });
});

test("one does not wait without an end", async () => {
  const steps = stepsOf({ ...before, problems: broken });
  expect(await readAgain(steps)).toEqual({ outcome: "waits" });
  expect(steps.order.filter((each) => each === "pause").length).toBeLessThanOrEqual(60);
});

test("an entity that is gone, and a request that is refused, are errors", async () => {
  const refused = new Error("refused");
  const steps = { ...stepsOf(before), request: vi.fn(() => Promise.reject(refused)) };
  await expect(readAgain(steps)).rejects.toBe(refused);
});
