/** Starts, stops and shows instantiations of templates. */
import type { Static } from "typebox";
import { auditInsert, writeAudit } from "../../platform/db/audit.ts";
import { inTransaction } from "../../platform/db/database.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { appendEvents, type StoredEvent } from "../../platform/events/events.ts";
import { isUuid, newId } from "../../platform/lib/ids.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import type { Entity } from "../catalogue/entity.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { overrunReason } from "../templates/renderer.ts";
import type { Template } from "../templates/template.ts";
import type { TemplateLoader } from "./load-template.ts";
import { hasSecrets, secretNames, takeSecrets } from "./secret-values.ts";
import type { instantiateBody, retryBody } from "./schema.ts";
import { cancelledEvent, completionEvent, endsTaskStream, logEvent, taskStream } from "./task-events.ts";
import {
  cancelTask,
  hasMoreEvents,
  insertTask,
  keepPlan,
  lockHead,
  readHead,
  reopenTask,
  type TaskHead,
} from "./task-store.ts";
import type { Secrets, TaskStatus } from "./types.ts";

export interface InstantiationDeps {
  templates: TemplateLoader;
  /** Of the catalogue, by `kind:namespace/name`; kind and namespace may be left out. */
  findEntity: (ref: string) => Promise<Entity | null>;
}

type InstantiateRequest = Static<typeof instantiateBody>;

export interface CheckedRequest {
  template: Template;
  values: Record<string, unknown>;
  overrides: Record<string, Record<string, unknown>>;
  secrets: Secrets;
}

/** Starts a task and answers its id. */
export async function instantiate(
  ctx: BuilderContext,
  deps: InstantiationDeps,
  request: InstantiateRequest,
): Promise<string> {
  const template = await templateOf(deps, request.templateRef);
  const { values, overrides, secrets } = await checkRequest(ctx, template, request);
  const { database, secrets: box } = ctx.builder;
  const id = newId();
  const sealed = hasSecrets(secrets) ? box.seal(Buffer.from(JSON.stringify(secrets)), id) : null;
  const isKnown = isKnownPlan(template.hash, ctx.now().getTime());
  const task = {
    id,
    templateRef: template.plan.entityRef,
    title: template.title,
    planHash: template.hash,
    owner: ctx.actor.ref,
    parameters: values,
    environment: overrides,
    sealed,
    secretNames: secretNames(secrets),
    at: ctx.now(),
  };
  const detail = { template: task.templateRef };
  const audit = auditInsert(ctx, {
    operation: "instantiateTemplate",
    subject: `instantiation:${id}`,
    detail,
  });
  if (isKnown) await insertTask(database.kysely, task, audit);
  else {
    await inTransaction(database, async (tx) => {
      await keepPlan(tx, template.hash, template.planText);
      await insertTask(tx, task, audit);
    });
    rememberPlan(template.hash, ctx.now().getTime());
  }
  return id;
}

async function templateOf(deps: InstantiationDeps, ref: string): Promise<Template> {
  const entity = await findTemplate(deps, ref);
  if (entity === null) {
    const message = `The catalogue has no template ${ref}.`;
    throw builderFailure("BUILDER_INVALID_INSTANTIATION", {
      message,
      problems: [{ where: "/templateRef", message }],
    });
  }
  return deps.templates.load(entity);
}

/** `[kind:][namespace/]name`; anything but a template is not found. */
export async function findTemplate(deps: InstantiationDeps, ref: string): Promise<Entity | null> {
  const entity = await deps.findEntity(ref.includes(":") ? ref : `template:${ref}`);
  return entity?.kind.toLowerCase() === "template" ? entity : null;
}

/** Holds the values against the template, fills defaults in, and takes the secrets out. */
export async function checkRequest(
  ctx: BuilderContext,
  template: Template,
  request: Omit<InstantiateRequest, "templateRef">,
): Promise<CheckedRequest> {
  const { values, secrets: named = {}, environmentOverrides: overrides = {} } = request;
  const { renderer, settings } = ctx.builder;
  const checked = await renderer.checkValues({
    key: template.hash,
    schemas: template.schemas,
    ...(template.secretsSchema === undefined ? {} : { secretsSchema: template.secretsSchema }),
    values,
    secrets: named,
    overrides,
  });
  const problems: Problem[] = Object.keys(overrides)
    .filter((name) => !settings.environments.includes(name))
    .map((name) => ({
      where: `/environmentOverrides/${name}`,
      message: `The environment must be one of: ${settings.environments.join(", ")}.`,
    }));
  if ("overrun" in checked) {
    const reason = overrunReason(checked, settings.renderTimeoutMs);
    problems.push({ where: "/values", message: `They could not be held against the template: ${reason}.` });
  } else problems.push(...checked.problems);
  if (problems.length > 0 || "overrun" in checked) {
    const message = `The values are not what the template takes: ${problems.length} need a correction.`;
    throw builderFailure("BUILDER_INVALID_INSTANTIATION", { message, problems });
  }
  return splitSecrets(template, { values: checked.values, overrides: checked.overrides, named });
}

function splitSecrets(
  template: Template,
  given: {
    values: Record<string, unknown>;
    overrides: Record<string, Record<string, unknown>>;
    named: Record<string, string>;
  },
): CheckedRequest {
  const paths = template.plan.secretFields;
  const own = takeSecrets(given.values, paths, "/values");
  let fields = own.fields;
  const overrides: Record<string, Record<string, unknown>> = {};
  for (const [name, values] of Object.entries(given.overrides)) {
    const part = takeSecrets(values, paths, `/environmentOverrides/${name}`);
    overrides[name] = part.values;
    fields = { ...fields, ...part.fields };
  }
  return { template, values: own.values, overrides, secrets: { named: given.named, fields } };
}

/** Plans that this process has stored, and when; after an hour it says again that it needs them. */
const storedPlans = new Map<string, number>();
const storedForMs = 60 * 60_000;
const mostPlans = 1_000;

const isKnownPlan = (hash: string, now: number): boolean => now - (storedPlans.get(hash) ?? 0) < storedForMs;

function rememberPlan(hash: string, now: number): void {
  if (storedPlans.size >= mostPlans) storedPlans.clear();
  storedPlans.set(hash, now);
}

export const unknownTask = (taskId: string): Error =>
  builderFailure("BUILDER_UNKNOWN_TASK", { message: `There is no task ${taskId.slice(0, 100)}.` });

const seeAll = new Set(["operator", "admin", "service"]);

export const seesAllTasks = ({ actor }: BuilderContext): boolean =>
  actor.roles.some((role) => seeAll.has(role));

/** Tasks are shown to whoever started them, and to operators. */
export function requireOwner<T extends { owner: string }>(ctx: BuilderContext, task: T): T {
  if (task.owner === ctx.actor.ref || seesAllTasks(ctx)) return task;
  throw builderFailure("BUILDER_NOT_YOUR_TASK", {
    message: "Only who started a task, and operators, may see it and change it.",
  });
}

async function headOf(ctx: BuilderContext, taskId: string): Promise<TaskHead> {
  const task = isUuid(taskId) ? await readHead(ctx.builder.database.kysely, taskId) : null;
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
  if ((await hasMoreEvents(database.kysely, taskId, after)) !== true) return null;
  return hub.tail(taskStream(taskId), { after, signal: ctx.signal, isLast: endsTaskStream });
}

/** Ends a task that goes on. */
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

/** Begins again at the step that failed. Secrets have been forgotten and are given anew. */
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
    const secrets = secretsAnew(task, request);
    const sealed = hasSecrets(secrets) ? box.seal(Buffer.from(JSON.stringify(secrets)), taskId) : null;
    await reopenTask(tx, taskId, sealed);
    const message = `${ctx.actor.ref} has the task tried again.`;
    await appendEvents(tx, taskStream(taskId), [logEvent(ctx.now(), { message })]);
    await writeAudit(tx, ctx, { operation: "retryInstantiation", subject: `instantiation:${taskId}` });
  });
}

/** Every secret that the task had has to be there again, by its pointer in the first request. */
function secretsAnew(task: TaskHead, { secrets = {}, secretValues = {} }: Static<typeof retryBody>): Secrets {
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
  if (problems.length === 0) return given;
  throw builderFailure("BUILDER_INVALID_INSTANTIATION", {
    message: "Secrets of the task are missing.",
    problems,
  });
}
