import { expect, test } from "vitest";
import { foldRun } from "./fold-run.ts";
import { callsOf, emptyRun, pendingApprovals, stateOf, workedMs, type RunView } from "./run-view.ts";
import { runsOf, storedBlocks, type Message } from "./stored-run.ts";

type Given = { type: string; [field: string]: unknown };

const fold = (events: readonly Given[], before: RunView = emptyRun("r"), from = before.lastSeq): RunView =>
  foldRun(
    before,
    events.map((data, index) => ({
      id: String(from + index + 1),
      event: data.type,
      data: JSON.stringify(data),
    })),
  );

const start = (id: string, name: string, more: object = {}): Given => ({
  type: "TOOL_CALL_START",
  toolCallId: id,
  toolCallName: name,
  ...more,
});
const result = (id: string, content: string, timestamp = 0): Given => ({
  type: "TOOL_CALL_RESULT",
  toolCallId: id,
  messageId: `r-${id}`,
  content,
  role: "tool",
  timestamp,
});
const custom = (name: string, value: object, timestamp?: number): Given => ({
  type: "CUSTOM",
  name,
  value,
  ...(timestamp !== undefined && { timestamp }),
});
const saying = (id: string, ...deltas: string[]): Given[] => [
  { type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" },
  ...deltas.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta })),
];

test("pieces of text are one text, and what an event does not touch stays the same object", () => {
  const first = fold([
    { type: "RUN_STARTED", threadId: "s", runId: "r" },
    ...saying("m1", "Two ", "words"),
    start("c", "look"),
  ]);
  expect(first).toMatchObject({ sessionId: "s", lastSeq: 5 });
  expect(first.blocks).toMatchObject([
    { kind: "text", text: "Two words", isOpen: true },
    { kind: "call", name: "look" },
  ]);
  const second = fold(saying("m2", "More"), first);
  expect(second.blocks[0]).toBe(first.blocks[0]);
  expect(second.blocks[1]).toBe(first.blocks[1]);
});

test("events that come once more after a reload change nothing", () => {
  const view = fold(saying("m", "once"));
  expect(fold(saying("m", "once"), view, 0)).toBe(view);
  expect(fold([{ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "!" }], view).blocks).toMatchObject([
    { text: "once!" },
  ]);
});

test("calls of an agent are within the call that asks it, also of two that work side by side", () => {
  const { blocks } = fold([
    start("a", "ask_one"),
    { type: "STEP_STARTED", stepName: "The one (a)" },
    start("b", "ask_other"),
    { type: "STEP_STARTED", stepName: "The (other) (b)" },
    start("a1", "look", { parentToolCallId: "a" }),
    start("b1", "look", { parentToolCallId: "b" }),
    result("a1", "seen"),
  ]);
  expect(blocks).toMatchObject([
    { id: "a", agent: "The one", calls: [{ id: "a1", result: "seen" }] },
    { id: "b", agent: "The (other)", calls: [{ id: "b1", result: null }] },
  ]);
});

test("a call that was approved took the time after the approval; its result has no marks", () => {
  const asked = fold([
    start("c", "platform__start", { timestamp: 1000 }),
    custom("approval_required", {
      approval_id: "p",
      tool_call_id: "c",
      agents: ["Main"],
      server: "platform",
      tool: "start",
      arguments: { a: 1 },
      expires_at: "2026-01-01T00:00:00.000Z",
    }),
  ]);
  expect(pendingApprovals(asked)).toMatchObject([{ id: "p", arguments: { a: 1 } }]);
  const done = fold(
    [
      custom("approval_decided", { tool_call_id: "c", decision: "approved", arguments: { a: 2 } }, 60_000),
      result("c", 'Said.\n<data-ab12 source="tool platform:start">\n{"planToken":"t"}\n</data-ab12>', 60_250),
    ],
    asked,
  );
  const [call] = callsOf(done.blocks);
  expect(call).toMatchObject({ result: 'Said.\n{"planToken":"t"}', approval: { edited: { a: 2 } } });
  expect(call && [workedMs(call), stateOf(call)]).toEqual([250, "done"]);
  expect(pendingApprovals(done)).toEqual([]);
});

test.each([
  ['<data-ab source="tool x:y error">\nNo such unit\n</data-ab>', "failed"],
  ["Error: there is no tool here.", "failed"],
  ['<data-ab source="tool x:y">\nThe error was small\n</data-ab>', "done"],
])("the result %j is %s", (content, state) => {
  const [call] = callsOf(fold([start("c", "x__y"), result("c", content)]).blocks);
  expect(call && stateOf(call)).toBe(state);
});

test("a turn that is repeated takes back its text and its calls", () => {
  const { blocks } = fold([
    ...saying("m1", "Kept"),
    ...saying("m2", "Half of"),
    start("a", "ask_one"),
    start("a1", "look", { parentToolCallId: "a" }),
    custom("turn_repeated", { message_ids: ["m2"], tool_call_ids: ["a1"] }),
    ...saying("m3", "The whole"),
  ]);
  expect(blocks).toMatchObject([
    { text: "Kept" },
    { id: "a", calls: [] },
    { kind: "note" },
    { text: "The whole" },
  ]);
});

test("the end says whether the answer is whole, and why it is not", () => {
  const usage = { input_tokens: 3, output_tokens: 4, cached_tokens: 0, cost: 0.5 };
  const finished = { type: "RUN_FINISHED", result: { message: "m", limited: true, truncated: false, usage } };
  expect(fold([finished]).end).toEqual({
    kind: "answered",
    isLimited: true,
    isTruncated: false,
    use: { inputTokens: 3, outputTokens: 4, cost: 0.5 },
  });
  expect(fold([{ type: "RUN_ERROR", code: "run_cancelled", message: "Cancelled." }]).end).toEqual({
    kind: "failed",
    code: "run_cancelled",
    message: "Cancelled.",
  });
});

test("events that are no JSON, unknown, or of unknown calls are passed over", () => {
  const view = foldRun(emptyRun("r"), [
    { id: "1", event: "RUN_STARTED", data: "{" },
    { id: "2", event: "toString", data: "{}" },
    { id: "3", event: "TOOL_CALL_RESULT", data: '{"toolCallId":"unknown","content":"x"}' },
    { id: "", event: "TEXT_MESSAGE_START", data: '{"messageId":"m"}' },
  ]);
  expect(view.blocks).toEqual([]);
});

test("the messages of a session are runs; one without an answer has not ended", () => {
  const message = (id: string, run: string, role: "user" | "assistant", content: string): Message => ({
    id,
    run_id: run,
    role,
    content,
    tool_calls: role === "user" ? [] : [{ id: "c", name: "look", arguments: "{}", result: "seen" }],
    skills: [],
    created_at: "2026-01-01T00:00:00.000Z",
  });
  const runs = runsOf([
    message("1", "a", "user", "First?"),
    message("2", "a", "assistant", "Yes."),
    message("3", "b", "user", "Second?"),
  ]);
  expect(runs).toMatchObject([
    { runId: "a", question: "First?", answer: { content: "Yes." } },
    { runId: "b", question: "Second?", answer: null },
  ]);
  const [first] = runs;
  expect(first?.answer && storedBlocks(first.answer)).toMatchObject([
    { kind: "call", result: "seen", startedAt: null },
    { kind: "text", text: "Yes." },
  ]);
});
