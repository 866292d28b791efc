/** Tasks as callers see them: one with its steps, and lists. */
import type { Static } from "typebox";
import { pageOf, readPageCursor } from "../../platform/lib/page-cursor.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { isUuid } from "../../platform/lib/ids.ts";
import type { TemplatePlan } from "../templates/template.ts";
import type { taskDetail, taskList, tasksQuery } from "./schema.ts";
import { requireOwner, seesAllTasks, unknownTask } from "./service.ts";
import { readPlan } from "./store.ts";
import type { InstantiationLimits } from "./types.ts";
import { listTasks, readTask, type TaskDetail } from "./task-store.ts";

export async function getTask(ctx: BuilderContext, taskId: string): Promise<Static<typeof taskDetail>> {
  const { task, plan } = await readTaskWithPlan(ctx, taskId);
  const { steps: done, environment, planHash: _hash, heartbeatAt: _heartbeat, ...rest } = task;
  const { underWay: _underWay, ...head } = rest;
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
  const shown = { ...head, output: task.output ?? {}, environmentOverrides: environment, steps };
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
  { status, heartbeatAt, startedAt, underWay, createdBy }: TaskDetail,
  { parallelPerUser }: InstantiationLimits,
): string | null {
  if (status === "open" && parallelPerUser > 0 && underWay >= parallelPerUser) {
    return `${createdBy} has ${underWay} tasks under way, and a worker takes ${parallelPerUser} of one user at a time.`;
  }
  if (status === "open" && startedAt === null) return "No worker has taken the task yet.";
  if (status === "open") return "The task is to be tried again, and no worker has taken it yet.";
  if (status !== "processing" || heartbeatAt !== null) return null;
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
