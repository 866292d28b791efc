/** Runs one drift check. Another worker may restart it at any time; the fence lets only one report. */
import { loadEnabledAdapters } from "../../adapters/store.ts";
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";
import { databaseFailure } from "../../../platform/db/failures.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { appendEvents } from "../../../platform/events/events.ts";
import { counted } from "../../../platform/lib/check.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { AdapterClient } from "../../adapters/protocol/client.ts";
import {
  findActivePlan,
  loadComponents,
  loadUnitDescriptor,
  lockUnit,
  type ComponentRow,
} from "../../units/store.ts";
import { hasCallOfItsOwn } from "../../planning/descriptor/own-calls.ts";
import type { TaskPlace } from "../../execution/tasks/limits.ts";
import { createBodyBuilder } from "../../execution/tasks/request-body.ts";
import { driftEvent, unitStream } from "../../execution/plan-events.ts";
import { isAsyncValidation } from "../../starts/adapter-requests/adapter-properties.ts";
import { newId } from "../../../platform/lib/ids.ts";
import { dropRepaired, insertFound } from "../reconcile/store.ts";
import { checkComponent, type DeployedComponent } from "./check-component.ts";
import type { ComponentDrift } from "./schema.ts";
import {
  beginCheck,
  endCheck,
  giveBackCheck,
  markWaiting,
  lockCheck,
  pruneChecks,
  readLastPlan,
  type DriftRow,
} from "./store.ts";

export interface DriftDeps {
  database: Database;
  adapters: AdapterClient;
  log: Logger;
  now: () => Date;
  workerId: string;
  limits: { parallelComponents: number; timeoutMs: number; pollMs: number };
  /** Longest call of an adapter. */
  callTimeoutMs: (place: TaskPlace) => number;
  /** How long a question about drift waits; null where drift is only reported. */
  askMs: (environment: string) => number | null;
  /** Aborted when the process stops; another worker then runs the check. */
  halt: AbortSignal;
}

/** How long a check may wait for the end of operations on its unit. */
export const maxWaitMs = 30 * 60_000;
/** Times that a check is begun. Others of its unit wait for its end, so it must not be tried for ever. */
const maxAttempts = 5;
/** After the first attempt that has failed; each further wait is twice as long. */
const firstPauseMs = 2_000;

interface Begun {
  check: DriftRow;
  fence: number;
  attempts: number;
  lastPlanId: string | null;
}

/** Of a check that this worker has claimed. Returns in how many milliseconds it is tried again; null where it is not. */
export async function runDriftCheck(deps: DriftDeps, id: string): Promise<number | null> {
  const begun = await begin(deps, id);
  if (begun === null) return null;
  try {
    await checkUnit(deps, begun);
  } catch (error) {
    deps.log.warn({ driftCheckId: id, reason: (error as Error).message }, "a drift check could not be made");
    if (!deps.halt.aborted) return noteFault(deps, begun, error);
  }
  // Where it has ended all the same, nothing is given back.
  if (deps.halt.aborted) {
    const { database, workerId } = deps;
    await giveBackCheck(database.db, { id, workerId, fence: begun.fence });
  }
  return null;
}

/** Lets go of the check until it is tried again, or ends it. */
function noteFault(
  deps: DriftDeps,
  { check, fence, attempts }: Begun,
  error: unknown,
): Promise<number | null> {
  const { id } = check;
  return inTransaction(deps.database, async (tx) => {
    const held = await lockCheck(tx, { id, workerId: deps.workerId });
    if (held?.fence !== fence) return null;
    const at = deps.now();
    const reason = `The check could not be made${textOf(error)}`;
    if (attempts >= maxAttempts) {
      await endUnmade(tx, check, { at, reason: `${reason} It was tried ${counted(attempts, "time")}.` });
      return null;
    }
    const pauseMs = firstPauseMs * 2 ** (attempts - 1);
    const nextAttemptAt = new Date(at.getTime() + pauseMs);
    const again = `It is tried again at ${nextAttemptAt.toISOString()}.`;
    await markWaiting(tx, { id, reason: `${reason} ${again}`, at, nextAttemptAt });
    return pauseMs;
  });
}

/** Texts of other errors may hold what is secret; the log has them. */
function textOf(error: unknown): string {
  const failure = error instanceof Failure ? error : databaseFailure(error);
  if (failure !== undefined && failure.kind !== "internal") return `: ${failure.message}`;
  return "; the log has the cause.";
}

const isOverdue = ({ createdAt }: DriftRow, at: Date): boolean =>
  at.getTime() - createdAt.getTime() >= maxWaitMs;

async function endUnmade(
  db: Db,
  check: DriftRow,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await markWaiting(db, { id: check.id, reason, at, nextAttemptAt: null });
  await endCheck(db, { id: check.id, fence: null, result: "UNKNOWN", components: [], at });
  await pruneChecks(db, check);
}

async function checkUnit(deps: DriftDeps, begun: Begun): Promise<void> {
  const { check } = begun;
  const timeout = AbortSignal.timeout(deps.limits.timeoutMs);
  const signal = AbortSignal.any([timeout, deps.halt]);
  const deployed = await loadDeployed(deps.database.db, check);
  const checkDeps = {
    adapters: deps.adapters,
    environment: check.environment,
    checkId: check.id,
    traceparent: check.traceparent,
    callTimeoutMs: (adapterId: string | null) =>
      deps.callTimeoutMs({ environment: check.environment, adapterId }),
    pollMs: deps.limits.pollMs,
    signal,
  };
  const found = await mapParallel(deployed, deps.limits.parallelComponents, (component) =>
    checkComponent(checkDeps, component),
  );
  if (deps.halt.aborted) return;
  await report(deps, begun, found);
}

/** Null when the check is another worker's by now, has ended, waits for the end of an operation, or was begun too often. */
function begin(deps: DriftDeps, id: string): Promise<Begun | null> {
  return inTransaction(deps.database, async (tx) => {
    const check = await lockCheck(tx, { id, workerId: deps.workerId });
    if (!check || check.status === "COMPLETED") return null;
    const at = deps.now();
    const active = await findActivePlan(tx, check);
    if (active !== null) {
      const reason = `An operation is active on the unit (plan ${active}).`;
      if (isOverdue(check, at)) await endUnmade(tx, check, { reason, at });
      else await markWaiting(tx, { id, reason, at, nextAttemptAt: null });
      return null;
    }
    // What ends the process each time leaves no fault.
    if (check.attempts >= maxAttempts) {
      await endUnmade(tx, check, {
        reason: `The check was begun ${check.attempts} times and has not ended.`,
        at,
      });
      return null;
    }
    const begun = await beginCheck(tx, { id, workerId: deps.workerId, at });
    return { check, ...begun, lastPlanId: await readLastPlan(tx, check) };
  });
}

/** The deployed components, each with the body of its validation: the unit as it is deployed. */
async function loadDeployed(db: Db, check: DriftRow): Promise<DeployedComponent[]> {
  const rows = (await loadComponents(db, check)).filter(
    (row) => row.status === "DEPLOYED" && hasCallOfItsOwn(row),
  );
  const adapters = await loadEnabledAdapters(db, check.environment);
  const unit = await loadUnitDescriptor(db, check);
  const root = rows.find(({ key }) => key === check.unitKey);
  const parts = rows.filter(({ parentKey }) => parentKey !== null);
  const components = rows
    .filter((row) => row !== root && row.parentKey === null)
    .map(({ descriptor }) => descriptor);
  const descriptor = { ...(root?.descriptor ?? unit), components };
  // Subcomponents appear in their owner's descriptor as they were deployed.
  const bodies = createBodyBuilder({ descriptor, operations: [], removeData: false, enrichment: {} }, parts);
  const bodyOf = (row: ComponentRow) => (): Buffer[] =>
    bodies.call({
      isEnriched: false,
      isRetired: true,
      componentId: row.id,
      isRoot: row === root,
      removeData: false,
      predecessors: new Map(),
    });
  return rows.map((row) => {
    const adapter = adapters.get(row.infrastructureTemplateId ?? "");
    return {
      id: row.id,
      descriptor: row.descriptor as Record<string, unknown>,
      url: adapter?.url ?? null,
      templateId: row.infrastructureTemplateId,
      isAsyncValidation: isAsyncValidation(adapter?.properties ?? null),
      validationBody: bodyOf(row),
    };
  });
}

async function mapParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
}

/**
 * Writes the result with its event, unless another worker claimed the check. A unit changed meanwhile makes
 * it UNKNOWN.
 */
async function report(deps: DriftDeps, begun: Begun, found: ComponentDrift[]): Promise<void> {
  const { check, fence } = begun;
  const { unitId, environment } = check;
  const drifted = await inTransaction(deps.database, async (tx) => {
    await lockUnit(tx, check, unitId);
    const isChanged =
      (await findActivePlan(tx, check)) !== null || (await readLastPlan(tx, check)) !== begun.lastPlanId;
    const components = isChanged ? found.map(unsure) : found;
    const at = deps.now();
    const result = resultOf(components);
    if (!(await endCheck(tx, { id: check.id, fence, result, components, at }))) return [];
    await pruneChecks(tx, check);
    const changed = components.filter((component) => component.result === "DRIFTED");
    if (changed.length > 0) {
      const listed = changed.map(({ componentId, result: each, why, pointers }) => ({
        componentId,
        result: each,
        why,
        pointers,
      }));
      const askMs = deps.askMs(environment);
      if (askMs !== null) await insertFound(tx, { ...foundOf(begun, changed, at), askMs });
      const data = { driftCheckId: check.id, deploymentUnitId: unitId, environment, components: listed };
      await appendEvents(tx, unitStream(environment, check.unitKey), [driftEvent(at, data)]);
    }
    if (result === "NO_DRIFT") {
      const unread = components.filter(({ checkedBy }) => !checkedBy.includes("REVERSE_PROVISIONING"));
      await dropRepaired(tx, check, {
        reason: noDriftAnyMore,
        at,
        unread: unread.map(({ componentId }) => componentId),
      });
    }
    return changed;
  });
  for (const { componentId, why } of drifted)
    deps.log.warn({ driftCheckId: check.id, unitId, environment, componentId, why }, "drift was found");
}

const noDriftAnyMore = "A later check has found no drift.";

const foundOf = ({ check, lastPlanId }: Begun, drifted: readonly ComponentDrift[], at: Date) => ({
  id: newId(),
  unitKey: check.unitKey,
  unitId: check.unitId,
  environment: check.environment,
  checkId: check.id,
  components: drifted.map(({ componentId }) => componentId),
  lastPlanId,
  at,
});

const unsure = (component: ComponentDrift): ComponentDrift => ({
  ...component,
  result: "UNKNOWN",
  why: "An operation on the unit began during the check.",
  pointers: [],
  problems: [],
});

function resultOf(components: ComponentDrift[]): "NO_DRIFT" | "DRIFTED" | "UNKNOWN" {
  if (components.some(({ result }) => result === "DRIFTED")) return "DRIFTED";
  return components.some(({ result }) => result === "UNKNOWN") || components.length === 0
    ? "UNKNOWN"
    : "NO_DRIFT";
}
