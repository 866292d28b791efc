/** Shows, lists, cancels, retries and follows instantiations of templates. */
import type { Static } from "typebox";
import { inTransaction } from "../../platform/db/database.ts";
import { appendEvents, type StoredEvent } from "../../platform/events/events.ts";
import { isUuid } from "../../platform/lib/ids.ts";
import { counted } from "../../platform/lib/check.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import { writeAudit, type BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { hasSecrets, refuseLongSecrets, secretNames } from "./secret-values.ts";
import type { retryBody, taskDetail, taskList, tasksQuery } from "./schema.ts";
import {
  cancelledEvent,
  completionEvent,
  endsTaskStream,
  logEvent,
  taskStream,
  type Secrets,
  type TaskStatus,
  type InstantiationLimits,
} from "./task.ts";
import {
  cancelTask,
  hasMoreEvents,
  lockHead,
  readHead,
  reopenTask,
  type TaskHead,
  listTasks,
  readTask,
  type TaskDetail,
} from "./task-store.ts";
import { pageOf, readPageCursor } from "../../platform/lib/page-cursor.ts";
import type { TemplatePlan } from "../templates/template.ts";
import { readPlan } from "./store.ts";

export const unknownTask = (taskId: string): Error =>
  builderFailure("BUILDER_UNKNOWN_TASK", { message: `There is no task ${taskId.slice(0, 100)}.` });

const seeAll = new Set(["operator", "admin", "service"]);

export const seesAllTasks = ({ actor }: BuilderContext): boolean =>
  actor.roles.some((role) => seeAll.has(role));

/** Tasks are visible to their owner and to operators. */
export function requireOwner<T extends { owner: string }>(ctx: BuilderContext, task: T): T {
  if (task.owner === ctx.actor.ref || seesAllTasks(ctx)) return task;
  throw builderFailure("BUILDER_NOT_YOUR_TASK", {
    message: "Only who started a task, and operators, may see it and change it.",
  });
}

async function headOf(ctx: BuilderContext, taskId: string): Promise<TaskHead> {
  const task = isUuid(taskId) ? await readHead(ctx.builder.database.db, taskId) : null;
  if (task === null) throw unknownTask(taskId);
  return requireOwner(ctx, task);
}

export async function getStatus(ctx: BuilderContext, taskId: string): Promise<TaskStatus> {
  return (await headOf(ctx, taskId)).status;
}

/** The events of a task after an id, live; null when it has ended and the caller has the last one. */
export async function followTask(
  ctx: BuilderContext,
  taskId: string,
  after: number,
): Promise<AsyncGenerator<StoredEvent> | null> {
  await headOf(ctx, taskId);
  const { database, hub } = ctx.builder;
  if ((await hasMoreEvents(database.db, taskId, after)) !== true) return null;
  return hub.tail(taskStream(taskId), { after, signal: ctx.signal, isLast: endsTaskStream });
}

/** Cancels a task that has not ended. */
export async function cancel(ctx: BuilderContext, taskId: string): Promise<void> {
  if (!isUuid(taskId)) throw unknownTask(taskId);
  await inTransaction(ctx.builder.database, async (tx) => {
    const task = await lockHead(tx, taskId);
    if (task === null) throw unknownTask(taskId);
    requireOwner(ctx, task);
    if (task.status !== "open" && task.status !== "processing") throw wrongState(task);
    const at = ctx.now();
    await cancelTask(tx, taskId, at);
    await appendEvents(tx, taskStream(taskId), [
      cancelledEvent(at, ctx.actor.ref),
      completionEvent(at, { status: "cancelled", output: {} }),
    ]);
    await writeAudit(tx, ctx, { operation: "cancelInstantiation", subject: `instantiation:${taskId}` });
  });
}

const wrongState = ({ status }: TaskHead): Error =>
  builderFailure("BUILDER_TASK_STATE", { message: `This can't be done with a task that is ${status}.` });

/** Restarts at the step that failed. Secrets have been deleted, so the request contains them again. */
export async function retry(
  ctx: BuilderContext,
  taskId: string,
  request: Static<typeof retryBody>,
): Promise<void> {
  if (!isUuid(taskId)) throw unknownTask(taskId);
  const { database, secrets: box } = ctx.builder;
  await inTransaction(database, async (tx) => {
    const task = await lockHead(tx, taskId);
    if (task === null) throw unknownTask(taskId);
    requireOwner(ctx, task);
    if (task.status !== "failed" && task.status !== "cancelled") throw wrongState(task);
    const secrets = requireSecrets(task, request);
    const sealed = hasSecrets(secrets) ? box.seal(Buffer.from(JSON.stringify(secrets)), taskId) : null;
    await reopenTask(tx, taskId, sealed);
    const message = `${ctx.actor.ref} has the task tried again.`;
    await appendEvents(tx, taskStream(taskId), [logEvent(ctx.now(), { message })]);
    await writeAudit(tx, ctx, { operation: "retryInstantiation", subject: `instantiation:${taskId}` });
  });
}

/** Every secret of the task must be provided again, by its pointer in the first request. */
function requireSecrets(
  task: TaskHead,
  { secrets = {}, secretValues = {} }: Static<typeof retryBody>,
): Secrets {
  const given: Secrets = { named: secrets, fields: {} };
  for (const pointer of task.secretNames) {
    if (!pointer.startsWith("/secrets/") && Object.hasOwn(secretValues, pointer)) {
      given.fields[pointer] = secretValues[pointer];
    }
  }
  const there = new Set(secretNames(given));
  const problems = task.secretNames
    .filter((pointer) => !there.has(pointer))
    .map((pointer) => ({
      where: pointer.startsWith("/secrets/") ? pointer : `/secretValues/${escapeKey(pointer)}`,
      message: "The task was started with this secret, which was forgotten when it ended.",
      solution: "Give it again.",
    }));
  if (problems.length > 0) {
    const message = "Secrets of the task are missing.";
    throw builderFailure("BUILDER_INVALID_INSTANTIATION", { message, problems });
  }
  refuseLongSecrets(given);
  return given;
}

export async function getTask(ctx: BuilderContext, taskId: string): Promise<Static<typeof taskDetail>> {
  const { task, plan } = await readTaskWithPlan(ctx, taskId);
  const { steps: done, environment, planHash: _hash, heartbeatAt: _heartbeat, ...rest } = task;
  const { underWay: _underWay, lastError: _lastError, ...head } = rest;
  const ended = new Map(done.map((step) => [step.step, step]));
  let isNext = task.status === "processing";
  const steps = (plan?.steps ?? []).map(({ id, name, action }, index) => {
    const record = ended.get(index);
    if (record) {
      const { step: _step, ...shown } = record;
      return { id, name, action, ...shown };
    }
    const status = isNext ? "processing" : "open";
    isNext = false;
    return { id, name, action, status, output: {}, error: null, startedAt: null, endedAt: null };
  });
  const shown = {
    ...head,
    entityRef: plan?.edit?.entityRef ?? null,
    output: task.output ?? {},
    environmentOverrides: environment,
    steps,
  };
  return { ...shown, waiting: waitingOf(task, ctx.builder.settings.instantiations) } as Static<
    typeof taskDetail
  >;
}

export async function readTaskWithPlan(
  ctx: BuilderContext,
  taskId: string,
): Promise<{ task: TaskDetail; plan: TemplatePlan | null }> {
  const { db } = ctx.builder.database;
  const task = isUuid(taskId) ? await readTask(db, taskId) : null;
  if (task === null) throw unknownTask(taskId);
  requireOwner(ctx, { owner: task.createdBy });
  return { task, plan: await readPlan(db, task.planHash) };
}

function waitingOf(
  { status, heartbeatAt, startedAt, underWay, createdBy, lastError }: TaskDetail,
  { parallelPerUser }: InstantiationLimits,
): string | null {
  if (status === "open" && parallelPerUser > 0 && underWay >= parallelPerUser) {
    return `${createdBy} has ${underWay} tasks under way, and all workers together take ${parallelPerUser} of one user at a time.`;
  }
  if (status === "open" && startedAt === null) return "No worker has taken the task yet.";
  if (status === "open") return "The task is to be tried again, and no worker has taken it yet.";
  if (status !== "processing" || heartbeatAt !== null) return null;
  if (lastError !== null) {
    const { reason, attempts, nextAttemptAt } = lastError;
    return `Its worker could not go on: ${reason} A worker tries again at ${nextAttemptAt} (so far ${counted(attempts, "attempt")}).`;
  }
  return "The worker that had the task is gone; another one takes it over.";
}

export async function getTasks(
  ctx: BuilderContext,
  query: Static<typeof tasksQuery>,
): Promise<Static<typeof taskList>> {
  const { limit } = query;
  const rows = await listTasks(ctx.builder.database.db, {
    owner: query.owner === "all" && seesAllTasks(ctx) ? undefined : ctx.actor.ref,
    status: query.status,
    limit: limit + 1,
    after: cursorOf(query.after),
    offset: 0,
  });
  const { page, next } = pageOf(rows, limit, ({ at, id }) => [at, id]);
  const data = page.map(({ at: _at, ...task }) => task);
  return { data, meta: { pagination: { limit, next } } };
}

const timeText = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::?\d\d)?$/;

function cursorOf(text: string | undefined): { createdAt: string; id: string } | null {
  if (text === undefined) return null;
  const [createdAt = "", id = ""] = readPageCursor(text, 2) ?? [];
  if (timeText.test(createdAt) && isUuid(id)) return { createdAt, id };
  const message = "The cursor is not one of this list.";
  throw builderFailure("BUILDER_INVALID_INSTANTIATION", {
    message,
    where: "after",
    solution: "Send `meta.pagination.next` of the page before as it is.",
  });
}
