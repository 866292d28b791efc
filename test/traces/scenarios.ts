/** What is done with the product, and which traces have to come of it. Each rejects when they do not. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import { killChild } from "../crash/processes.ts";
import { eventually } from "../support/eventually.ts";
import type { Answer } from "../support/server.ts";
import type { ReceivedSpan } from "./otlp.ts";
import { canaries, type Stage } from "./stage.ts";
import { templateName, unitOf } from "./subjects.ts";
import { orphans, treeBelow } from "./tree.ts";

export type Scenario = (stage: Stage) => Promise<void>;

/** Trace context of a caller outside. */
interface Caller {
  traceId: string;
  spanId: string;
  headers: Record<string, string>;
}

function newCaller(): Caller {
  const [traceId, spanId] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/** The spans of the caller's trace, once the tree below the caller is the expected one. */
async function untilTree(stage: Stage, caller: Caller, expected: string): Promise<ReceivedSpan[]> {
  const wanted = expected
    .split("\n")
    .map((line) => line.replace(/^ {4}/, ""))
    .filter((line) => line.trim() !== "");
  let found: string[] = [];
  const what = (): string => `The tree\n${wanted.join("\n")}\n(instead of\n${found.join("\n")}\n)`;
  return eventually(what, async () => {
    const spans = (await stage.spans()).filter(({ traceId }) => traceId === caller.traceId);
    found = treeBelow(spans, caller.spanId);
    if (found.join("\n") !== wanted.join("\n")) return null;
    assert.deepEqual(orphans(spans, caller.spanId), []);
    return spans;
  });
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  assert.ok(found, `There is a span ${name}.`);
  return found;
};

function accepted({ status, text, body }: Answer): any {
  assert.ok(status < 300, `It was answered ${status}: ${text}`);
  return body;
}

const startPath = (unit: string): string =>
  `/api/coordinator/v2/deployment-units/${unit}/provisioning?environment=development&note=${canaries.query}`;

async function start(
  stage: Stage,
  caller: Caller,
  unit: string,
  parts: Parameters<typeof unitOf>[1],
): Promise<string> {
  const request = {
    method: "POST",
    path: startPath(unit),
    body: unitOf(unit, parts),
    headers: caller.headers,
  };
  return accepted(await stage.call(request)) as string;
}

async function untilEnded(stage: Stage, plan: string): Promise<string> {
  return eventually(`the end of the plan ${plan}`, async () => {
    const { body } = await stage.call({ path: `/api/coordinator/v1/execution-plans/${plan}` });
    const { status } = (body as { dag: { status: string } }).dag;
    return ["COMPLETED", "FAILED", "TERMINATED"].includes(status) ? status : null;
  });
}

/** A request, its plan in another process, the tasks and their calls: one trace, which the adapter gets on. */
const deployment: Scenario = async (stage) => {
  const caller = newCaller();
  const plan = await start(stage, caller, "deployed", {
    first: {},
    second: { mode: "async", runningPolls: 3 },
  });
  const spans = await untilTree(
    stage,
    caller,
    `
    POST /api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning
      plan PROVISION
        task VALIDATE_COMPONENT
          POST /v1/validate
        task VALIDATE_COMPONENT
          POST /v1/validate
        task PROVISION
          POST /v1/provision
        task PROVISION
          POST /v1/provision
          GET /v1/provision/{token}/status`,
  );
  const request = spans.find(({ kind }) => kind === 2)!;
  assert.equal(request.attributes["http.response.status_code"], 202);
  assert.equal(request.attributes["url.path"], "/api/coordinator/v2/deployment-units/deployed/provisioning");
  const planSpan = named(spans, "plan PROVISION");
  assert.notEqual(planSpan.resource["process.pid"], request.resource["process.pid"]);
  assert.equal(planSpan.attributes["plinth.plan.id"], plan);
  assert.equal(planSpan.attributes["plinth.plan.status"], "COMPLETED");
  assert.equal(planSpan.links.length, 1, "A plan is linked to what claimed it.");
  for (const task of spans.filter(({ name }) => name.startsWith("task ")))
    assert.equal(task.attributes["plinth.task.status"], "COMPLETED");
  await assertOnTheWire(stage, spans);
};

/** Each call of the adapter has a span, and the adapter got the context of it. */
async function assertOnTheWire({ journal }: Stage, spans: readonly ReceivedSpan[]): Promise<void> {
  const lines = (await readFile(journal, "utf8")).trim().split("\n");
  const known = new Set(lines.map((line) => (JSON.parse(line) as JournalEntry).traceparent));
  const calls = spans.filter(({ attributes }) => attributes["plinth.outbound.purpose"] === "adapters");
  assert.ok(calls.length >= 6);
  for (const { traceId, spanId, kind } of calls) {
    assert.equal(kind, 3);
    assert.ok(known.has(`00-${traceId}-${spanId}-01`), "The adapter got the context of the call.");
  }
}

/** Answers that fail a call, and work that fails: spans with the status of an error, and without texts. */
const failure: Scenario = async (stage) => {
  const caller = newCaller();
  const why = "canary-in-the-prompt";
  const parts = {
    first: { odd: { start: { name: "503", times: 1 } } },
    second: { outcome: "FAILED", result: why },
  } as const;
  await start(stage, caller, "failing", parts);
  const spans = await untilTree(
    stage,
    caller,
    `
    POST /api/coordinator/v2/deployment-units/{deployment-unit-id}/provisioning
      plan PROVISION ERROR
        task VALIDATE_COMPONENT
          POST /v1/validate
        task VALIDATE_COMPONENT
          POST /v1/validate
        task PROVISION
          POST /v1/provision ERROR
          POST /v1/provision
        task PROVISION ERROR
          POST /v1/provision`,
  );
  const failed = spans.filter(({ status }) => status === 2);
  // oxlint-disable-next-line typescript/require-array-sort-compare -- texts
  assert.deepEqual(failed.map(({ attributes }) => attributes["error.type"]).sort(), [
    "503",
    "FAILED",
    "FAILED",
  ]);
  for (const { statusMessage, events } of spans) assert.deepEqual([statusMessage, events], ["", 0]);
  const keys = spans
    .filter(({ name, parentId }) => name === "POST /v1/provision" && parentId === failed[0]!.parentId)
    .map(({ attributes }) => attributes["plinth.idempotency_key"]);
  assert.deepEqual([keys.length, new Set(keys).size], [2, 1], "A repeat has the key of the call.");
};

/** A worker is killed in the middle of a plan: what the next one does belongs to the same request. */
const killed: Scenario = async (stage) => {
  const caller = newCaller();
  const parts = { first: {}, second: { mode: "async", runningMs: 3_000 }, third: {} } as const;
  const plan = await start(stage, caller, "killed", parts);
  const ofTrace = async (): Promise<ReceivedSpan[]> =>
    (await stage.spans()).filter(({ traceId }) => traceId === caller.traceId);
  // The first part is done and sent, the second one is at work.
  await eventually("the first poll", async () =>
    (await ofTrace()).some(({ name }) => name.startsWith("GET ")),
  );
  const before = await ofTrace();
  // oxlint-disable-next-line unicorn/prefer-array-find -- the others are looked at too
  const [first] = before.filter(({ name }) => name === "task PROVISION");
  assert.ok(first);
  await killChild(stage.worker().child);
  stage.startWorker();
  assert.equal(await untilEnded(stage, plan), "COMPLETED");
  const spans = await eventually("the span of the plan", async () => {
    const now = await ofTrace();
    return now.some(({ name }) => name === "plan PROVISION") ? now : null;
  });
  const request = spans.find(({ kind }) => kind === 2)!;
  const [planSpan, ...others] = spans.filter(({ name }) => name === "plan PROVISION");
  assert.equal(others.length, 0, "The killed process could not send its own.");
  assert.equal(planSpan!.parentId, request.spanId);
  assert.equal(request.parentId, caller.spanId);
  assert.equal(planSpan!.attributes["plinth.plan.claim"], 2);
  assert.notEqual(planSpan!.resource["process.pid"], first.resource["process.pid"]);
  assert.deepEqual(
    treeBelow(spans, planSpan!.spanId).filter((line) => line.startsWith("task")),
    ["task PROVISION", "task PROVISION"],
    "The second part goes on, and the third one begins.",
  );
  const lost = new Set(orphans(spans, caller.spanId).map(({ parentId }) => parentId));
  assert.ok(lost.size <= 2, "Only the plan and the task that were cut off are missing.");
};

/** A template's steps, which ends well, and one that fails. */
const templates: Scenario = async (stage) => {
  const instantiate = async (caller: Caller, fails: boolean): Promise<ReceivedSpan[]> => {
    const values = { name: "ships", password: canaries.templateSecret, fails };
    const body = { templateRef: `template:default/${templateName}`, values };
    const request = {
      method: "POST",
      path: "/api/builder/templates/instantiate",
      body,
      headers: caller.headers,
    };
    accepted(await stage.call(request));
    const error = fails ? " ERROR" : "";
    return untilTree(
      stage,
      caller,
      `
    POST /api/builder/templates/instantiate
      instantiate template:default/traced${error}
        step debug:log
        step fetch:plain${error}`,
    );
  };
  const good = await instantiate(newCaller(), false);
  assert.equal(named(good, "step fetch:plain").attributes["plinth.step.status"], "skipped");
  assert.equal(
    named(good, "instantiate template:default/traced").attributes["plinth.instantiation.status"],
    "completed",
  );
  const bad = await instantiate(newCaller(), true);
  assert.equal(named(bad, "step fetch:plain").attributes["error.type"], "failed");
};

/** A question, a call of a tool by an operation of the platform, and the answer; and a model that refuses. */
const assistant: Scenario = async (stage) => {
  const ask = async (caller: Caller, message: string): Promise<Answer> =>
    stage.call({
      method: "POST",
      path: "/api/assistant/v2/task/sync",
      body: { message: `${message} ${canaries.prompt}` },
      headers: caller.headers,
    });
  const caller = newCaller();
  accepted(await ask(caller, "look"));
  const spans = await untilTree(
    stage,
    caller,
    `
    POST /api/assistant/v2/task/sync
      invoke_agent Tester
        chat scripted
          POST
        execute_tool search_templates
          GET /api/catalog/entities/by-query
        chat scripted
          POST`,
  );
  // oxlint-disable-next-line unicorn/prefer-array-find -- the others are looked at too
  const [first] = spans.filter(({ name }) => name === "chat scripted");
  assert.equal(first!.kind, 3);
  assert.deepEqual(first!.attributes["gen_ai.response.finish_reasons"], ["tool_calls"]);
  assert.equal(first!.attributes["gen_ai.provider.name"], "openai");
  assert.ok(Number(first!.attributes["gen_ai.usage.input_tokens"]) > 0);
  assert.equal(named(spans, "execute_tool search_templates").attributes["plinth.tool.server"], "platform");
  const refused = newCaller();
  await ask(refused, "broken");
  await untilTree(
    stage,
    refused,
    `
    POST /api/assistant/v2/task/sync ERROR
      invoke_agent Tester ERROR
        chat scripted ERROR
          POST ERROR`,
  );
};

/** What the processes do by themselves: rounds, jobs, deliveries, the index. */
const background: Scenario = async (stage) => {
  const names = [
    "job execution-plan",
    "round a plan",
    "round outgoing events",
    "embeddings scripted-embedder",
  ];
  for (const name of [...names, "work outgoing events", "round index of the assistant"])
    await eventually(`a span ${name}`, async () => (await stage.spans()).some((span) => span.name === name));
  const spans = await stage.spans();
  const delivery = named(spans, "work outgoing events");
  assert.equal(spans.find(({ spanId }) => spanId === delivery.parentId)?.name, "round outgoing events");
  const call = spans.find(({ parentId }) => parentId === delivery.spanId);
  assert.match(String(call?.attributes["url.full"]), /^http:\/\/127\.0\.0\.1:\d+\/REDACTED$/);
  assert.ok(stage.webhookCalls.length > 0);
};

/** Requests that are no operation, and those of machines. */
const otherRequests: Scenario = async (stage) => {
  const caller = newCaller();
  const { headers } = caller;
  await stage.call({ path: `/nowhere?x=${canaries.query}`, headers });
  await stage.call({ method: "PROPFIND", path: "/nowhere", headers });
  await stage.call({ path: "/readyz", headers });
  await stage.call({ path: "/api/coordinator/v1/execution-plans/none", headers });
  await untilTree(
    stage,
    caller,
    `
    GET
    HTTP
    GET /api/coordinator/v1/execution-plans/{token}`,
  );
};

/** In the order in which they are run: the last one kills the worker. */
export const scenarios = { deployment, failure, templates, assistant, otherRequests, background, killed };
