import { setImmediate as setImmediately } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLogger, createSecretFilter } from "./logger.ts";
import { createMetrics } from "./metrics.ts";
import { childTraceparent, parseTraceparent } from "./trace.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";

describe("parseTraceparent", () => {
  it.each([
    [`00-${traceId}-${spanId}-01`, "01"],
    [`00-${traceId}-${spanId}-00`, "00"],
    [`01-${traceId}-${spanId}-01-later`, "01"],
  ])("reads %s", (header, flags) => {
    expect(parseTraceparent(header)).toEqual({ traceId, spanId, flags });
  });

  it.each([
    undefined,
    "",
    "x",
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${"0".repeat(32)}-${spanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
  ])("ignores %j", (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it("keeps trace and flags for what is called next, under a new span", () => {
    const child = parseTraceparent(childTraceparent({ traceId, spanId, flags: "00" }));
    expect(child).toMatchObject({ traceId, flags: "00" });
    expect(child?.spanId).not.toBe(spanId);
    expect(parseTraceparent(childTraceparent(undefined))?.flags).toBe("01");
  });
});

describe("the logger", () => {
  /** In lines for machines and for people. */
  const time = /"\d{4}-\d\d-\d\dT[\d:.]+Z"|^\d\d:\d\d:\d\d/;
  const written = (
    settings: { level: string; pretty: boolean },
    write: (log: ReturnType<typeof createLogger>) => void,
  ): string => {
    let text = "";
    write(createLogger(settings, { write: (line) => void (text += line) }));
    return text;
  };

  it("changes the level of all its children, also of those that were made before", () => {
    const lines = written({ level: "error", pretty: false }, (log) => {
      const child = log.child({ area: "x", name: "child" });
      const inner = child.child({ name: "inner" });
      child.info({}, "too early");
      log.setLevel("info");
      inner.info({ count: 1 }, "now");
      child.debug({}, "not yet");
      log.setLevel("warn");
      for (const each of [log, child, inner]) each.info({}, "too late");
    });
    expect(JSON.parse(lines)).toMatchObject({ area: "x", name: "inner", count: 1, message: "now" });
  });

  it("writes JSON lines with level, time and message", () => {
    const line = written({ level: "info", pretty: false }, (log) => {
      log.debug({}, "not this one");
      log.child({ requestId: "r1" }).warn({ count: 2 }, "hello");
    });
    expect(JSON.parse(line)).toEqual({
      level: "warn",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      requestId: "r1",
      count: 2,
      message: "hello",
    });
  });

  it("writes plain lines as all others", () => {
    const field = fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.constant(undefined));
    const fields = fc.dictionary(fc.constantFrom("requestId", "path", "status", "ms", "actor"), field);
    fc.assert(
      fc.property(fields, fc.string({ unit: "binary" }), fc.boolean(), (plain, message, pretty) => {
        const lines = written({ level: "info", pretty }, (log) => {
          log.plain("warn", plain, message);
          log.plain("debug", plain, "not this one");
        });
        const same = written({ level: "info", pretty }, (log) => log.warn(plain, message));
        expect(lines.replace(time, "")).toBe(same.replace(time, ""));
      }),
    );
  });

  it("writes errors with their causes and no secrets", () => {
    const cause = new Error("inner");
    const line = written({ level: "info", pretty: false }, (log) => {
      log.error(
        { error: new Error("outer", { cause }), password: "p1", headers: { Authorization: "p2" } },
        "x",
      );
    });
    expect(line).not.toMatch(/p1|p2/);
    expect(JSON.parse(line)).toMatchObject({
      password: "[redacted]",
      headers: { Authorization: "[redacted]" },
      error: { message: expect.stringContaining("outer"), cause: { message: "inner" } },
    });
  });

  it("knows secrets by any of their names", () => {
    const fields = {
      clientSecret: "p1",
      peer: { passwd: "p2", "x-api-key": "p3", sas: "p4" },
      token_count: 5,
    };
    expect(createSecretFilter()(fields)).toEqual({
      clientSecret: "[redacted]",
      peer: { passwd: "[redacted]", "x-api-key": "[redacted]", sas: "[redacted]" },
      token_count: 5,
    });
  });

  it("leaves fields without secrets untouched", () => {
    const fields = { a: 1, nested: { b: 2 } };
    expect(createSecretFilter()(fields)).toBe(fields);
  });

  it("writes lines for people", () => {
    const line = written({ level: "info", pretty: true }, (log) => log.info({ unit: "a b", n: 1 }, "hello"));
    expect(line).toMatch(/^\d\d:\d\d:\d\d INFO {2}hello unit=a b n=1\n$/);
  });
});

it("metrics of two servers do not mix, and each series is counted", async () => {
  const [one, two] = [createMetrics({ processMetrics: false }), createMetrics()];
  one.observeRequest("getUnit", 200, 0.002);
  one.observeRequest("getUnit", 200, 0.2);
  expect(await one.text()).toContain(
    'http_request_duration_seconds_count{operation="getUnit",status="200"} 2',
  );
  const text = await two.text();
  expect(text).not.toContain("getUnit");
  expect(text).toContain("process_cpu_seconds_total");
});

describe("the event loop's delay", () => {
  const longest = async ({ text }: ReturnType<typeof createMetrics>): Promise<number> =>
    Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await text())?.[1]);

  it("is the longest that something held the loop since the last scrape, wherever it was called from", async () => {
    const metrics = createMetrics();
    await setImmediately();
    await longest(metrics);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300));
    await setImmediately();
    await setImmediately();
    await setImmediately();
    expect(await longest(metrics)).toBeGreaterThan(0.25);
    // On a busy machine the loop may be blocked as long once more. A maximum that a scrape does not reset would never fall.
    await expect.poll(() => longest(metrics)).toBeLessThan(0.25);
  });
});
