/** Runs a claimed task to its end, with its secrets, files and plan. */
import { join } from "node:path";
import type { Entity } from "../../entity.ts";
import type { Action } from "../../actions/action.ts";
import type { BuilderDeps } from "../../context.ts";
import { newTraceparent } from "../../../platform/lib/ids.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { maxAttempts } from "../../../platform/run-engine/last-error.ts";
import { inSpan, type LiveSpan, type SpanStart } from "../../../platform/telemetry/spans.ts";
import { linesOfOrigin } from "../../../platform/lib/request-lines.ts";
import type { TemplatePlan } from "../../templates/template.ts";
import { createMask } from "../../../platform/lib/secrets/mask.ts";
import { putSecrets, secretTexts } from "../secret-values.ts";
import { readPlan, readWorkspace } from "../store.ts";
import type { ClaimedTask, Secrets, TaskEnd } from "../task.ts";
import { countedJournal, type InstantiationMetrics } from "./metrics.ts";
import { createJournal, checkpointName, type Run } from "./journal.ts";
import { runTask } from "./run.ts";
import { createWorkspace, type TaskWorkspace } from "./workspace.ts";

export interface DriveDeps {
  deps: BuilderDeps;
  actions: ReadonlyMap<string, Action>;
  /** Actions only for tasks that change an entity; no template can name them. */
  editActions: ReadonlyMap<string, Action>;
  findEntity: (ref: string) => Promise<Entity | null>;
  metrics: InstantiationMetrics;
  log: Logger;
  now: () => Date;
}

/** The dependencies with which a worker drives its tasks. */
export interface Drive extends DriveDeps {
  findPlan: (hash: string) => Promise<TemplatePlan | null>;
}

/** A task whose processes die so often in a row, without progress, probably ends them. */
const maxDeaths = 50;

const noSecrets: Secrets = { named: {}, fields: {} };

/** Rejects when the signal is aborted, or when the database is unavailable for long. */
export function driveTask(drive: Drive, task: ClaimedTask, stop: AbortController): Promise<void> {
  const start: SpanStart<"instantiation"> = {
    name: `instantiate ${task.templateRef}`,
    parent: task.traceparent,
    // A task that was cancelled or handed over has not failed.
    isError: () => !stop.signal.aborted,
    attributes: () => ({
      "plinth.instantiation.id": task.id,
      "plinth.instantiation.claim": task.fence,
      "plinth.template.ref": task.templateRef,
    }),
  };
  return inSpan("instantiation", start, (span) =>
    driveInSpan({ ...drive, log: linesOfOrigin(task, drive.log), span }, task, stop),
  );
}

type TracedDrive = Drive & { span: LiveSpan<"instantiation"> | undefined };

async function driveInSpan(drive: TracedDrive, task: ClaimedTask, stop: AbortController): Promise<void> {
  const { deps, log, now } = drive;
  const { database, settings, secrets: box } = deps;
  const limits = settings.instantiations;
  const plan = await drive.findPlan(task.planHash);
  const secrets = openSecrets(drive, task);
  const journal = createJournal({
    database,
    taskId: task.id,
    fence: task.fence,
    lastStep: (plan?.steps.length ?? 0) - 1,
    maxEvents: limits.events,
    box: task.sealed === null ? null : box,
    now,
    log,
    onLost: (reason) => stop.abort(reason),
  });
  const refusal = refusalOf(task, plan, secrets);
  const noteEnd = ({ status }: TaskEnd): void => {
    drive.span?.set({ "plinth.instantiation.status": status });
    if (status === "failed") drive.span?.fail(status);
    log.info({ taskId: task.id, template: task.templateRef, status }, "an instantiation has ended");
  };
  if (refusal !== null) {
    const end: TaskEnd = { status: "failed", output: {}, error: refusal };
    await journal.end(end);
    noteEnd(end);
    return drive.metrics.ended({ status: "failed" });
  }
  // A folder per claim: a worker that was only paused may still write into the previous one.
  const folder = join(settings.dataDir, "workspaces", `${task.id}-${task.fence}`);
  const workspace = createWorkspace(folder, limits);
  try {
    await restoreFiles(drive, task, workspace);
    const run = await assemble(drive, { task, plan: plan!, secrets: secrets ?? noSecrets });
    const counted = countedJournal(journal, { ...run, metrics: drive.metrics });
    const end = await runTask({ ...run, workspace, signal: stop.signal, journal: counted });
    await counted.end(end);
    noteEnd(end);
  } finally {
    await workspace.remove();
  }
}

const maxPlans = 200;

/** Reads the plans of tasks from the database and caches the most recent ones. */
export function createPlanReader({ database }: Pick<BuilderDeps, "database">): Drive["findPlan"] {
  const plans = new Map<string, TemplatePlan>();
  return async (hash) => {
    const known = plans.get(hash);
    if (known) return known;
    const plan = await readPlan(database.db, hash);
    if (plans.size >= maxPlans) plans.clear();
    if (plan) plans.set(hash, plan);
    return plan;
  };
}

/** Null when they cannot be decrypted. */
function openSecrets({ deps }: DriveDeps, { id, sealed }: ClaimedTask): Secrets | null {
  if (sealed === null) return noSecrets;
  const content = deps.secrets.open(sealed, id);
  return content === null ? null : (JSON.parse(content.toString("utf8")) as Secrets);
}

function refusalOf(task: ClaimedTask, plan: TemplatePlan | null, secrets: Secrets | null): string | null {
  if (plan === null) return "The steps of the template are no longer known.";
  if (secrets === null) {
    return "The secrets of this task were sealed with another key than this process has; give every process the same key.";
  }
  if (task.lastError === null) return null;
  const { reason, attempts, deaths = 0 } = task.lastError;
  const isGivenUp = deaths === 0 ? attempts >= maxAttempts : deaths >= maxDeaths;
  return isGivenUp ? `It was given up after ${attempts} attempts without progress. ${reason}` : null;
}

/** Restores the files of the last recorded step. */
async function restoreFiles({ deps }: DriveDeps, task: ClaimedTask, workspace: TaskWorkspace): Promise<void> {
  const stored = task.hasWorkspace ? await readWorkspace(deps.database.db, task.id) : null;
  if (stored === null) return;
  const archive = stored.isSealed ? deps.secrets.open(stored.archive, task.id) : stored.archive;
  if (archive === null) throw new Error("the files of a task were sealed with another key");
  await workspace.restore(archive);
}

async function assemble(
  drive: TracedDrive,
  { task, plan, secrets }: { task: ClaimedTask; plan: TemplatePlan; secrets: Secrets },
): Promise<Omit<Run, "workspace" | "signal" | "journal">> {
  const { deps, actions, log, now } = drive;
  const environment = Object.entries(task.environment).map(
    ([name, values]): [string, Record<string, unknown>] => [
      name,
      putSecrets(values, secrets.fields, `/environmentOverrides/${name}`),
    ],
  );
  return {
    deps,
    actions: plan.edit === undefined ? actions : new Map([...actions, ...drive.editActions]),
    limits: deps.settings.instantiations,
    renderTimeoutMs: deps.settings.renderTimeoutMs,
    log,
    now,
    taskId: task.id,
    traceparent: drive.span?.traceparent ?? task.traceparent ?? newTraceparent(),
    plan,
    parameters: putSecrets(task.parameters, secrets.fields, "/values"),
    environment: Object.fromEntries(environment),
    secrets: secrets.named,
    mask: createMask(secretTexts(secrets)),
    user: await userOf(drive, task.owner, plan),
    recorded: new Map(task.steps.map((step) => [step.step, step])),
    checkpoints: new Map(task.checkpoints.map(({ step, key, value }) => [checkpointName(step, key), value])),
    isDryRun: false,
  };
}

const usesUser = new WeakMap<TemplatePlan, boolean>();

/** The user's entity is looked up only when the template refers to the user. */
export async function userOf(
  { findEntity }: Pick<DriveDeps, "findEntity">,
  ref: string,
  plan: TemplatePlan,
): Promise<Run["user"]> {
  let asks = usesUser.get(plan);
  if (asks === undefined) {
    asks = JSON.stringify([plan.steps, plan.output]).includes("user");
    usesUser.set(plan, asks);
  }
  const entity = asks ? await findEntity(ref) : null;
  return entity === null ? { ref } : { ref, entity };
}
