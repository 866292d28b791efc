import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogBuffer } from "../model/log-buffer.ts";
import { createReader, onFreshLines } from "./read-again.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const line = (id: number, task: string | null) => ({
  id: String(id),
  event: "log",
  data: JSON.stringify({
    timestamp: "2026-01-01T00:00:00.000Z",
    severity: "INFO",
    task,
    message: "",
    phase: "PROVISIONING",
  }),
});

test.each([
  ["one task", "a", 1],
  ["the whole plan", undefined, 3],
])("the log of %s is read again when lines of it come", (_what, taskId, times) => {
  const buffer = createLogBuffer();
  buffer.add([line(1, "a")]);
  const onFresh = vi.fn();
  const stop = onFreshLines(buffer.lines, taskId, onFresh);
  buffer.add([line(2, "b")]);
  buffer.add([line(3, "b"), line(4, "a")]);
  buffer.add([line(5, null)]);
  expect(onFresh).toHaveBeenCalledTimes(times);
  stop();
  buffer.add([line(6, "a")]);
  expect(onFresh).toHaveBeenCalledTimes(times);
});

test("many wishes are one reading, and those during a reading are one more after it", async () => {
  const ends: (() => void)[] = [];
  const read = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
  const { want, stop } = createReader(read, 1000);
  want();
  want();
  await vi.advanceTimersByTimeAsync(1000);
  expect(read).toHaveBeenCalledTimes(1);
  // It takes long: another one beside it would cancel it, again and again.
  want();
  want();
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toHaveBeenCalledTimes(1);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(1000);
  expect(read).toHaveBeenCalledTimes(2);
  ends[1]?.();
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toHaveBeenCalledTimes(2);
  want();
  stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(read).toHaveBeenCalledTimes(2);
});
