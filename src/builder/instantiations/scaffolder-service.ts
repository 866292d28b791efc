/** Instantiations in the format of the Backstage scaffolder. */
import type { Static } from "typebox";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { readTaskWithPlan, followTask, getStatus, seesAllTasks } from "./service.ts";
import { findTemplate, type InstantiationDeps } from "./start.ts";
import { readPlan } from "./store.ts";
import { countTasks, listEvents, listTasks, readTask, type EventRow } from "./task-store.ts";
import { templateApiVersion, type TemplatePlan } from "../templates/template.ts";
import type { eventList, parameterSchema, task, taskPage, taskQuery } from "./scaffolder-schema.ts";

type Task = Static<typeof task>;

interface Shown {
  id: string;
  status: string;
  createdBy: string;
  createdAt: string;
  title: string;
  templateRef: string;
  parameters?: Record<string, unknown>;
  heartbeatAt?: string | null;
}

function toTask(row: Shown, plan: TemplatePlan | null): Task {
  const [, name = ""] = row.templateRef.split("/");
  const spec = {
    apiVersion: templateApiVersion,
    steps: plan?.steps ?? [],
    output: plan?.output ?? {},
    parameters: row.parameters ?? {},
    user: { ref: row.createdBy },
    templateInfo: {
      entityRef: row.templateRef,
      baseUrl: plan?.baseUrl ?? "",
      entity: { metadata: { name, title: row.title } },
    },
  };
  const { id, status, createdAt, createdBy, heartbeatAt } = row;
  const head = { id, spec, status, createdAt, createdBy } as Task;
  return heartbeatAt ? { ...head, lastHeartbeatAt: heartbeatAt } : head;
}

export async function getScaffolderTask(ctx: BuilderContext, taskId: string): Promise<Task> {
  const found = await readTaskWithPlan(ctx, taskId);
  return toTask(found.task, found.plan);
}

/** The steps of a template come once for each template in the page. */
export async function listScaffolderTasks(
  ctx: BuilderContext,
  query: Static<typeof taskQuery>,
): Promise<Static<typeof taskPage>> {
  const { db } = ctx.builder.database;
  const [asked] = query.createdBy;
  const owner = seesAllTasks(ctx) ? asked : ctx.actor.ref;
  if (asked !== undefined && owner !== asked) return { tasks: [], totalTasks: 0 };
  const { status, limit, offset } = query;
  const filter = { owner, status, limit, offset, after: null };
  const [rows, totalTasks] = [await listTasks(db, filter), await countTasks(db, filter)];
  const plans = new Map<string, TemplatePlan | null>();
  const tasks: Task[] = [];
  for (const row of rows) {
    const detail = await readTask(db, row.id);
    if (detail === null) continue;
    if (!plans.has(detail.planHash)) plans.set(detail.planHash, await readPlan(db, detail.planHash));
    tasks.push(toTask(detail, plans.get(detail.planHash) ?? null));
  }
  return { tasks, totalTasks };
}

type TaskEvent = Static<typeof eventList>[number];

export function toEvent(taskId: string, { id, type, data }: EventRow): TaskEvent {
  const { createdAt, ...body } = data;
  return { id, taskId, type, body, isTaskRecoverable: false, createdAt } as TaskEvent;
}

const pageSize = 500;
/** Timeout of a long poll for events; clients repeat it at once. */
const longPollMs = 10_000;

/** The events after an id; waits for the next one when there is none yet. */
export async function pollEvents(ctx: BuilderContext, taskId: string, after: number): Promise<TaskEvent[]> {
  await getStatus(ctx, taskId);
  const { db } = ctx.builder.database;
  const read = () => listEvents(db, taskId, { after, limit: pageSize });
  let rows = await read();
  if (rows.length === 0) {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(longPollMs)]);
    const next = await followTask({ ...ctx, signal }, taskId, after);
    await next?.next();
    await next?.return(undefined);
    rows = await read();
  }
  return rows.map((row) => toEvent(taskId, row));
}

export async function getParameterSchema(
  deps: InstantiationDeps,
  ref: string,
): Promise<Static<typeof parameterSchema>> {
  const entity = await findTemplate(deps, ref);
  if (entity === null) {
    throw builderFailure("BUILDER_UNKNOWN_TEMPLATE", { message: `The catalogue has no template ${ref}.` });
  }
  const { title, description, pages } = await deps.templates.loadForm(entity);
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  return {
    title,
    ...(description === undefined ? {} : { description }),
    steps: pages.map((schema) => {
      const own = text(schema["description"]);
      const head = { title: text(schema["title"]) ?? title, schema };
      return own === undefined ? head : { ...head, description: own };
    }),
  };
}
