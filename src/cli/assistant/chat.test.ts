/** `chat` against a server that plays its answers: what it sends, prints, asks and ends with. */
import { expect, test } from "vitest";
import { playServer, run } from "../testdata.ts";

const base = "/api/assistant/v2";
const start = { type: "RUN_STARTED", threadId: "s1", runId: "r1" };
const say = (...deltas: string[]) => [
  { type: "TEXT_MESSAGE_START", messageId: "m" },
  ...deltas.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta })),
  { type: "TEXT_MESSAGE_END", messageId: "m" },
];
const end = { type: "RUN_FINISHED", result: { limited: false } };
const approval = {
  type: "CUSTOM",
  name: "approval_required",
  value: { approval_id: "a1", server: "yard", tool: "haul", arguments: { at: "sea" } },
};

const events = (list: { type: string }[]) => ({
  events: list.map((data, n) => ({ id: n + 1, type: data.type, data })),
});

const played = (list: { type: string }[]) =>
  playServer({
    [`POST ${base}/task`]: events([start]),
    [`GET ${base}/runs/r1/events`]: events([start, ...list]),
    [`POST ${base}/runs/r1/approvals/a1`]: { body: { id: "a1", status: "approved" } },
    [`POST ${base}/runs/r1/cancel`]: { body: { id: "r1", status: "cancelled" } },
    [`GET ${base}/agents`]: { body: { data: [{ id: "id-of-builder", name: "builder" }] } },
  });

test("prints the answer as it comes, without what could move the cursor", async () => {
  const tool = { type: "TOOL_CALL_START", toolCallName: "platform__search" };
  await using server = await played([tool, ...say("Good ", "\u001B[2Jmorning\n"), end]);
  const args = ["chat", "Hello", "--agent", "builder", "--session", "s0", "--url", server.url];
  const { code, out, err } = await run(args);
  expect([code, out, err]).toEqual([0, "Good  [2Jmorning\n\n", "· platform__search\n"]);
  const task = server.received.find(({ path }) => path === `${base}/task`);
  expect(JSON.parse(task!.body)).toEqual({ message: "Hello", agent_id: "id-of-builder", session_id: "s0" });
});

test("without a message it goes on in one session until the input ends", async () => {
  await using server = await played([...say("Aye."), end]);
  const lines = ["One", "", "Two"];
  const { code, out } = await run(["chat", "--url", server.url], { answer: () => lines.shift() ?? null });
  expect([code, out]).toEqual([0, "Aye.\nAye.\n"]);
  const tasks = server.received.filter(({ path }) => path === `${base}/task`);
  expect(tasks.map(({ body }) => JSON.parse(body))).toEqual([
    { message: "One" },
    { message: "Two", session_id: "s1" },
  ]);
});

test.each([
  ["y", true],
  ["yes", true],
  ["n", false],
  ["", false],
  [null, false],
])("takes %j for %s before a tool changes something", async (reply, approved) => {
  await using server = await played([approval, ...say("Done."), end]);
  const questions: string[] = [];
  const { code } = await run(["chat", "Haul", "--url", server.url], {
    answer(question) {
      questions.push(question);
      return reply;
    },
  });
  expect([code, questions]).toEqual([0, ['Allow yard:haul {"at":"sea"}? [y/N] ']]);
  const decision = server.received.find(({ path }) => path.endsWith("/approvals/a1"));
  expect(JSON.parse(decision!.body)).toEqual({ approved });
});

test("Ctrl-C cancels the run", async () => {
  await using server = await played([approval, end]);
  const stop = new AbortController();
  const { code, err } = await run(["chat", "Haul", "--url", server.url], {
    signal: stop.signal,
    answer() {
      stop.abort();
      return null;
    },
  });
  expect(code).toBe(130);
  expect(err).toContain("Cancelled.");
  expect(server.received.map(({ path }) => path)).toContain(`${base}/runs/r1/cancel`);
  expect(server.received.map(({ path }) => path)).not.toContain(`${base}/runs/r1/approvals/a1`);
});

test("tells how a run failed", async () => {
  await using server = await played([{ type: "RUN_ERROR", code: "model_auth", message: "No key." } as any]);
  const { code, err } = await run(["chat", "Hello", "--url", server.url]);
  expect([code, err]).toEqual([1, expect.stringContaining("No key.")]);
});

test("refuses an agent that there is not, before it asks", async () => {
  await using server = await played([end]);
  const { code } = await run(["chat", "Hello", "--agent", "nobody", "--url", server.url]);
  expect(code).toBe(2);
  expect(server.received.map(({ method }) => method)).toEqual(["GET"]);
});
