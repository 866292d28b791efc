import { describe, expect, it } from "vitest";
import { createAdmission, type AdmissionSettings, type QueuedRequest } from "./admission.ts";
import type { LoopTime } from "./loop-watch.ts";

/** Clocks and ticks that the test moves by hand. */
const handTime = () => {
  let nowMs = 1000;
  let cpuMs = 0;
  let cpuReads = 0;
  let ends: (() => void)[] = [];
  let looks: { at: number; run: () => void }[] = [];
  const time: LoopTime = {
    nowMs: () => nowMs,
    cpuMs() {
      cpuReads += 1;
      return cpuMs;
    },
    atEndOfTick: (run) => void ends.push(run),
    after(ms, run) {
      const look = { at: nowMs + ms, run };
      looks.push(look);
      return () => (looks = looks.filter((each) => each !== look));
    },
  };
  /** The rest of this tick; `cpu` is the part for which the process had a processor. */
  const pass = (ms: number, cpu = 0): void => {
    nowMs += ms;
    cpuMs += cpu;
    const due = looks.filter(({ at }) => at <= nowMs);
    looks = looks.filter(({ at }) => at > nowMs);
    const ending = ends;
    ends = [];
    for (const run of [...due.map((look) => look.run), ...ending]) run();
  };
  return { time, pass, pending: () => looks.length, cpuReads: () => cpuReads };
};

const stage = (settings: Partial<AdmissionSettings> = {}) => {
  const hand = handTime();
  const backlog = { isThere: false };
  const waited: number[] = [];
  const log: string[] = [];
  const admission = createAdmission({
    settings: { activeRequests: 2, queueMs: 50, queuedRequests: 100, ...settings },
    time: hand.time,
    isBehind: () => backlog.isThere,
    onWaited: (ms) => waited.push(ms),
  });
  const requests = new Map<string, QueuedRequest>();
  const come = (name: string, { isUrgent = false, isNeverRefused = false } = {}): void => {
    const request: QueuedRequest = {
      begin: () => log.push(`${name} begins`),
      refuse: (reason) => log.push(`${name} ${reason}`),
      isUrgent: () => isUrgent,
      isNeverRefused: () => isNeverRefused,
      state: "new",
      since: 0,
    };
    requests.set(name, request);
    admission.enter(request);
  };
  const go = (name: string): void => admission.leave(requests.get(name)!);
  const many = (count: number, name = "x"): void => {
    for (let n = 0; n < count; n += 1) come(`${name}${n}`);
  };
  /** Ticks of 5 ms in which nothing happens. */
  const idle = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 5) hand.pass(5, 1);
  };
  return { ...hand, admission, backlog, waited, log, come, go, many, idle };
};

describe("a request", () => {
  it("begins at once while nothing is behind, however many are at work", () => {
    const { admission, many, pass } = stage();
    for (let tick = 0; tick < 20; tick += 1) {
      many(2);
      pass(1, 1);
    }
    expect(admission).toMatchObject({ active: 40, waiting: 0 });
  });

  it("waits while others wait for what it needs, but for those that are always worked on", () => {
    const { admission, backlog, many, go, idle, log } = stage();
    backlog.isThere = true;
    many(3);
    idle(20);
    expect(admission).toMatchObject({ active: 2, waiting: 1 });
    go("x0");
    expect(log).toEqual(["x0 begins", "x1 begins", "x2 begins"]);
  });

  it("begins once that queue is gone, without anything else happening", () => {
    const { admission, backlog, many, idle, waited } = stage();
    backlog.isThere = true;
    many(4);
    idle(30);
    expect(admission.waiting).toBe(2);
    backlog.isThere = false;
    idle(5);
    expect(admission).toMatchObject({ active: 4, waiting: 0 });
    expect(waited.every((ms) => ms >= 30)).toBe(true);
  });

  it("waits for a later turn when a turn has begun enough", () => {
    const { admission, many, pass } = stage();
    many(5);
    expect(admission).toMatchObject({ active: 2, waiting: 3 });
    pass(5, 5);
    expect(admission.active).toBe(4);
    pass(5, 5);
    expect(admission).toMatchObject({ active: 5, waiting: 0 });
  });

  it("waits while the process is behind with its own work", () => {
    const { admission, come, many, pass } = stage();
    many(3);
    pass(1, 1);
    come("first");
    pass(60, 60);
    come("measured");
    pass(60, 60);
    come("late");
    expect(admission).toMatchObject({ active: 5, waiting: 1 });
    pass(5, 1);
    expect(admission.waiting).toBe(0);
  });

  it("does not wait because of one long tick", () => {
    const { admission, come, many, pass } = stage();
    many(3);
    pass(1, 1);
    come("first");
    pass(60, 60);
    come("on time");
    expect(admission).toMatchObject({ active: 5, waiting: 0 });
  });

  it("reads the processor's clock only after a long tick", () => {
    const { come, many, pass, cpuReads } = stage();
    many(3);
    for (let n = 0; n < 20; n += 1) {
      pass(2, 2);
      come(`short${n}`);
    }
    expect(cpuReads()).toBe(0);
  });

  it("does not wait because the process was not given a processor", () => {
    const { admission, come, many, pass } = stage();
    many(3);
    pass(1, 1);
    come("first");
    pass(600, 5);
    come("measured");
    pass(600, 5);
    come("on time");
    expect(admission).toMatchObject({ active: 6, waiting: 0 });
  });

  it("that leaves while it waits is not begun", () => {
    const { admission, backlog, many, go, idle, log } = stage();
    backlog.isThere = true;
    many(4);
    go("x2");
    go("x2");
    go("x0");
    go("x0");
    idle(10);
    expect(log).toEqual(["x0 begins", "x1 begins", "x3 begins"]);
    expect(admission).toMatchObject({ active: 2, waiting: 0 });
  });
});

describe("a queue", () => {
  it("of a burst is worked off without a refusal", () => {
    const { backlog, many, go, idle, log } = stage();
    backlog.isThere = true;
    many(30);
    for (let n = 0; n < 30; n += 1) {
      idle(20);
      go(`x${n}`);
    }
    expect(log).toHaveLength(30);
    expect(log.every((line) => line.endsWith("begins"))).toBe(true);
  });

  it("that stands refuses at once whoever would wait too long", () => {
    const { backlog, come, many, go, idle, log } = stage();
    backlog.isThere = true;
    many(2);
    let next = 0;
    for (let at = 0; at < 600; at += 20) {
      come(`y${next++}`);
      come(`z${next++}`);
      idle(20);
      const begun = log.findLast((line) => line.endsWith("begins"))?.split(" ")[0];
      if (at % 60 === 0 && begun !== undefined) go(begun);
    }
    expect(log.some((line) => line.endsWith("queue_time"))).toBe(true);
    const refused = log.length;
    come("late");
    expect(log.slice(refused)).toEqual(["late queue_time"]);
  });

  it("accepts again once it has been empty", () => {
    const { backlog, admission, come, many, go, idle, log } = stage();
    backlog.isThere = true;
    many(3);
    idle(300);
    come("refused");
    go("x0");
    go("x1");
    come("accepted");
    come("waits");
    expect(log.slice(2)).toEqual(["refused queue_time", "x2 begins", "accepted begins"]);
    expect(admission.waiting).toBe(1);
  });

  it("does not stand because the process was stopped for long", () => {
    const { backlog, admission, come, many, pass, log } = stage();
    backlog.isThere = true;
    many(5);
    for (let tick = 0; tick < 3; tick += 1) pass(5_000, 1);
    come("patient");
    expect(log).toEqual(["x0 begins", "x1 begins"]);
    pass(500, 1);
    come("refused");
    expect(log.at(-1)).toBe("refused queue_time");
    expect(admission.waiting).toBe(1);
  });

  it("has an end", () => {
    const { backlog, come, many, log } = stage({ queuedRequests: 3 });
    backlog.isThere = true;
    many(6);
    come("urgent", { isUrgent: true });
    expect(log.slice(2)).toEqual(["x5 queue_full", "urgent queue_full"]);
  });

  it("that does not move at all is refused in the end", () => {
    const { backlog, admission, many, idle, log, pending } = stage();
    backlog.isThere = true;
    many(4);
    idle(1100);
    expect(log.slice(2)).toEqual(["x2 queue_time", "x3 queue_time"]);
    expect(admission).toMatchObject({ active: 2, waiting: 0 });
    expect(pending()).toBe(0);
  });

  it("lets the urgent go first, and refuses none of them because of others", () => {
    const { backlog, come, many, go, idle, log } = stage();
    backlog.isThere = true;
    many(3);
    idle(300);
    come("ordinary");
    come("urgent", { isUrgent: true });
    go("x0");
    go("x1");
    expect(log.slice(2)).toEqual(["ordinary queue_time", "urgent begins", "x2 begins"]);
  });

  it("lets the patient wait for as long as anybody does, in their order", () => {
    const { backlog, come, many, go, idle, log } = stage();
    backlog.isThere = true;
    many(3);
    idle(300);
    come("ordinary");
    come("patient", { isNeverRefused: true });
    go("x0");
    go("x1");
    expect(log.slice(2)).toEqual(["ordinary queue_time", "x2 begins", "patient begins"]);
  });
});

it("looks at nothing any more once it is stopped", () => {
  const { admission, backlog, many, pass, pending } = stage();
  backlog.isThere = true;
  many(3);
  pass(1, 1);
  expect(pending()).toBe(1);
  admission.stop();
  expect(pending()).toBe(0);
});
