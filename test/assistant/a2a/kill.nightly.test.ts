/** kill -9 in the middle of tasks that are followed by A2A: another replica tells how each goes on. */
import type { ChildProcess } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../../support/database.ts";
import { startScriptedModel, type ScriptedModel } from "../../support/scripted-model/server.ts";
import { startWholeServer, tokenOf, type WholeServer } from "../../support/server.ts";
import { testPorts, testTools } from "../runs/agents.ts";
import { openStream } from "../runs/stream.ts";
import { startVictim } from "../runs/victim.ts";
import { root } from "./fixture.ts";

let db: TestDatabase;
let model: ScriptedModel;
let victim: ChildProcess | undefined;
let survivor: WholeServer | undefined;

beforeAll(async () => {
  model = await startScriptedModel([
    { role: "user", last: "remove", turn: { calls: [{ name: "unit__remove", arguments: { what: "x" } }] } },
    { role: "tool", turn: { text: "It is gone." } },
    { turn: { tokens: ["on and ", "on "], tokenMs: 40, endless: true } },
  ]);
  db = await testDatabase();
});
afterAll(async () => {
  victim?.kill("SIGKILL");
  await survivor?.close();
  await model.close();
});

const version = { "a2a-version": "1.0" };
const call = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
const messageOf = (messageId: string, parts: object[], more: object = {}) => ({
  message: { messageId, role: "ROLE_USER", parts, ...more },
});

/** What a client of a stream knows by its updates. */
interface Known {
  taskId: string;
  contextId: string;
  states: string[];
  text: string;
  approvalId: string;
}

async function follow(url: string, body: object, known: Known): Promise<Known> {
  const stream = await openStream(url + root, { body, headers: version });
  for await (const { data } of stream.records) {
    const { task, statusUpdate, artifactUpdate } = data.result;
    const { id = known.taskId, contextId = known.contextId } = task ?? {};
    Object.assign(known, { taskId: id, contextId });
    const status = task?.status ?? statusUpdate?.status;
    if (status !== undefined) known.states.push(status.state);
    const approval = status?.message?.parts.find((part: any) => part.data !== undefined)?.data.approval_id;
    known.approvalId = approval ?? known.approvalId;
    const artifact = task?.artifacts?.[0] ?? artifactUpdate?.artifact;
    const text = artifact?.parts[0].text ?? "";
    known.text =
      artifactUpdate?.append === true ? known.text + text : artifact === undefined ? known.text : text;
  }
  return known;
}

const nothing = (): Known => ({ taskId: "", contextId: "", states: [], text: "", approvalId: "" });

async function get(taskId: string): Promise<{ state: string; text: string }> {
  const response = await fetch(survivor!.url + root, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf("admin")}`, ...version },
    body: JSON.stringify(call("GetTask", { id: taskId })),
  });
  const { result } = (await response.json()) as any;
  return { state: result.status.state, text: result.artifacts?.[0]?.parts[0].text ?? "" };
}

it("ends each task in a state of the protocol, and loses nothing of its text", async () => {
  const started = await startVictim(db, model.url);
  victim = started.child;
  const ask = (text: string, n: number) => {
    const known = nothing();
    const body = call("SendStreamingMessage", messageOf(`kill-${text}-${n}`, [{ text }]));
    return { known, done: follow(started.url, body, known).catch(() => known) };
  };
  const talks = Array.from({ length: 5 }, (_, n) => ask("talk", n));
  const removals = Array.from({ length: 5 }, (_, n) => ask("remove", n));
  await expect.poll(() => talks.every(({ known }) => known.text.length > 20)).toBe(true);
  await Promise.all(removals.map(({ done }) => done));
  expect(removals.map(({ known }) => known.states.at(-1))).toEqual(
    removals.map(() => "TASK_STATE_INPUT_REQUIRED"),
  );
  victim.kill("SIGKILL");
  await Promise.all(talks.map(({ done }) => done));
  expect(talks.some(({ known }) => known.states.includes("TASK_STATE_COMPLETED"))).toBe(false);
  model.follow([
    { role: "tool", turn: { text: "It is gone." } },
    { turn: { tokens: ["on and ", "on"], tokenMs: 40 } },
  ]);

  survivor = await startWholeServer({
    db,
    replaced: { runs: testPorts(model.url), tools: testTools() },
    configure: (config) => void (config.assistant.titles = "message"),
  });
  for (const { known } of talks) {
    const state = async () => (await get(known.taskId)).state;
    // No tool had acted, so the model was asked again; what it had said before is not in the answer.
    await expect.poll(state).toBe("TASK_STATE_COMPLETED");
    expect((await get(known.taskId)).text).toBe("on and on");
  }
  for (const { known } of removals) {
    expect((await get(known.taskId)).state).toBe("TASK_STATE_INPUT_REQUIRED");
    const { taskId, contextId, approvalId } = known;
    const decision = [{ data: { approval_id: approvalId, approved: true } }];
    const body = call("SendStreamingMessage", messageOf(`ok-${taskId}`, decision, { taskId, contextId }));
    const after = await follow(survivor.url, body, { ...known, states: [] });
    expect([after.states.at(-1), after.text]).toEqual(["TASK_STATE_COMPLETED", "It is gone."]);
  }
});
