/** Calls with long arguments that wait for their user: a text decides only on what it has shown. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { send, type Answer } from "../../support/server.ts";
import { startModelServer, type ModelServer } from "../model-server.ts";
import { testTools } from "./agents.ts";

const tools = testTools();
let fixture: ModelServer;
beforeAll(async () => {
  fixture = await startModelServer([], { tools });
});
afterAll(() => fixture.server.close());
beforeEach(() => {
  tools.calls.length = 0;
});

/** More keys than a text has room for; the last one is what matters. */
const manyKeys = {
  ...Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`parameter-${n}`, "filler"])),
  environment: "production",
};

const call = (path: string, body: unknown): Promise<Answer> =>
  send(`${fixture.server.url}/api/assistant`, { method: "POST", path, body });
const sync = async (message: string, more: object = {}) =>
  (await call("/v2/task/sync", { message, ...more })).body;
const follow = (given: object): void =>
  fixture.model.follow([
    { role: "tool", last: "did not allow", turn: { text: "Then not." } },
    { role: "tool", turn: { text: "Removed." } },
    { role: "user", turn: { calls: [{ name: "unit__remove", arguments: given }] } },
  ]);
const decide = async (sessionId: string): Promise<void> => {
  const { body } = await fixture.server.assistant({ path: "/approvals" });
  const {
    run_id,
    approval_id,
    arguments: given,
  } = body.data.find((each: any) => each.session_id === sessionId || sessionId === "");
  expect(given).toEqual(manyKeys);
  const path = `/runs/${run_id}/approvals/${approval_id}`;
  const { status } = await fixture.server.assistant({ method: "POST", path, body: { approved: true } });
  expect(status).toBe(200);
};

it("a long value is shortened, and what comes after it is shown", async () => {
  follow({ descriptor: { text: "x".repeat(620) }, environment: "production" });
  const { message, session_id } = await sync("Go");
  expect(message).toContain(
    `unit:remove with {"descriptor":{"text":"${"x".repeat(200)}… (620 characters)"},"environment":"production"}, until 20`,
  );
  expect(await sync("approve", { session_id })).toMatchObject({ message: "Removed." });
  expect(tools.calls).toHaveLength(1);
});

it("approve as a message decides nothing when not all keys could be shown", async () => {
  follow(manyKeys);
  const { message, session_id } = await sync("Go");
  expect(message.length).toBeLessThan(2_500);
  expect(message).toContain('so the answer "approve" is not taken');
  const again = await sync("approve", { session_id });
  expect(again.message).toContain("Your message was not worked on");
  expect(tools.calls).toEqual([]);
  await decide(session_id);
  await expect.poll(() => tools.calls.map((each) => each.arguments)).toEqual([manyKeys]);
});

it("refuse as a message is taken all the same", async () => {
  follow(manyKeys);
  const { session_id } = await sync("Go");
  expect(await sync("refuse: too long", { session_id })).toMatchObject({ message: "Then not." });
  expect(tools.calls).toEqual([]);
});

it("Chat Completions: approve is refused, and tells of the run that was approved otherwise", async () => {
  follow(manyKeys);
  const messages = [{ role: "user", content: "Go" }];
  const chat = (): Promise<Answer> => call("/v1/chat/completions", { model: "main", messages });
  const waits = await chat();
  const { content } = waits.body.choices[0].message;
  expect(content).toContain('so the answer "approve" is not taken');
  messages.push({ role: "assistant", content }, { role: "user", content: "approve" });
  expect(await chat()).toMatchObject({
    status: 400,
    body: { error: { param: "messages", message: expect.stringContaining("/approvals/") } },
  });
  expect(tools.calls).toEqual([]);
  await decide("");
  expect((await chat()).body.choices[0].message.content).toBe("Removed.");
  expect(tools.calls).toHaveLength(1);
});

it("A2A: a text approves nothing that a text can't show, its data does", async () => {
  follow(manyKeys);
  const rpc = async (parts: object[], ids: object = {}) => {
    const message = { messageId: crypto.randomUUID(), role: "user", parts, ...ids };
    const method = "message/send";
    return (await call("/a2a", { jsonrpc: "2.0", id: 1, method, params: { message } })).body;
  };
  const { result } = await rpc([{ kind: "text", text: "Go" }]);
  const ids = { taskId: result.id, contextId: result.contextId };
  expect((await rpc([{ kind: "text", text: "approve" }], ids)).error).toBeDefined();
  expect(tools.calls).toEqual([]);
  const { body } = await fixture.server.assistant({ path: "/approvals" });
  const { approval_id } = body.data.find((each: any) => each.run_id === result.id);
  await rpc([{ kind: "data", data: { approval_id, approved: true } }], ids);
  expect(tools.calls).toHaveLength(1);
});
