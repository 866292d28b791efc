import { expect, test } from "vitest";
import { createLogBuffer } from "./log-buffer.ts";
import { createPlanStore } from "./plan-store.ts";
import { nodeOf } from "./testdata.ts";

const event = (id: number, name: string, data: object) => ({
  id: String(id),
  event: name,
  data: JSON.stringify(data),
});
const task = (id: number, taskId: string, status: string, more: object = {}) =>
  event(id, "task", { id: taskId, status, action: "PROVISION", componentId: null, ...more });
const line = (id: number, message: string) =>
  event(id, "log", {
    timestamp: "2026-01-01T00:00:00.000Z",
    severity: "INFO",
    task: null,
    message,
    phase: "PROVISIONING",
  });

const storeOf = () => {
  const store = createPlanStore("p");
  store.load([
    nodeOf("a"),
    nodeOf("b", { status: "COMPLETED", message: "made" }),
    nodeOf("p", { kind: "plan" }),
  ]);
  return store;
};

test("an event moves its task and tells those who follow it, and nobody else", () => {
  const store = storeOf();
  const told: string[] = [];
  store.subscribe("a", () => told.push("a"));
  const stop = store.subscribe("b", () => told.push("b"));
  expect(store.apply([task(1, "a", "RUNNING", { startTime: "1970-01-01T00:00:01.000Z" })])).toBe(true);
  expect(store.get("a")).toMatchObject({ status: "RUNNING", startedAt: 1000, stoppedAt: null });
  expect(told).toEqual(["a"]);
  expect(store.progress.get()).toMatchObject({ total: 2, running: 1, done: 1 });
  stop();
  store.load([nodeOf("b", { status: "COMPLETED", message: "made again" })]);
  expect(told).toEqual(["a"]);
});

test("events of an older state, of other tasks and of other plans change nothing", () => {
  const store = storeOf();
  const before = store.nodes.get();
  expect(store.apply([task(1, "b", "RUNNING"), task(2, "unknown", "FAILED")])).toBe(false);
  expect(store.apply([event(3, "plan", { id: "q", status: "COMPLETED" })])).toBe(false);
  expect(store.nodes.get()).toBe(before);
  store.load([nodeOf("b", { status: "RUNNING" })]);
  expect(store.get("b")).toMatchObject({ status: "COMPLETED", message: "made" });
});

test("the plan's own event ends it, at its time", () => {
  const store = storeOf();
  store.apply([event(1, "plan", { id: "p", status: "COMPLETED", at: "1970-01-01T00:00:09.000Z" })]);
  expect(store.get("p")).toMatchObject({ status: "COMPLETED", stoppedAt: 9000 });
});

test("a status tells reasons and messages that events do not have", () => {
  const store = storeOf();
  const waiting = { reason: "Waits for b.", since: "2026-01-01T00:00:00.000Z" };
  store.load([nodeOf("a", { waiting })]);
  expect(store.get("a")?.waiting).toEqual(waiting);
  store.apply([task(1, "a", "RUNNING")]);
  expect(store.get("a")?.waiting).toBeNull();
});

test("the log keeps its last lines, each once, and counts the others", () => {
  const log = createLogBuffer(3);
  log.add([line(1, "one"), line(2, "two")]);
  log.add([line(2, "two"), line(3, "three"), line(4, "four")]);
  expect(log.lines.get().map(({ id, message }) => [id, message])).toEqual([
    [2, "two"],
    [3, "three"],
    [4, "four"],
  ]);
  expect(log.dropped()).toBe(1);
});
