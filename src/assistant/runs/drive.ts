/** A run that a worker has claimed: put together from its rows, driven through its loop, and ended. */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { createModelClient } from "../model-clients/create.ts";
import type { RunSettings } from "../settings.ts";
import type { ToolSource } from "../tools/tool-source.ts";
import { insertApprovals, readDecisions } from "./approval-store.ts";
import { closeRun, type BrokenEnd } from "./close-run.ts";
import type { RunEvent, RunResult } from "./log/ag-ui.ts";
import { appendRunEvents, lastSeqOf } from "./log/event-store.ts";
import type { RunLog, RunWriter } from "./log/run-log.ts";
import { runAgent } from "./loop/agent-loop.ts";
import { makeTitle, recall } from "./loop/around.ts";
import { stepNameOf } from "./loop/calls.ts";
import { userPrompt } from "./loop/prompt.ts";
import { LimitReached, type RunContext } from "./loop/run-context.ts";
import { tellWorkers } from "./run-store.ts";
import type { Approval, ClaimedRun, Decision, Frame, RunPorts, RunState } from "./types.ts";
import {
  endRun,
  holdRun,
  insertUses,
  readHistory,
  saveState,
  saveSummary,
  settleTitle,
  usageOfRun,
} from "./work-store.ts";

export interface DriveMeans {
  database: Database;
  outbound: Outbound;
  ports: RunPorts;
  tools: ToolSource;
  settings: RunSettings;
  runLog: RunLog;
  log: Logger;
  now: () => Date;
  /** The process stops: runs are given back where they can go on elsewhere. */
  isClosing: () => boolean;
}

/** Reason of an abort: somebody else has the run, or nobody wants it any more. */
export const lostRun = new Error("the run belongs to somebody else");
/** Reason of an abort: the process stops and has waited long enough. */
export const stopsNow = new Error("the process stops");

/** Resolves when the run has ended, waits for the user, was given back or is lost. */
export async function driveRun(means: DriveMeans, run: ClaimedRun, stop: AbortController): Promise<void> {
  const { database, runLog, ports, now } = means;
  const lastSeq = await lastSeqOf(database.kysely, run.id);
  const held = { runId: run.id, fence: run.fence };
  // Between two turns the rows say all; within one, what the model or a tool was doing is lost with its process.
  const goesOn = run.state === null ? lastSeq <= 1 : lastSeq === run.stateSeq;
  if (!goesOn) return endBroken(means, run, null, interrupted(now()));
  const writer = runLog.open({ ...held, firstSeq: lastSeq + 1, onLost: () => stop.abort(lostRun) });
  try {
    const config = await ports.readModel();
    if (config === null) return await endBroken(means, run, writer, notConfigured(now()));
    const context = await assemble(means, { run, writer, config, stop });
    await followThrough(means, context, stop);
  } catch (error) {
    if (error === lostRun || stop.signal.reason === lostRun) return;
    await writer.flush();
    await endBroken(means, run, writer, endOf(means, run, { error, stop }));
  } finally {
    writer.close();
  }
}

const interrupted = (at: Date): BrokenEnd => ({
  status: "interrupted",
  code: "run_interrupted",
  message: "The process that answered has stopped. What it had written is kept; ask again to go on.",
  at,
});

const notConfigured = (at: Date): BrokenEnd => ({
  status: "failed",
  code: "model_not_configured",
  message: "No model is configured any more.",
  at,
});

function endOf(
  { log, now }: DriveMeans,
  run: ClaimedRun,
  { error, stop }: { error: unknown; stop: AbortController },
): BrokenEnd {
  if (stop.signal.reason === stopsNow) return interrupted(now());
  if (error instanceof Failure) {
    return { status: "failed", code: error.code, message: error.message, at: now() };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error({ runId: run.id, reason }, "a run failed");
  const message = "Something failed on our side; the log has the cause under the run's id.";
  return { status: "failed", code: "PLATFORM_INTERNAL", message, at: now() };
}

/** Nothing when the run belongs to somebody else by now. */
async function endBroken(
  { database }: DriveMeans,
  run: ClaimedRun,
  writer: RunWriter | null,
  end: BrokenEnd,
): Promise<void> {
  const added = await inTransaction(database, async (tx) =>
    (await holdRun(tx, { runId: run.id, fence: run.fence })) ? closeRun(tx, run.id, end) : [],
  );
  writer?.committed(added);
}

interface Assembling {
  run: ClaimedRun;
  writer: RunWriter;
  config: Parameters<typeof createModelClient>[1];
  stop: AbortController;
}

async function assemble(means: DriveMeans, { run, writer, config, stop }: Assembling): Promise<RunContext> {
  const { database, settings, tools, ports, log, now } = means;
  const state = run.state ?? freshState(run);
  const startedAt = now().getTime();
  const usedBefore = state.usedMs;
  const time = AbortSignal.timeout(Math.max(settings.budgets.timeMs - usedBefore, 1));
  const context: RunContext = {
    run,
    state,
    settings,
    model: createModelClient({ outbound: means.outbound, limits: settings.models, now }, config),
    tools,
    loadAgent: (id) => ports.loadAgent(id),
    writer,
    log,
    now,
    signal: AbortSignal.any([stop.signal, time]),
    decisions: await readDecisions(database.kysely, run.id),
    asked: [],
    uses: [],
    async checkpoint() {
      state.usedMs = usedBefore + now().getTime() - startedAt;
      const isClosing = means.isClosing();
      await writer.flush();
      await record(means, context, isClosing ? "queued" : "running");
      if (isClosing) throw handedOver;
    },
  };
  return context;
}

/** Thrown when the run was given back between two turns; another process goes on with it. */
const handedOver = new Error("the run was given back");

const freshState = (run: ClaimedRun): RunState => ({
  root: { agentId: run.agentId ?? "", path: [], messages: [], loaded: [], calls: [] },
  nonce: newId().slice(0, 8),
  steps: 0,
  toolCalls: 0,
  usedMs: 0,
  tokens: 0,
  seen: {},
  nextCall: 0,
  nextMessage: 0,
  best: "",
});

async function record(
  { database }: DriveMeans,
  { run, state, writer, uses }: RunContext,
  status: "running" | "queued",
): Promise<void> {
  const held = { runId: run.id, fence: run.fence };
  await inTransaction(database, async (tx) => {
    const isHeld = await saveState(tx, held, { state, seq: writer.nextSeq() - 1, status });
    if (!isHeld) throw lostRun;
    await insertUses(tx, run, uses);
    if (status === "queued") await tellWorkers(tx);
  });
  uses.length = 0;
}

async function followThrough(means: DriveMeans, context: RunContext, stop: AbortController): Promise<void> {
  const { state, run } = context;
  let needsTitle = false;
  let answer: string | null;
  let limited: string | null = null;
  try {
    const history = await readHistory(means.database.kysely, run.sessionId, run.id);
    ({ needsTitle } = history);
    if (run.state === null) await begin(means, context, history);
    answer = await runAgent(context, state.root);
  } catch (error) {
    if (error === handedOver) return;
    limited = limitOf(error, context, stop);
    if (limited === null) throw error;
    finishSteps(context, state.root);
    answer = state.best;
  }
  if (answer === null) return waitForUser(means, context);
  if (answer.trim() === "") answer = sayInstead(context, limited);
  const title = needsTitle ? await makeTitle(context, answer, limited === null) : null;
  await complete(means, context, { answer, title, isLimited: limited !== null });
}

/** Agents that were still at work at a limit are at work no more. */
function finishSteps(context: RunContext, frame: Frame): void {
  for (const { id, result, child } of frame.calls) {
    if (result !== null || child === null) continue;
    finishSteps(context, child);
    context.writer.push({ type: "STEP_FINISHED", stepName: stepNameOf(child, id) });
  }
}

/** What limit an error stands for; null when for none. */
function limitOf(error: unknown, { signal }: RunContext, stop: AbortController): string | null {
  if (error instanceof LimitReached) return error.message;
  return signal.aborted && !stop.signal.aborted ? "time" : null;
}

async function begin(
  means: DriveMeans,
  context: RunContext,
  history: Awaited<ReturnType<typeof readHistory>>,
): Promise<void> {
  const { run, state, settings } = context;
  const agent = await context.loadAgent(state.root.agentId);
  state.root.path = [agent?.label ?? "assistant"];
  const { messages, summary } = await recall(context, history);
  if (summary !== null) await saveSummary(means.database.kysely, run.sessionId, summary);
  const page = run.pageContext?.slice(0, settings.budgets.toolResultChars) ?? null;
  const content = userPrompt(run.message, page, state.nonce);
  state.root.messages = [...messages, { role: "user", content }];
}

/** A run that ends at a limit without a word says at least that, in its stream as well. */
function sayInstead({ run, state, writer }: RunContext, limited: string | null): string {
  const text =
    state.best !== ""
      ? state.best
      : limited === null
        ? "The model gave no answer."
        : `I stopped at a limit of this run (${limited}) before I had an answer.`;
  if (state.best === "") {
    const messageId = `${run.id}-end`;
    writer.push({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
    writer.push({ type: "TEXT_MESSAGE_CONTENT", messageId, delta: text });
    writer.push({ type: "TEXT_MESSAGE_END", messageId });
  }
  return text;
}

interface Completed {
  answer: string;
  title: string | null;
  isLimited: boolean;
}

async function complete(
  { database, now }: DriveMeans,
  { run, writer, uses }: RunContext,
  { answer, title, isLimited }: Completed,
): Promise<void> {
  await writer.flush();
  const at = now();
  const firstSeq = writer.nextSeq();
  const events = await inTransaction(database, async (tx) => {
    if (!(await holdRun(tx, { runId: run.id, fence: run.fence }))) throw lostRun;
    await insertUses(tx, run, uses);
    const sessionTitle = await settleTitle(tx, run.sessionId, title);
    const result: RunResult = {
      message: answer,
      title: sessionTitle,
      session_id: run.sessionId,
      request_id: run.requestId,
      limited: isLimited,
      usage: await usageOfRun(tx, run.id),
    };
    const last: RunEvent[] = [
      ...(title === null ? [] : [{ type: "CUSTOM" as const, name: "title", value: { title: sessionTitle } }]),
      { type: "RUN_FINISHED", threadId: run.sessionId, runId: run.id, result },
    ];
    const texts = last.map((event) => JSON.stringify(event));
    await appendRunEvents(tx, run.id, firstSeq, texts);
    await endRun(tx, run.id, { status: "completed", answer, errorCode: null, limited: isLimited, at });
    await tellWorkers(tx);
    return texts;
  });
  writer.committed(events);
}

const hourMs = 60 * 60_000;

/** Stores the approvals that are missing and lets go of the run until one is decided. */
async function waitForUser(means: DriveMeans, context: RunContext): Promise<void> {
  const { run, state, writer, asked, uses, settings } = context;
  const at = means.now();
  const expiresAt = new Date(at.getTime() + settings.approvals.expireHours * hourMs);
  await writer.flush();
  const firstSeq = writer.nextSeq();
  const events = asked.map((approval) => JSON.stringify(approvalEvent(approval, expiresAt)));
  await inTransaction(means.database, async (tx) => {
    const held = { runId: run.id, fence: run.fence };
    if (!(await holdRun(tx, held))) throw lostRun;
    if (events.length > 0) {
      await insertApprovals(tx, run.id, { approvals: asked, at, expiresAt });
      await appendRunEvents(tx, run.id, firstSeq, events);
    }
    // A decision that came while other calls were made counts at once.
    const isDecided = hasDecided(state.root, await readDecisions(tx, run.id));
    const status = isDecided ? "queued" : "waiting";
    await saveState(tx, held, { state, seq: firstSeq + events.length - 1, status });
    await insertUses(tx, run, uses);
    if (isDecided) await tellWorkers(tx);
  });
  writer.committed(events);
}

const approvalEvent = (approval: Approval, expiresAt: Date): RunEvent => ({
  type: "CUSTOM",
  name: "approval_required",
  value: {
    approval_id: approval.id,
    tool_call_id: approval.callId,
    agents: approval.agents,
    server: approval.server,
    tool: approval.tool,
    arguments: approval.arguments,
    expires_at: expiresAt.toISOString(),
  },
});

/** Whether a call that waits in this conversation, or in one below it, is decided. */
function hasDecided(frame: Frame, decisions: ReadonlyMap<string, Decision>): boolean {
  return frame.calls.some(({ result, approvalId, child }) => {
    if (result !== null) return false;
    if (child !== null && hasDecided(child, decisions)) return true;
    return approvalId !== null && (decisions.get(approvalId) ?? "pending") !== "pending";
  });
}
