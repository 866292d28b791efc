/** Drives one claimed run: loads its state, runs its loop, and ends it. */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import { isDatabaseAway } from "../../platform/db/failures.ts";
import { retryWhileAway } from "../../platform/db/retry.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { newId, newTraceparent } from "../../platform/lib/ids.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { linesOfOrigin } from "../../platform/lib/request-lines.ts";
import type { Outbound } from "../../platform/outbound/outbound.ts";
import { inSpan, type LiveSpan, type SpanStart } from "../../platform/telemetry/spans.ts";
import type { CallMetrics } from "../tools/call-metrics.ts";
import type { RunSettings } from "../settings.ts";
import type { ToolSource } from "../tools/tool-source.ts";
import { readDecisions } from "./approvals/store.ts";
import {
  waitForUser,
  closeRun,
  interrupted,
  interruptedByDatabase,
  notConfigured,
  type IncompleteEnd,
  runLost,
  processStopping,
  completeRun,
  answerInstead,
} from "./close-run.ts";
import { lastSeqOf, readEventsAfter } from "./log/event-store.ts";
import { takeBack } from "./log/repeat.ts";
import type { RunLog, RunWriter } from "./log/run-log.ts";
import { closeWithAnswer, runAgent } from "./loop/agent-loop.ts";
import { makeTitle, condenseHistory } from "./loop/summaries.ts";
import { givenMessages } from "./loop/memory.ts";
import { recordBroken } from "./loop/model-turn.ts";
import { situationOf, userPrompt } from "./loop/prompt.ts";
import { tightened } from "./loop/policy.ts";
import { LimitReached, type ActionPolicies, type RunContext } from "./loop/run-context.ts";
import { notifyWorkers } from "./log/notice-store.ts";
import type { ClaimedRun, ModelUse, RunPorts, RunState } from "./loop/run-state.ts";
import {
  lockClaimedRun,
  insertUses,
  readHistory,
  releaseRepeatable,
  saveActing,
  saveState,
  saveSummary,
} from "./work-store.ts";
import type { ModelConfig } from "../models/read-model.ts";
import { createModelClient } from "../models/sdk-client.ts";

export interface DriveDeps {
  database: Database;
  outbound: Outbound;
  ports: RunPorts;
  tools: ToolSource;
  metrics: CallMetrics;
  actionPolicies: ActionPolicies;
  settings: RunSettings;
  /** Names of the configured environments. */
  environments: readonly string[];
  runLog: RunLog;
  log: Logger;
  now: () => Date;
  /** Whether the process stops: runs are released at the next checkpoint, for another process. */
  isClosing: () => boolean;
}

/** Resolves when the run has ended, waits for the user, was released, or is lost. */
export function driveRun(deps: DriveDeps, run: ClaimedRun, stop: AbortController): Promise<void> {
  const start: SpanStart<"agent"> = {
    name: "invoke_agent",
    parent: run.traceparent,
    attributes: () => ({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.id": run.agentId,
      "gen_ai.conversation.id": run.sessionId,
      "plinth.run.id": run.id,
      "plinth.run.claim": run.fence,
    }),
  };
  return inSpan("agent", start, (span) =>
    driveInSpan({ ...deps, log: linesOfOrigin(run, deps.log), span }, run, stop),
  );
}

interface TracedDeps extends DriveDeps {
  span: LiveSpan<"agent"> | undefined;
}

async function driveInSpan(deps: TracedDeps, run: ClaimedRun, stop: AbortController): Promise<void> {
  const { database, runLog, ports, now } = deps;
  // The first claim finds just the event that the run began with.
  const lastSeq = run.fence === 1 ? 1 : await lastSeqOf(database.db, run.id);
  const claim = { runId: run.id, fence: run.fence };
  // A run resumes from a checkpoint: what a model was doing after it is repeated, what a tool was doing is not.
  const stateSeq = run.state === null ? 1 : (run.stateSeq ?? 0);
  if (!mayContinue(run, lastSeq > stateSeq)) return endIncomplete(deps, run, { end: interrupted(now()) });
  const broken = lastSeq > stateSeq ? await readEventsAfter(database.db, run.id, stateSeq) : null;
  const writer = runLog.open({ ...claim, firstSeq: lastSeq + 1, onLost: () => stop.abort(runLost) });
  /** Uses of the model that are not stored yet. */
  const uses: ModelUse[] = [];
  try {
    const config = await ports.readModel();
    if (config === null) return await endIncomplete(deps, run, { writer, end: notConfigured(now()) });
    const context = await createRunContext(deps, { run, writer, config, stop, uses });
    const texts = broken === null ? [] : repeatTurn(context, broken);
    await runToEnd(deps, context, { stop, texts });
  } catch (error) {
    await breakOff(deps, run, { error, stop, writer, uses });
  } finally {
    writer.close();
  }
}

interface BrokenRun {
  error: unknown;
  stop: AbortController;
  writer: RunWriter;
  uses: readonly ModelUse[];
}

const retryForMs = 10_000;
const retryDelayMs = 100;

/** Releases a run that something else than itself has broken off, where its turn may be repeated, and ends any other. */
async function breakOff(
  deps: TracedDeps,
  run: ClaimedRun,
  { error, stop, writer, uses }: BrokenRun,
): Promise<void> {
  const { database, log } = deps;
  if (error === runLost || stop.signal.reason === runLost) {
    // The usage is recorded, whoever has ended the run.
    return insertUses(database.db, run, uses);
  }
  await writer.flush();
  const isStopping = stop.signal.reason === processStopping;
  const isAway = !isStopping && isDatabaseAway(error);
  const reason = String(error);
  if (isAway) log.warn({ runId: run.id, reason }, "a run was broken off: the database was away");
  // What has closed one connection may close others a moment later.
  const write = <T>(once: () => Promise<T>): Promise<T> =>
    isAway
      ? retryWhileAway(once, { forMs: retryForMs, delayMs: retryDelayMs, onRetry: () => undefined })
      : once();
  const claim = { runId: run.id, fence: run.fence };
  if ((isStopping || isAway) && (await write(() => releaseRepeatable(database.db, claim)))) {
    // Those that were shown are counted by whoever repeats the turn.
    const unseen = uses.filter(({ isShown }) => !isShown);
    return insertUses(database.db, run, unseen);
  }
  const end = endOf(deps, run, { error, stop });
  await write(() => endIncomplete(deps, run, { writer, uses, end }));
}

/** After so many workers in a row have died with a turn, it is not repeated again: it may be what ends them. */
const maxTakeovers = 3;

/** A run that an older program had is continued at a checkpoint only: nothing says whether a tool has acted after it. */
function mayContinue({ repeatableFence, fence, takeovers }: ClaimedRun, isBroken: boolean): boolean {
  if (repeatableFence === 0 || takeovers > maxTakeovers) return false;
  return repeatableFence === fence || !isBroken;
}

/** Returns what the turns that were broken off had said. */
function repeatTurn({ state, writer }: RunContext, shown: readonly string[]): string[] {
  const { events, lastMessage, lastCall, texts } = takeBack(shown);
  for (const event of events) writer.push(event);
  state.nextMessage = Math.max(state.nextMessage, lastMessage);
  state.nextCall = Math.max(state.nextCall, lastCall);
  return texts;
}

function endOf(
  { log, now }: DriveDeps,
  run: ClaimedRun,
  { error, stop }: { error: unknown; stop: AbortController },
): IncompleteEnd {
  if (stop.signal.reason === processStopping) return interrupted(now());
  if (isDatabaseAway(error)) return interruptedByDatabase(now());
  if (error instanceof Failure) {
    return { status: "failed", code: error.code, message: error.message, at: now() };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error({ runId: run.id, reason }, "a run failed");
  const message = "Something failed on our side; the log has the cause under the run's id.";
  return { status: "failed", code: "PLATFORM_INTERNAL", message, at: now() };
}

interface IncompleteRun {
  end: IncompleteEnd;
  uses?: readonly ModelUse[];
  writer?: RunWriter;
}

/** Does nothing when another worker has the run. */
async function endIncomplete(
  { database, metrics, span, log }: TracedDeps,
  run: ClaimedRun,
  { end, uses = [], writer }: IncompleteRun,
): Promise<void> {
  span?.fail(end.code);
  const added = await inTransaction(database, async (tx) => {
    if (!(await lockClaimedRun(tx, { runId: run.id, fence: run.fence }))) return [];
    await insertUses(tx, run, uses);
    return closeRun(tx, run.id, end);
  });
  if (added.length > 0) {
    metrics.runEnded(end.status);
    log.info({ runId: run.id, status: end.status, code: end.code }, "a run has ended");
  }
  writer?.committed(added);
}

interface RunContextParts {
  run: ClaimedRun;
  writer: RunWriter;
  config: ModelConfig;
  stop: AbortController;
  uses: ModelUse[];
}

async function createRunContext(
  deps: TracedDeps,
  { run, writer, config, stop, uses }: RunContextParts,
): Promise<RunContext> {
  const { database, tools, metrics, ports, log, now } = deps;
  const limits = await ports.readLimits();
  const settings = tightened(deps.settings, limits);
  const state = run.state ?? freshState(run);
  const startedAt = now().getTime();
  const usedBefore = state.usedMs;
  let begun: { calls?: Promise<void>; acts?: Promise<void> } = {};
  const time = AbortSignal.timeout(Math.max(settings.budgets.timeMs - usedBefore, 1));
  const context: RunContext = {
    run,
    state,
    situation: situationOf({ actor: run.actor, environments: deps.environments, at: now() }),
    settings,
    policies: [settings.approvals, limits.approvals],
    actionPolicies: deps.actionPolicies,
    model: createModelClient({ outbound: deps.outbound, limits: settings.models, now }, config),
    tools,
    metrics,
    loadAgent: (id) => ports.loadAgent(id),
    rankKeys: (wanted) => ports.rankKeys(wanted),
    writer,
    log,
    now,
    span: deps.span,
    traceparent: deps.span?.traceparent ?? run.traceparent ?? newTraceparent(),
    signal: AbortSignal.any([stop.signal, time]),
    decisions: run.state === null ? new Map() : await readDecisions(database.db, run.id),
    newApprovals: [],
    uses,
    countTime() {
      state.usedMs = usedBefore + now().getTime() - startedAt;
    },
    async checkpoint() {
      context.countTime();
      const isClosing = deps.isClosing();
      await writer.flush();
      await saveCheckpoint(deps, context, isClosing ? "queued" : "running");
      begun = {};
      if (isClosing) throw handedOver;
    },
    markActing: (mayAct) =>
      mayAct
        ? (begun.acts ??= storeActing(deps, context, mayAct))
        : (begun.acts ?? (begun.calls ??= storeActing(deps, context, mayAct))),
  };
  return context;
}

async function storeActing(
  { database }: DriveDeps,
  { run, state }: RunContext,
  mayAct: boolean,
): Promise<void> {
  const last = state.root.messages.at(-1);
  const acting = last?.role === "assistant" ? last : null;
  const claim = { runId: run.id, fence: run.fence };
  if (!(await saveActing(database.db, claim, { acting, mayAct }))) throw runLost;
}

/** Thrown when the run was released at a checkpoint; another process continues it. */
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

async function saveCheckpoint(
  { database }: DriveDeps,
  { run, state, writer, uses }: RunContext,
  status: "running" | "queued",
): Promise<void> {
  const claim = { runId: run.id, fence: run.fence };
  await inTransaction(database, async (tx) => {
    const isClaimed = await saveState(tx, claim, { state, seq: writer.nextSeq() - 1, status });
    if (!isClaimed) throw runLost;
    await insertUses(tx, run, uses);
    if (status === "queued") await notifyWorkers(tx);
  });
  uses.length = 0;
}

async function runToEnd(
  deps: DriveDeps,
  context: RunContext,
  { stop, texts }: { stop: AbortController; texts: readonly string[] },
): Promise<void> {
  const { state, run } = context;
  let answer: string | null;
  let limited: string | null = null;
  try {
    if (run.state === null) await begin(deps, context);
    await recordBroken(context, texts);
    answer = await runAgent(context, state.root);
  } catch (error) {
    if (error === handedOver) return;
    limited = limitOf(error, context, stop);
    if (limited === null) throw error;
    answer = (await closeWithAnswer(context, limited, stop.signal)) ?? state.best;
  }
  if (answer === null) return waitForUser(deps, context);
  if (answer.trim() === "") answer = answerInstead(context, limited);
  const titling = { answer, mayAsk: limited === null, stop: stop.signal };
  const title = run.titled.by === "nobody" ? await makeTitle(context, titling) : null;
  await completeRun(deps, context, { answer, title, isLimited: limited !== null });
  const outcome = limited === null ? "completed" : "limited";
  deps.metrics.runEnded(outcome);
  deps.log.info({ runId: run.id, status: outcome }, "a run has ended");
}

/** The limit that an error means; null for other errors. */
function limitOf(error: unknown, { signal }: RunContext, stop: AbortController): string | null {
  if (error instanceof LimitReached) return error.message;
  return signal.aborted && !stop.signal.aborted ? "time" : null;
}

async function begin({ database }: DriveDeps, context: RunContext): Promise<void> {
  const { run, state, settings } = context;
  const history = await readHistory(database.db, run, state.nonce);
  const { messages, summary } = await condenseHistory(context, history);
  if (summary !== null) await saveSummary(database.db, run.sessionId, summary);
  const given = givenMessages(run.given ?? [], state.nonce).map((message) => ({
    id: 0,
    messages: [message],
  }));
  // Their summary is of this request alone.
  const before = await condenseHistory(context, { summary: null, entries: given });
  const page = run.pageContext?.slice(0, settings.budgets.toolResultChars) ?? null;
  const content = userPrompt(run.message, page, state.nonce);
  state.root.messages = [...messages, ...before.messages, { role: "user", content }];
  state.root.loaded = history.skills;
}
