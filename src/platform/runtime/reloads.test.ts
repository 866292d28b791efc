import { setImmediate as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { inspect } from "../config/testdata.ts";
import type { Config } from "../config/schema/schema.ts";
import { Failure } from "../errors/failure.ts";
import { silentLogger, type Logger } from "../lib/logger.ts";
import { createReloadRequests } from "./reload-requests.ts";
import { createReloads } from "./reloads.ts";

const config = (level: string): Config => inspect(`log: { level: ${level} }`).config;

describe("reloads", () => {
  it("are taken by all parts at once, or by none", async () => {
    const reloads = createReloads(config("info"));
    const taken: string[] = [];
    let refuses = true;
    reloads.add(async ({ log }) => {
      if (refuses) throw new Error("not this one");
      await pause();
      return () => void taken.push(`first ${log.level} ${reloads.config().log.level}`);
    });
    reloads.add(
      ({ log }) =>
        () =>
          void taken.push(`second ${log.level}`),
    );
    await expect(reloads.reload(config("debug"))).rejects.toThrow("not this one");
    expect([taken, reloads.config().log.level]).toEqual([[], "info"]);
    refuses = false;
    expect(await reloads.reload(config("debug"))).toEqual({ changed: ["log.level"], needRestart: [] });
    expect(taken).toEqual(["second debug", "first debug debug"]);
  });

  it("come one after another", async () => {
    const reloads = createReloads(config("info"));
    const steps: string[] = [];
    reloads.add(async ({ log }) => {
      steps.push(`prepare ${log.level}`);
      await pause();
      return () => void steps.push(`take ${log.level}`);
    });
    await Promise.all([reloads.reload(config("debug")), reloads.reload(config("warn"))]);
    expect(steps).toEqual(["prepare debug", "take debug", "prepare warn", "take warn"]);
  });
});

describe("requests for a reload", () => {
  /** A log whose lines can be read. */
  function recorder(): { log: Logger; lines: string[] } {
    const lines: string[] = [];
    const write =
      (level: string) =>
      (fields: object, message: string): void =>
        void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    return {
      lines,
      log: { ...silentLogger, info: write("info"), warn: write("warn"), error: write("error") },
    };
  }

  it("wait for the end of the start, are gathered while one is answered, and are nothing at a stop", async () => {
    const reloads = createReloads(config("info"));
    let loads = 0;
    reloads.add(async () => {
      await pause();
      return () => undefined;
    });
    const load = () => {
      loads += 1;
      return { config: config("debug"), warnings: [] };
    };
    const requests = createReloadRequests({ load, log: silentLogger });
    for (let times = 0; times < 3; times += 1) requests.request();
    expect(loads).toBe(0);
    requests.begin(reloads);
    for (let times = 0; times < 3; times += 1) requests.request();
    await expect.poll(() => loads).toBe(2);
    await expect.poll(() => reloads.config().log.level).toBe("debug");
    requests.end();
    requests.request();
    for (let times = 0; times < 5; times += 1) await pause();
    expect(loads).toBe(2);
  });

  it("are answered by a line with what was taken, what waits for a restart, or every problem", async () => {
    const reloads = createReloads(config("info"));
    const { log, lines } = recorder();
    let answer = (): { config: Config; warnings: [] } => ({
      config: { ...config("debug"), dataDir: "elsewhere" },
      warnings: [],
    });
    const requests = createReloadRequests({ load: () => answer(), log });
    requests.begin(reloads);
    requests.request();
    await expect.poll(() => lines).toHaveLength(2);
    expect(lines).toEqual([
      'info the configuration was read again {"changed":["log.level"]}',
      'warn restart to apply: dataDir {"settings":["dataDir"]}',
    ]);
    answer = () => {
      throw new Failure({
        kind: "invalid",
        code: "PLATFORM_CONFIG",
        message: "The configuration has 2 problems.",
        problems: [
          { where: "a.yaml:1:2", message: "x is bad", solution: "Do y." },
          { where: "b", message: "z" },
        ],
        solutions: ["Again."],
      });
    };
    requests.request();
    await expect.poll(() => lines).toHaveLength(3);
    expect(lines[2]).toMatch(/^error the configuration was not taken, and nothing has changed /);
    expect(lines[2]).toContain('["a.yaml:1:2 x is bad. Do y.","b z"]');
    answer = () => {
      throw new Error("a defect");
    };
    requests.request();
    await expect.poll(() => lines).toHaveLength(4);
    answer = () => ({ config: config("warn"), warnings: [] });
    requests.request();
    await expect.poll(() => reloads.config().log.level).toBe("warn");
  });
});
