/** Merges an edit that was published to a branch of its own into the branch of its entity. */
import { writeAudit } from "../../platform/db/audit.ts";
import { inTransaction } from "../../platform/db/database.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { refreshEntity } from "../catalogue/locations/service.ts";
import { registerLocation } from "../catalogue/service.ts";
import type { BuilderContext } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { readBranchHead, withBranch } from "../git/change-branch.ts";
import { readTaskWithPlan } from "../instantiations/show-tasks.ts";
import { placeOfPlan } from "./editable.ts";
import { findEntityToEdit } from "./service.ts";
import { requireOwnEntity } from "./start-edit.ts";

export interface AcceptedEdit {
  entityRef: string;
  branch: string;
  commitHash: string;
}

/** Idempotent. */
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
  if (head !== baseCommit) throw conflict(accepted, { baseCommit, head });
  await inTransaction(builder.database, (tx) =>
    writeAudit(tx, ctx, {
      operation: "acceptEdit",
      subject: `entity:${entityRef}`,
      detail: { taskId, commitHash },
    }),
  );
  await withBranch({ ...place.git, ref: branch }, { deps: builder, signal, now }, async (open) => {
    if (open.head !== commitHash) throw conflict(accepted, { baseCommit, head: open.head });
    if (!(await open.move(targetBranch, { from: baseCommit, to: commitHash })))
      throw conflict(accepted, { baseCommit, head: (await open.headOf(targetBranch)) ?? "no commit" });
    await open.drop(branch, commitHash);
  });
  await readAgain(ctx, entityRef, place.origin);
  return accepted;
}

const conflict = (
  { entityRef, branch }: AcceptedEdit,
  { baseCommit, head }: { baseCommit: string; head: string },
) =>
  builderFailure("BUILDER_EDIT_CONFLICT", {
    message: `${entityRef} was edited as it was in commit ${baseCommit.slice(0, 12)}; the branch ${branch} is at ${head.slice(0, 12)} by now.`,
  });

/** The change is already published; when it cannot be read now, a worker reads it soon. */
async function readAgain(
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
