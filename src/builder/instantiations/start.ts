/** Starts instantiations of templates. */
import type { Static } from "typebox";
import { auditInsert } from "../../platform/db/audit.ts";
import { inTransaction } from "../../platform/db/database.ts";
import { isUniqueViolation } from "../../platform/db/failures.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import { originOf } from "../../platform/lib/request-lines.ts";
import type { Entity } from "../entity.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { hashOfRequest } from "../request-hash.ts";
import { overrunReason } from "../renderer.ts";
import type { Template } from "../templates/template.ts";
import type { TemplateLoader } from "../templates/load-template.ts";
import { hasSecrets, refuseLongSecrets, secretNames, takeSecrets } from "./secret-values.ts";
import type { instantiateBody } from "./schema.ts";
import { findByKey, insertTask, storePlan, type NewTask } from "./task-store.ts";
import type { Secrets } from "./task.ts";

export interface InstantiationDeps {
  templates: TemplateLoader;
  /** A template of the catalogue, by `kind:namespace/name`; kind and namespace may be omitted. */
  findEntity: (ref: string) => Promise<Entity | null>;
  storedPlans: StoredPlans;
  /** Checks a request that names an entity, or a template for one, and makes the plan of its task. */
  checkEdit: (ctx: BuilderContext, request: InstantiateRequest) => Promise<CheckedRequest>;
}

export type InstantiateRequest = Static<typeof instantiateBody>;

export interface CheckedRequest {
  template: Template;
  values: Record<string, unknown>;
  overrides: Record<string, Record<string, unknown>>;
  secrets: Secrets;
}

/** A start under an idempotency key. */
interface IdempotentStart {
  key: string;
  bodyHash: string;
  /** Also those under keys of the installation of before. */
  sameBodyHashes: string[];
}

/**
 * Starts a task and returns its id; under an idempotency key, the id of the task that the same request has
 * started before. A key is known as long as its task exists.
 */
export async function instantiate(
  ctx: BuilderContext,
  deps: InstantiationDeps,
  { request, idempotencyKey }: { request: InstantiateRequest; idempotencyKey: string | undefined },
): Promise<string> {
  if (idempotencyKey === undefined) return start(ctx, deps, { request, once: null });
  const sameBodyHashes = hashKeys(ctx).map((key) => hashOfRequest(request, key));
  const once = { key: idempotencyKey, bodyHash: sameBodyHashes[0] ?? "", sameBodyHashes };
  const before = await startedBefore(ctx, once);
  if (before !== null) return before;
  try {
    return await start(ctx, deps, { request, once });
  } catch (error) {
    // Another request with the same key committed first.
    const first = isUniqueViolation(error, "instantiations_key") ? await startedBefore(ctx, once) : null;
    if (first === null) throw error;
    return first;
  }
}

/** Requests contain secrets, so the hashes are keyed: nobody who reads them can guess the texts by trying. */
const hashKeys = ({ builder }: BuilderContext): Buffer[] =>
  builder.secrets.deriveAll("instantiation request");

async function startedBefore(
  ctx: BuilderContext,
  { key, sameBodyHashes }: IdempotentStart,
): Promise<string | null> {
  const task = await findByKey(ctx.builder.database.db, { owner: ctx.actor.ref, key });
  if (task !== null && !sameBodyHashes.includes(task.bodyHash))
    throw builderFailure("BUILDER_IDEMPOTENCY_KEY_REUSED", {
      message: "Another request was sent under this Idempotency-Key.",
    });
  return task?.id ?? null;
}

async function start(
  ctx: BuilderContext,
  deps: InstantiationDeps,
  { request, once }: { request: InstantiateRequest; once: IdempotentStart | null },
): Promise<string> {
  const { template, values, overrides, secrets } = isForEntity(request)
    ? await deps.checkEdit(ctx, request)
    : await checkRequest(ctx, await templateOf(deps, request.templateRef), request);
  const { database, secrets: box } = ctx.builder;
  const id = newId();
  const sealed = hasSecrets(secrets) ? box.seal(Buffer.from(JSON.stringify(secrets)), id) : null;
  const isKnown = deps.storedPlans.has(template.hash, ctx.now().getTime());
  const task: NewTask = {
    id,
    templateRef: template.plan.entityRef,
    title: template.title,
    planHash: template.hash,
    owner: ctx.actor.ref,
    parameters: values,
    environment: overrides,
    sealed,
    secretNames: secretNames(secrets),
    idempotencyKey: once?.key ?? null,
    bodyHash: once?.bodyHash ?? null,
    traceparent: ctx.traceparent,
    origin: originOf(ctx),
    at: ctx.now(),
  };
  const detail = { template: task.templateRef };
  const audit = auditInsert(ctx, {
    area: "builder",
    operation: "instantiateTemplate",
    subject: `instantiation:${id}`,
    detail,
  });
  if (isKnown) await insertTask(database.db, task, audit);
  else {
    await inTransaction(database, async (tx) => {
      await storePlan(tx, template.hash, template.planText);
      await insertTask(tx, task, audit);
    });
    deps.storedPlans.add(template.hash, ctx.now().getTime());
  }
  return id;
}

/** Templates that change an entity are named with their kind, or together with the entity. */
const isForEntity = ({ templateRef, entityRef }: InstantiateRequest): boolean =>
  entityRef !== undefined || /^(?:edittemplate|reverseprovisioningtemplate):/i.test(templateRef);

async function templateOf(deps: InstantiationDeps, ref: string): Promise<Template> {
  const entity = await findTemplate(deps, ref);
  if (entity === null) {
    const message = `The catalogue has no template ${ref}.`;
    throw builderFailure("BUILDER_INVALID_INSTANTIATION", { message, where: "/templateRef" });
  }
  return deps.templates.load(entity);
}

/** `[kind:][namespace/]name`; only templates are found. */
export async function findTemplate(deps: InstantiationDeps, ref: string): Promise<Entity | null> {
  const entity = await deps.findEntity(ref.includes(":") ? ref : `template:${ref}`);
  return entity?.kind.toLowerCase() === "template" ? entity : null;
}

/** Validates the values against the template, fills in defaults, and extracts the secrets. */
export async function checkRequest(
  ctx: BuilderContext,
  template: Template,
  request: Pick<InstantiateRequest, "values" | "secrets" | "environmentOverrides">,
): Promise<CheckedRequest> {
  const { values, secrets: named = {}, environmentOverrides: overrides = {} } = request;
  const { renderer, settings } = ctx.builder;
  const checked = await renderer.run("values", {
    key: template.hash,
    schemas: template.schemas,
    pages: template.pages,
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
    problems.push({
      where: "/values",
      message: `They could not be checked against the template: ${reason}.`,
      ...(checked.overrun === "size" && { solution: "Send fewer values, or have the template fetch them." }),
    });
  } else problems.push(...checked.problems);
  if (problems.length > 0 || "overrun" in checked) {
    const message = `The values are not what the template takes: ${problems.length} need a correction.`;
    throw builderFailure("BUILDER_INVALID_INSTANTIATION", { message, problems });
  }
  return splitSecrets(template, { values: checked.values, overrides: checked.overrides, named });
}

export function splitSecrets(
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
  const secrets: Secrets = { named: given.named, fields };
  refuseLongSecrets(secrets);
  return { template, values: own.values, overrides, secrets };
}

/** Caches which template plans the database contains, so that most starts need not store theirs. */
interface StoredPlans {
  has(hash: string, nowMs: number): boolean;
  add(hash: string, nowMs: number): void;
}

/**
 * After an hour a start confirms again that it needs its plan: plans that are not needed for a day are
 * deleted.
 */
const storedForMs = 60 * 60_000;
const maxPlans = 1_000;

/** One cache for each database. */
export function createStoredPlans(): StoredPlans {
  const storedAt = new Map<string, number>();
  return {
    has: (hash, nowMs) => nowMs - (storedAt.get(hash) ?? 0) < storedForMs,
    add(hash, nowMs) {
      if (storedAt.size >= maxPlans) storedAt.clear();
      storedAt.set(hash, nowMs);
    },
  };
}
