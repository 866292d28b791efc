import { describe, expect, it } from "vitest";
import { silentLogger } from "../lib/logger.ts";
import { createDatabaseNumbers } from "./database-numbers.ts";
import { boundValues, createInstruments, maxSeries, type Instruments } from "./instruments.ts";
import { createMetrics } from "./metrics.ts";

const textOf = async (instruments: Instruments): Promise<string[]> => {
  const text = await createMetrics({ processMetrics: false, instruments }).text();
  return text.split("\n").filter((line) => line.startsWith("x_"));
};

describe("instruments", () => {
  it("count, observe and fill, and are shown as Prometheus reads them", async () => {
    const instruments = createInstruments();
    const calls = instruments.counter({ name: "x_calls_total", help: "Calls.", labels: ["to", "how"] });
    calls.add(["a", "ok"]);
    calls.add(["a", "ok"], 2);
    calls.add(['b"\n', "no"]);
    instruments.counter({ name: "x_plain_total", help: "Without labels." });
    const seconds = instruments.histogram({ name: "x_seconds", help: "Time.", buckets: [0.1, 1] });
    for (const value of [0.1, 0.5, 7]) seconds.observe(value);
    instruments.gauge({ name: "x_open", help: "Now.", labels: ["state"] }, (set) => set(4, ["up"]));
    expect(await textOf(instruments)).toEqual([
      'x_calls_total{to="a",how="ok"} 3',
      'x_calls_total{to="b\\"\\n",how="no"} 1',
      "x_plain_total 0",
      'x_seconds_bucket{le="0.1"} 1',
      'x_seconds_bucket{le="1"} 2',
      'x_seconds_bucket{le="+Inf"} 3',
      "x_seconds_sum 7.6",
      "x_seconds_count 3",
      'x_open{state="up"} 4',
    ]);
  });

  it("one that is asked for twice is one, and two gauges of a name are a mistake", async () => {
    const instruments = createInstruments();
    const about = { name: "x_total", help: "Twice." };
    instruments.counter(about).add();
    instruments.counter(about).add();
    expect(await textOf(instruments)).toEqual(["x_total 2"]);
    instruments.gauge({ name: "x_now", help: "Once." }, () => {});
    expect(() => instruments.gauge({ name: "x_now", help: "Once." }, () => {})).toThrow("two metrics x_now");
    expect(() => instruments.counter(about).add(["a"])).toThrow("x_total has the labels , not 1 values");
  });

  it("what is beyond the bound of series is counted as other, and nothing is lost", async () => {
    const instruments = createInstruments();
    const calls = instruments.counter({ name: "x_total", help: "Many.", labels: ["id"] });
    for (let id = 0; id < maxSeries + 5; id++) calls.add([`${id}`]);
    const lines = await textOf(instruments);
    expect(lines).toHaveLength(maxSeries + 1);
    expect(lines.at(-1)).toBe('x_total{id="other"} 5');
  });

  it("bounds the values of a label", () => {
    const bound = boundValues(2);
    expect(["a", "b", "c", "a", "d"].map(bound)).toEqual(["a", "b", "other", "a", "other"]);
  });
});

describe("numbers of a database", () => {
  const settings = { databaseEveryMs: 60_000, databaseWaitMs: 60_000 };

  it("are read once for all gauges and scrapes within the time", async () => {
    let reads = 0;
    const instruments = createInstruments();
    const numbers = createDatabaseNumbers(instruments, settings, silentLogger)("plans", async () => ++reads);
    numbers.gauge({ name: "x_one", help: "One." }, (found, set) => set(found));
    numbers.gauge({ name: "x_two", help: "Two." }, (found, set) => set(found * 10));
    expect(await Promise.all([textOf(instruments), textOf(instruments)])).toEqual([
      ["x_one 1", "x_two 10"],
      ["x_one 1", "x_two 10"],
    ]);
    expect(await textOf(instruments)).toEqual(["x_one 1", "x_two 10"]);
    expect(reads).toBe(1);
  });

  it.each([
    ["does not answer", () => new Promise<number>(() => {}), 1],
    ["refuses", () => Promise.reject(new Error("away")), 60_000],
  ])("a source that %s is left out, and a gauge says so", async (_, read, databaseWaitMs) => {
    const instruments = createInstruments();
    const logged: unknown[] = [];
    const log = { ...silentLogger, warn: (fields: unknown) => void logged.push(fields) };
    const add = createDatabaseNumbers(instruments, { databaseEveryMs: 0, databaseWaitMs }, log);
    add("good", async () => 7).gauge({ name: "x_good", help: "There." }, (found, set) => set(found));
    add("bad", read).gauge({ name: "x_bad", help: "Away." }, (found, set) => set(found));
    for (const _scrape of [1, 2]) {
      const text = await createMetrics({ processMetrics: false, instruments }).text();
      expect(text).toContain("\nx_good 7\n");
      expect(text).not.toContain("\nx_bad ");
      expect(text).toContain('plinth_metrics_source_up{source="good"} 1');
      expect(text).toContain('plinth_metrics_source_up{source="bad"} 0');
    }
    // Once, not at every scrape.
    expect(logged.length).toBeLessThanOrEqual(1);
  });

  it("a source that hangs is not read a second time meanwhile, and is shown again when it is back", async () => {
    const instruments = createInstruments();
    let reads = 0;
    const { promise, resolve } = Promise.withResolvers<number>();
    const read = (): Promise<number> => {
      reads++;
      return promise;
    };
    createDatabaseNumbers(
      instruments,
      { databaseEveryMs: 0, databaseWaitMs: 1 },
      silentLogger,
    )("slow", read).gauge({ name: "x_slow", help: "Late." }, (found, set) => set(found));
    expect(await textOf(instruments)).toEqual([]);
    expect(await textOf(instruments)).toEqual([]);
    expect(reads).toBe(1);
    resolve(3);
    await expect.poll(() => textOf(instruments)).toEqual(["x_slow 3"]);
  });
});
