import { expect, it } from "vitest";
import { foldTask, type TaskUpdate, type TaskView } from "./fold-task.ts";
import { eventOf } from "./dialects.ts";

const start: TaskView = {
  id: "t",
  contextId: "c",
  state: "submitted",
  at: null,
  userMessage: { messageId: "m", text: "Go" },
  text: "",
  pending: [],
  problem: null,
  limited: false,
};

const log = (...events: object[]): string[] => events.map((event) => JSON.stringify(event));
const begin = { type: "TEXT_MESSAGE_START", messageId: "1", role: "assistant" };
const say = (delta: string) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "1", delta });
const ask = (id: string) => ({ type: "CUSTOM", name: "approval_required", value: { approval_id: id } });
const decided = (id: string) => ({ type: "CUSTOM", name: "approval_decided", value: { approval_id: id } });
const finish = (message: string, limited = false) => ({
  type: "RUN_FINISHED",
  result: { message, limited },
});

const short = (updates: TaskUpdate[]) =>
  updates.map((update) =>
    update.kind === "artifact" ? [update.append, update.text] : [update.kind, update.view.state],
  );

it("puts the text of a new message in place of the one before, wherever a batch ends", () => {
  const fold = foldTask(start, new Set());
  expect(short(fold.apply(log({ type: "RUN_STARTED" })))).toEqual([]);
  expect(short(fold.apply(log(begin, say("I "), say("look"))))).toEqual([
    ["status", "working"],
    [false, "I look"],
  ]);
  expect(short(fold.apply(log(say("."))))).toEqual([[true, "."]]);
  expect(short(fold.apply(log(begin)))).toEqual([]);
  expect(short(fold.apply(log(say("Bl"), say("ue"))))).toEqual([[false, "Blue"]]);
  expect(short(fold.apply(log(finish("Blue", true))))).toEqual([["status", "completed"]]);
  expect(fold.view()).toMatchObject({ text: "Blue", limited: true });
});

it("ends with the answer of the run, whatever was streamed last", () => {
  const fold = foldTask(start, new Set());
  fold.apply(log(begin, say("  ")));
  expect(short(fold.apply(log(finish("Best so far"))))).toEqual([
    [false, "Best so far"],
    ["status", "completed"],
  ]);
});

it("asks once for all approvals of a turn, and works on when none is open", () => {
  const fold = foldTask(start, new Set(["gone"]));
  expect(short(fold.apply(log(ask("gone"), ask("one"), ask("two"))))).toEqual([
    ["status", "working"],
    ["status", "input-required"],
  ]);
  expect(fold.view().pending.map(({ approval_id: id }) => id)).toEqual(["one", "two"]);
  expect(short(fold.apply(log(decided("gone"))))).toEqual([]);
  expect(short(fold.apply(log(decided("one"), { type: "TOOL_CALL_RESULT" })))).toEqual([
    ["status", "input-required"],
  ]);
  expect(short(fold.apply(log(decided("two"), begin, say("Done"))))).toEqual([
    ["status", "working"],
    [false, "Done"],
  ]);
});

it.each([
  ["run_cancelled", "canceled"],
  ["model_unavailable", "failed"],
])("ends by %s", (code, state) => {
  const fold = foldTask(start, new Set());
  fold.apply(log(begin, say("Half")));
  const [update] = fold.apply(log({ type: "RUN_ERROR", code, message: "It broke." }));
  expect(eventOf("0.3", update!, true)).toEqual({
    kind: "status-update",
    taskId: "t",
    contextId: "c",
    status: {
      state,
      message: {
        kind: "message",
        taskId: "t",
        contextId: "c",
        role: "agent",
        messageId: "t-end",
        parts: [{ kind: "text", text: "It broke." }],
        metadata: { code },
      },
    },
    final: true,
  });
  expect(fold.view().text).toBe("Half");
});
