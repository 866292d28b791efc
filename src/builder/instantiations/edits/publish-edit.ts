/**
 * Makes a change of an entity's files on top of the commit that its form was filled from, checks it, and
 * publishes it.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readLocationNow } from "../../actions/catalog-register.ts";
import type { ActionContext } from "../../actions/action.ts";
import { normalRef, parseEntityRef } from "../../entity.ts";
import { parseYaml, type YamlMap } from "../../catalogue/entities/yaml.ts";
import { builderFailure } from "../../errors.ts";
import {
  commitFiles,
  patchOf,
  type OpenBranch,
  readBranchHead,
  withBranch,
} from "../../git/change-branch.ts";
import type { EditPlan } from "../../templates/template.ts";
import { placeOfPlan, readDeps, withEditable, type EditableFiles, type EntityPlace } from "./editable.ts";
import { checkNewFiles, makeNewFiles } from "./new-files.ts";
import { inTransaction } from "../../../platform/db/database.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { refreshEntity } from "../../catalogue/locations/service.ts";
import { registerLocation } from "../../catalogue/lookup.ts";
import { writeAudit, type BuilderContext } from "../../context.ts";
import { readTaskWithPlan } from "../service.ts";
import { findEntityToEdit, requireOwnEntity } from "./service.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** Maximum number of characters of the patch shown with the task. */
const longestPatch = 50_000;

interface Work {
  ctx: ActionContext;
  plan: EditPlan;
  place: EntityPlace;
  open: OpenBranch;
}

export async function publishEdit(ctx: ActionContext, plan: EditPlan): Promise<void> {
  const { deps, signal, now } = ctx;
  const place = placeOfPlan(deps, plan);
  await withEditable(place, { deps, signal, now }, async (files, open) => {
    const work: Work = { ctx, plan, place, open };
    const commit = await makeCommitOf(work, files);
    if (commit === null) {
      ctx.say("The entity is like that already: nothing is changed.");
      writeEditOutputs(work, null);
      return;
    }
    const branch = branchOf(work);
    const from = plan.publishTo === "push" ? plan.base : null;
    if (!(await open.move(branch, { from, to: commit }))) throw conflict(work, branch);
    ctx.say(`Published commit ${commit} to the branch ${branch}.`);
    writeEditOutputs(work, commit);
  });
  if (plan.publishTo === "push") await readPublishedEntity(ctx, place);
}

/** Null when nothing changes. An attempt after a crash makes the same commit again, or finds it published. */
async function makeCommitOf(work: Work, files: EditableFiles): Promise<string | null> {
  const { ctx, plan, open } = work;
  const { checkpoint, now, signal, say, output, deps } = ctx;
  if (open.head !== plan.base) {
    const earlier = await checkpoint<string | null>("commit", async () => null);
    if (earlier !== null && earlier === open.head) return earlier;
    throw conflict(work, open.branch);
  }
  const updates = ctx.input["updates"];
  const { files: changes, leftOut } = await makeNewFiles(deps.renderer, files, {
    parameters: plan.kind === "edit" ? asYaml(ctx.withoutSecrets(ctx.parameters)) : {},
    environments: Object.fromEntries(
      Object.entries(ctx.environment).map(([name, own]) => [name, asYaml(ctx.withoutSecrets(own))]),
    ),
    updates: isRecord(updates) ? updates : {},
    entity: await readRendered(ctx),
    expressions: plan.expressions,
  });
  for (const path of leftOut)
    say(
      `Left out: ${path}. The entity is made of its parameters, so the adapter has to name those.`,
      "WARNING",
    );
  output("leftOut", leftOut);
  if (changes.length === 0) return null;
  const name = parseEntityRef(plan.entityRef)?.name ?? "";
  const { environments } = deps.settings;
  await checkNewFiles(readDeps(deps), files, { changes, environments, name });
  const date = await checkpoint("date", async () => now().toISOString());
  const commit = await commitFiles(open, changes, {
    message: `Edit ${plan.entityRef}\n\nWith ${ctx.template.entityRef}.`,
    author: { name: ctx.user, email: deps.settings.git.authorEmail },
    date: new Date(date),
    signal,
  });
  const patch = await patchOf(open.gitDir, { from: plan.base, to: commit, signal });
  output(
    "changedFiles",
    changes.map(({ path }) => path),
  );
  output("patch", patch.length > longestPatch ? `${patch.slice(0, longestPatch)}\n… (cut)` : patch);
  await checkpoint("commit", async () => commit);
  return commit;
}

const asYaml = (values: Record<string, unknown>): YamlMap => values as YamlMap;

const maxRenderedBytes = 1024 * 1024;

/** The entity as rendered by the steps of an older edit template; null for templates without steps. */
async function readRendered(ctx: ActionContext): Promise<YamlMap | null> {
  const path = join(await ctx.workspace.folder(), "catalog-info.yaml");
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return null;
  const text = bytes.length > maxRenderedBytes ? "" : bytes.toString("utf8");
  const parsed = parseYaml(text, { file: "catalog-info.yaml" });
  if (parsed.ok && isRecord(parsed.value)) return parsed.value;
  throw builderFailure("BUILDER_EDIT_REFUSED", {
    message: "The steps of the edit template have made a catalog-info.yaml that holds no entity.",
    problems: parsed.ok ? [] : [parsed.problem],
  });
}

const branchOf = ({ ctx, plan, open }: Work): string =>
  plan.publishTo === "push" ? open.branch : editBranch(plan.entityRef, ctx.taskId);

/** The branch of one edit; the end of the task id makes it unique. */
const editBranch = (entityRef: string, taskId: string): string =>
  `edit/${(parseEntityRef(entityRef)?.name ?? "entity").replaceAll(/[^A-Za-z0-9_-]+/g, "-")}-${taskId.slice(-12)}`;

const conflict = ({ plan, open }: Work, branch: string) =>
  builderFailure("BUILDER_EDIT_CONFLICT", {
    message: `${plan.entityRef} was edited as it was in commit ${plan.base.slice(0, 12)}; the branch ${branch} has moved on since, now ${open.head.slice(0, 12)}.`,
  });

function writeEditOutputs(work: Work, commit: string | null): void {
  const { ctx, plan, place, open } = work;
  const { output } = ctx;
  output("entityRef", normalRef(plan.entityRef) ?? plan.entityRef);
  output("changed", commit !== null);
  output("remoteUrl", place.git.repository);
  output("targetBranch", open.branch);
  output("baseCommit", plan.base);
  if (commit === null) return;
  output("commitHash", commit);
  output("branch", branchOf(work));
}

/** The change is already published; a failure to read it now does not fail the step. */
async function readPublishedEntity(ctx: ActionContext, { origin }: EntityPlace): Promise<void> {
  try {
    await readLocationNow(ctx, origin);
    ctx.say("The catalogue has read the entity again.");
  } catch (error) {
    ctx.signal.throwIfAborted();
    ctx.log.warn({ taskId: ctx.taskId, error }, "an edited entity could not be read again");
    ctx.say("The catalogue could not read the entity again yet; it will with its next reading.", "WARNING");
  }
}

interface AcceptedEdit {
  entityRef: string;
  branch: string;
  commitHash: string;
}

/**
 * Merges an edit that was published to a branch of its own into the branch of its entity. Idempotent.
 */
export async function acceptEdit(ctx: BuilderContext, taskId: string): Promise<AcceptedEdit> {
  const { task, plan } = await readTaskWithPlan(ctx, taskId);
  const { branch, targetBranch, baseCommit, commitHash } = task.output ?? {};
  const edit = plan?.edit;
  if (
    edit === undefined ||
    typeof branch !== "string" ||
    typeof targetBranch !== "string" ||
    typeof baseCommit !== "string" ||
    typeof commitHash !== "string"
  ) {
    throw builderFailure("BUILDER_TASK_STATE", {
      message: `The task has published no edit: it is ${task.status}, and its output names no commit.`,
    });
  }
  const { entityRef } = edit;
  await requireOwnEntity(ctx, await findEntityToEdit(ctx, entityRef));
  const { builder, signal, now } = ctx;
  const place = placeOfPlan(builder, edit);
  const accepted = { entityRef, branch: targetBranch, commitHash };
  const { head } = await readBranchHead({ ...place.git, ref: targetBranch }, { deps: builder, signal });
  if (head === commitHash) return accepted;
  if (head !== baseCommit) throw acceptConflict(accepted, { baseCommit, head });
  await inTransaction(builder.database, (tx) =>
    writeAudit(tx, ctx, {
      operation: "acceptEdit",
      subject: `entity:${entityRef}`,
      detail: { taskId, commitHash },
    }),
  );
  await withBranch({ ...place.git, ref: branch }, { deps: builder, signal, now }, async (open) => {
    if (open.head !== commitHash) throw acceptConflict(accepted, { baseCommit, head: open.head });
    if (!(await open.move(targetBranch, { from: baseCommit, to: commitHash })))
      throw acceptConflict(accepted, { baseCommit, head: (await open.headOf(targetBranch)) ?? "no commit" });
    await open.drop(branch, commitHash);
  });
  await refreshOrSchedule(ctx, entityRef, place.origin);
  return accepted;
}

const acceptConflict = (
  { entityRef, branch }: AcceptedEdit,
  { baseCommit, head }: { baseCommit: string; head: string },
) =>
  builderFailure("BUILDER_EDIT_CONFLICT", {
    message: `${entityRef} was edited as it was in commit ${baseCommit.slice(0, 12)}; the branch ${branch} is at ${head.slice(0, 12)} by now.`,
  });

/** The change is already published; when it cannot be read now, a worker reads it soon. */
async function refreshOrSchedule(
  ctx: BuilderContext,
  entityRef: string,
  origin: { type: string; target: string },
): Promise<void> {
  try {
    await registerLocation(ctx, origin);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await refreshEntity(ctx, entityRef);
  }
}
