import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshLogs, maxLogLines, storedLogKey } from "./ends.ts";

const at = new Date(0);
const entry = (message: string) => ({ level: "INFO" as const, message });
const newTask = () => ({ taskId: "t", action: "PROVISION" as const, seenLogs: new Set<string>() });

describe("log lines of an adapter", () => {
  it("are stored once, whether the adapter sends all, the new or the same ones", () => {
    const task = newTask();
    const texts = (...messages: string[]) =>
      freshLogs(task, messages.map(entry), at).map((line) => line.message);
    expect(texts("a", "b")).toEqual(["a", "b"]);
    expect(texts("a", "b", "c")).toEqual(["c"]);
    expect(texts("d")).toEqual(["d"]);
    expect(texts("a", "d")).toEqual([]);
    expect(texts("e", "e")).toEqual(["e"]);
  });

  it("of any growing log arrive complete and in order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 20 }),
        fc.array(fc.nat(20)),
        (all, cuts) => {
          const task = newTask();
          const got: string[] = [];
          for (const cut of [...cuts.toSorted((a, b) => a - b), all.length])
            got.push(...freshLogs(task, all.slice(0, cut).map(entry), at).map((line) => line.message));
          expect(got).toEqual(all);
        },
      ),
    );
  });

  it("differ by time and severity too", () => {
    const lines = [
      { level: "INFO" as const, message: "a" },
      { level: "ERROR" as const, message: "a" },
      { level: "INFO" as const, message: "a", timestamp: "2026-11-21T08:00:00.000Z" },
    ];
    expect(freshLogs(newTask(), [...lines, ...lines], at)).toHaveLength(3);
  });

  it("are limited in number, with one warning, and in length", () => {
    const task = newTask();
    const lines = freshLogs(
      task,
      Array.from({ length: maxLogLines + 5 }, (_, n) => entry(`${n}`)),
      at,
    );
    expect(lines).toHaveLength(maxLogLines + 1);
    expect(lines.at(-1)?.severity).toBe("WARNING");
    expect(freshLogs(task, [entry("more")], at)).toEqual([]);
    expect(freshLogs(newTask(), [entry("x".repeat(5_000))], at)[0]?.message).toHaveLength(4_001);
  });

  it("that are in the plan's log already are not stored again", () => {
    const task = newTask();
    const stored = { task: "t", severity: "INFO", adapterTimestamp: null, adapterPhase: null } as const;
    task.seenLogs.add(storedLogKey({ ...stored, message: "a" }));
    task.seenLogs.add(storedLogKey({ ...stored, message: "c", adapterPhase: "plan" }));
    const again = [entry("a"), entry("b"), { ...entry("c"), phase: "plan" }];
    expect(freshLogs(task, again, at).map((line) => line.message)).toEqual(["b"]);
  });

  it("keep the adapter's phase, by which equal texts differ", () => {
    const lines = ["plan", "apply"].map((phase) => ({ ...entry("starts"), phase }));
    expect(freshLogs(newTask(), lines, at)).toMatchObject([
      { phase: "PROVISIONING:ADAPTER", message: "starts", adapterPhase: "plan" },
      { phase: "PROVISIONING:ADAPTER", message: "starts", adapterPhase: "apply" },
    ]);
  });
});
