import { describe, expect, it } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

it("counts each caller for a minute", () => {
  let now = 1000;
  const limit = createRateLimit(2, () => now);
  expect([limit.take("actor", "a"), limit.take("actor", "a"), limit.take("actor", "b")]).toEqual([0, 0, 0]);
  now += 20_500;
  expect(limit.take("actor", "a")).toBe(40);
  now += 39_499;
  expect(limit.take("actor", "a")).toBe(1);
  now += 1;
  expect(limit.take("actor", "a")).toBe(0);
});

it("says whether a caller has used it up, without counting", () => {
  const limit = createRateLimit(2, () => 0);
  const waits = (): boolean =>
    Array.from({ length: 5 }, () => limit.wait("actor", "a")).some((wait) => wait > 0);
  expect([waits(), limit.take("actor", "a"), waits(), limit.take("actor", "a"), waits()]).toEqual([
    false,
    0,
    false,
    0,
    true,
  ]);
  expect([limit.counted("a"), limit.wait("actor", "b")]).toEqual([{ used: 2, isRefused: true }, 0]);
});

it("means no limit with 0", () => {
  const limit = createRateLimit(0, () => 0);
  expect(Array.from({ length: 100 }, () => limit.take("actor", "a"))).not.toContain(1);
});

it("lets ever new callers share one count instead of filling the memory", () => {
  const limit = createRateLimit(3, () => 0);
  for (let caller = 0; caller < 50_000; caller += 1) {
    limit.take("actor", `caller ${caller}`);
  }
  expect(["x", "y", "z"].map((key) => limit.take("actor", key))).toEqual([0, 0, 0]);
  expect(limit.take("actor", "another")).toBeGreaterThan(0);
  expect(limit.take("actor", "caller 7")).toBe(0);
});

it("lets networks without number share no count with those who are known", () => {
  const limit = createRateLimit(3, () => 0);
  for (const kind of ["network", "refused credentials"] as const)
    for (let network = 0; network < 70_000; network += 1)
      limit.take(kind, `2001:db8:${network.toString(16)}`);
  const takes = (kind: "network" | "refused credentials", caller: string): number[] =>
    Array.from({ length: 4 }, () => Number(limit.take(kind, caller) > 0));
  expect([takes("network", "2001:db8:f:f"), takes("refused credentials", "2001:db8:f:f")]).toEqual([
    [1, 1, 1, 1],
    [1, 1, 1, 1],
  ]);
  // The neighbours' share: the others have their own.
  expect([takes("network", "2001:db9:1:1"), takes("network", "192.0.2.1")]).toEqual([
    [0, 0, 0, 1],
    [0, 0, 0, 1],
  ]);
  expect(takes("network", "192.0.3.1")).toEqual([1, 1, 1, 1]);
  expect(limit.wait("refused credentials", "192.0.2.1")).toBe(0);
  for (let n = 0; n < 100; n += 1) expect(limit.take("actor", `user:default/${n}`)).toBe(0);
});

it("remembers a limited number of wider networks", () => {
  const limit = createRateLimit(1, () => 0);
  for (let network = 0; network < 50_000; network += 1) limit.take("network", `1:1:1:${network}`);
  for (let network = 0; network < 10_000; network += 1)
    expect(limit.take("network", `2:${network}:1:1`)).toBe(0);
  expect([limit.take("network", "3:1:1:1"), limit.take("network", "3:2:1:1")]).toEqual([0, 60]);
});

describe("a limit that is divided with other processes", () => {
  const division = {
    period: 7,
    endsInMs: 30_000,
    isDivided: true,
    base: 100,
    nextBase: 50,
    headroom: 10,
    grants: new Map<string, { allowed: number; usedElsewhere: number; isWaiting: boolean }>(),
  };
  const stage = () => {
    let now = 0;
    let notices = 0;
    const limit = createRateLimit(200, () => now);
    limit.onWanting(() => void notices++);
    limit.divide(division);
    const takes = (count: number): number =>
      Array.from({ length: count }, () => limit.take("actor", "a")).filter((wait) => wait === 0).length;
    return { limit, takes, notices: () => notices, pass: (ms: number) => void (now += ms) };
  };

  it("answers the part of this process, and asks for more before that is used up", () => {
    const { limit, takes, notices } = stage();
    expect([takes(40), notices(), limit.wanting()]).toEqual([40, 0, []]);
    expect([takes(20), notices(), limit.wanting()]).toEqual([20, 1, ["a"]]);
    expect(takes(100)).toBe(40);
    expect(limit.take("actor", "a")).toBe(1);
    expect(limit.counted("a")).toEqual({ used: 100, isRefused: true });
  });

  it("asks first for those who are known", () => {
    const { limit } = stage();
    for (const [kind, caller] of [
      ["network", "192.0.2.1"],
      ["refused credentials", "192.0.2.1"],
      ["actor", "b"],
    ] as const)
      for (let n = 0; n < 60; n += 1) limit.take(kind, caller);
    expect(limit.wanting()).toEqual(["b", "192.0.2.1", "refused credentials of 192.0.2.1"]);
  });

  it("answers what it was granted, and says when the minute ends once all is used", () => {
    const { limit, takes } = stage();
    limit.divide({
      ...division,
      grants: new Map([["a", { allowed: 150, usedElsewhere: 40, isWaiting: true }]]),
    });
    expect(takes(200)).toBe(150);
    expect(limit.take("actor", "a")).toBe(30);
  });

  it("begins each minute with its part, at the time on which the processes agree", () => {
    const { limit, takes, pass } = stage();
    limit.divide({
      ...division,
      grants: new Map([["a", { allowed: 150, usedElsewhere: 0, isWaiting: false }]]),
    });
    expect(takes(200)).toBe(150);
    pass(30_000);
    // Made for the minute that is over.
    limit.divide({
      ...division,
      grants: new Map([["a", { allowed: 200, usedElsewhere: 0, isWaiting: false }]]),
    });
    expect(takes(200)).toBe(50);
  });

  it("is this process's again when it is alone", () => {
    const { limit, takes } = stage();
    limit.divide({ ...division, isDivided: false });
    expect(takes(300)).toBe(200);
  });
});
