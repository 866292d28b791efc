/** A run that a worker has claimed: put together from its rows, driven through its loop, and ended. */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import type { CallMetrics } from "../call-metrics.ts";
import { createModelClient } from "../model-clients/create.ts";
import type { RunSettings } from "../settings.ts";
import type { ToolSource } from "../tools/tool-source.ts";
import { readDecisions } from "./approval-store.ts";
import { waitForUser } from "./await-user.ts";
import { closeRun, type BrokenEnd } from "./close-run.ts";
import { complete, sayInstead } from "./complete-run.ts";
import { lastSeqOf } from "./log/event-store.ts";
import type { RunLog, RunWriter } from "./log/run-log.ts";
import { runAgent } from "./loop/agent-loop.ts";
import { makeTitle, recall } from "./loop/around.ts";
import { stepNameOf } from "./loop/calls.ts";
import { userPrompt } from "./loop/prompt.ts";
import { LimitReached, type RunContext } from "./loop/run-context.ts";
import { tellWorkers } from "./run-store.ts";
import { lostRun, stopsNow } from "./stop-reasons.ts";
import type { ClaimedRun, Frame, ModelUse, RunPorts, RunState } from "./types.ts";
import { holdRun, insertUses, readHistory, saveState, saveSummary } from "./work-store.ts";

export interface DriveDeps {
  database: Database;
  outbound: Outbound;
  ports: RunPorts;
  tools: ToolSource;
  metrics: CallMetrics;
  settings: RunSettings;
  runLog: RunLog;
  log: Logger;
  now: () => Date;
  /** The process stops: runs are given back where they can go on elsewhere. */
  isClosing: () => boolean;
}

/** Resolves when the run has ended, waits for the user, was given back or is lost. */
export async function driveRun(deps: DriveDeps, run: ClaimedRun, stop: AbortController): Promise<void> {
  const { database, runLog, ports, now } = deps;
  // Who claims it first finds the event that it began with.
  const lastSeq = run.fence === 1 ? 1 : await lastSeqOf(database.kysely, run.id);
  const held = { runId: run.id, fence: run.fence };
  // Between two turns the rows say all; within one, what the model or a tool was doing is lost with its process.
  const goesOn = run.state === null ? lastSeq <= 1 : lastSeq === run.stateSeq;
  if (!goesOn) return endBroken(deps, run, { end: interrupted(now()) });
  const writer = runLog.open({ ...held, firstSeq: lastSeq + 1, onLost: () => stop.abort(lostRun) });
  /** Uses of the model that are not stored yet. */
  const uses: ModelUse[] = [];
  try {
    const config = await ports.readModel();
    if (config === null) return await endBroken(deps, run, { writer, end: notConfigured(now()) });
    const context = await assemble(deps, { run, writer, config, stop, uses });
    await followThrough(deps, context, stop);
  } catch (error) {
    if (error === lostRun || stop.signal.reason === lostRun) {
      // What it has cost is so, whoever has ended it.
      return await insertUses(database.kysely, run, uses);
    }
    await writer.flush();
    await endBroken(deps, run, { writer, uses, end: endOf(deps, run, { error, stop }) });
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
  { log, now }: DriveDeps,
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

interface Broken {
  end: BrokenEnd;
  uses?: readonly ModelUse[];
  writer?: RunWriter;
}

/** Nothing when the run belongs to somebody else by now. */
async function endBroken(
  { database }: DriveDeps,
  run: ClaimedRun,
  { end, uses = [], writer }: Broken,
): Promise<void> {
  const added = await inTransaction(database, async (tx) => {
    if (!(await holdRun(tx, { runId: run.id, fence: run.fence }))) return [];
    await insertUses(tx, run, uses);
    return closeRun(tx, run.id, end);
  });
  writer?.committed(added);
}

interface Assembling {
  run: ClaimedRun;
  writer: RunWriter;
  config: Parameters<typeof createModelClient>[1];
  stop: AbortController;
  uses: ModelUse[];
}

async function assemble(
  deps: DriveDeps,
  { run, writer, config, stop, uses }: Assembling,
): Promise<RunContext> {
  const { database, settings, tools, metrics, ports, log, now } = deps;
  const state = run.state ?? freshState(run);
  const startedAt = now().getTime();
  const usedBefore = state.usedMs;
  const time = AbortSignal.timeout(Math.max(settings.budgets.timeMs - usedBefore, 1));
  const context: RunContext = {
    run,
    state,
    settings,
    model: createModelClient({ outbound: deps.outbound, limits: settings.models, now }, config),
    tools,
    metrics,
    loadAgent: (id) => ports.loadAgent(id),
    rankKeys: (wanted) => ports.rankKeys(wanted),
    writer,
    log,
    now,
    signal: AbortSignal.any([stop.signal, time]),
    decisions: run.state === null ? new Map() : await readDecisions(database.kysely, run.id),
    asked: [],
    uses,
    async checkpoint() {
      state.usedMs = usedBefore + now().getTime() - startedAt;
      const isClosing = deps.isClosing();
      await writer.flush();
      await record(deps, context, isClosing ? "queued" : "running");
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
  used: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, cost: 0 },
  seen: {},
  nextCall: 0,
  nextMessage: 0,
  best: "",
});

async function record(
  { database }: DriveDeps,
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

async function followThrough(deps: DriveDeps, context: RunContext, stop: AbortController): Promise<void> {
  const { state, run } = context;
  let answer: string | null;
  let limited: string | null = null;
  try {
    if (run.state === null) await begin(deps, context);
    answer = await runAgent(context, state.root);
  } catch (error) {
    if (error === handedOver) return;
    limited = limitOf(error, context, stop);
    if (limited === null) throw error;
    finishSteps(context, state.root);
    answer = state.best;
  }
  if (answer === null) return waitForUser(deps, context);
  if (answer.trim() === "") answer = sayInstead(context, limited);
  const title = run.titled.by === "nobody" ? await makeTitle(context, answer, limited === null) : null;
  await complete(deps, context, { answer, title, isLimited: limited !== null });
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

async function begin({ database }: DriveDeps, context: RunContext): Promise<void> {
  const { run, state, settings } = context;
  const { messages, summary } = await recall(context, await readHistory(database.kysely, run));
  if (summary !== null) await saveSummary(database.kysely, run.sessionId, summary);
  const page = run.pageContext?.slice(0, settings.budgets.toolResultChars) ?? null;
  const content = userPrompt(run.message, page, state.nonce);
  state.root.messages = [...messages, { role: "user", content }];
}
