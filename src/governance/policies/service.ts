/** Policies and metrics: versions, life cycle, audit. */
import { inTransaction, type Transaction } from "../../platform/db/database.ts";
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import { writeAudit, type GovernanceContext } from "../context.ts";
import { sightOf, type SpecProblem } from "../engines/engine.ts";
import { governanceFailure } from "../errors.ts";
import { contentProblems } from "./check-content.ts";
import {
  contentOf,
  type ChangedPolicyBody,
  type NewPolicyBody,
  type PolicyContent,
  type PolicyQuery,
  type PolicyVersions,
  type PolicyView,
  type StatusBody,
} from "./schema.ts";
import { readTime } from "./times.ts";
import * as store from "./store.ts";
import { canFollow, followersOf } from "./transitions.ts";
import { engineSpecOf, policyViewOf, versionsViewOf } from "./view.ts";

export async function listPolicies(ctx: GovernanceContext, query: PolicyQuery) {
  const { rows, total } = await store.listPolicies(ctx.governance.database.db, query);
  const { limit, offset } = query;
  return { data: rows.map(policyViewOf), meta: { pagination: { offset, limit, total } } };
}

export async function getPolicy(ctx: GovernanceContext, id: string): Promise<PolicyView> {
  const row = await store.readPolicy(ctx.governance.database.db, id);
  if (row === null) throw unknownPolicy(id);
  return policyViewOf(row);
}

/** Those of a deleted policy too: results name them. */
export async function getVersions(ctx: GovernanceContext, id: string): Promise<PolicyVersions> {
  const rows = await store.readVersions(ctx.governance.database.db, id);
  if (rows.length === 0) throw unknownPolicy(id);
  return versionsViewOf(rows);
}

/** A draft, whose spec its engine can evaluate. */
export async function createPolicy(ctx: GovernanceContext, body: NewPolicyBody): Promise<PolicyView> {
  const { id = newId(), ...rest } = body;
  const content = contentOf(rest);
  await refuseUnsound(ctx, content);
  return change(ctx, async (tx, at) => {
    const version = await store.insertPolicy(tx, { id, content }, at);
    if (version === null)
      throw governanceFailure("CGP_POLICY_EXISTS", {
        message: `A policy or metric with the id ${id} exists already.`,
        where: "/id",
        solution: "Choose another id, or change the one that exists.",
        input: id,
      });
    await writeAudit(tx, ctx, {
      operation: "createPolicy",
      subject: `policy:${id}`,
      detail: { version, name: content.name },
    });
    return id;
  });
}

/** A new version; the status stays as it is. */
export async function changePolicy(
  ctx: GovernanceContext,
  id: string,
  { version: from, ...rest }: ChangedPolicyBody,
): Promise<PolicyView> {
  const content = contentOf(rest);
  await refuseUnsound(ctx, content);
  return change(ctx, async (tx, at) => {
    const version = await store.raiseVersion(tx, { id, from }, at);
    if (version === null) throw await staleOrUnknown(tx, id, from);
    await store.insertVersion(tx, { id, version, content }, at);
    await writeAudit(tx, ctx, {
      operation: "changePolicy",
      subject: `policy:${id}`,
      detail: { from, version },
    });
    return id;
  });
}

export async function setStatus(
  ctx: GovernanceContext,
  id: string,
  { status: to, graceUntil, reason }: StatusBody,
): Promise<PolicyView> {
  const end = graceUntil === undefined ? null : readTime(graceUntil, "/graceUntil");
  refuseGrace(ctx, { status: to, end });
  return change(ctx, async (tx, at) => {
    const row = await store.readPolicy(tx, id);
    if (row === null) throw unknownPolicy(id);
    const { status: from } = row;
    const isChanged =
      canFollow(from, to) && (await store.updateStatus(tx, { id, from, to, graceUntil: end }, at));
    if (!isChanged) {
      const now = (await store.readPolicy(tx, id))?.status ?? from;
      throw governanceFailure("CGP_STATUS_CHANGE", {
        message: `A policy that is ${now} can't become ${to}.`,
        where: "/status",
        solution: `From ${now} it can become ${followersOf(now)}.`,
        input: to,
      });
    }
    await writeAudit(tx, ctx, {
      operation: "setPolicyStatus",
      subject: `policy:${id}`,
      detail: { from, to, ...(graceUntil && { graceUntil }), reason, version: row.version },
    });
    return id;
  });
}

export async function deletePolicy(ctx: GovernanceContext, id: string): Promise<void> {
  const at = { at: ctx.now(), by: ctx.actor.ref };
  await inTransaction(ctx.governance.database, async (tx) => {
    if (!(await store.markDeleted(tx, id, at))) {
      const row = await store.readPolicy(tx, id);
      if (row === null) throw unknownPolicy(id);
      throw governanceFailure("CGP_NOT_DRAFT", {
        message: `The policy is ${row.status}; only drafts can be deleted.`,
        solution:
          row.status === "disabled" ? "Make it a draft first." : "Disable it and make it a draft first.",
      });
    }
    await store.raiseRevision(tx, "policies");
    await writeAudit(tx, ctx, { operation: "deletePolicy", subject: `policy:${id}` });
    await revokeExceptions(tx, ctx, { policyId: id, at: at.at });
  });
}

/** Nobody has judged whether they should excuse from a policy that takes the id later. */
async function revokeExceptions(
  tx: Transaction,
  ctx: GovernanceContext,
  { policyId, at }: { policyId: string; at: Date },
): Promise<void> {
  const ids = await store.revokeExceptionsFrom(tx, policyId, at);
  if (ids.length === 0) return;
  await store.raiseRevision(tx, "exceptions");
  for (const id of ids)
    await writeAudit(tx, ctx, {
      operation: "revokeException",
      subject: `exception:${id}`,
      detail: { policyId, reason: "The policy was deleted." },
    });
}

/** One change of a policy with its audit row, after which processes read the policies again. */
async function change(
  ctx: GovernanceContext,
  work: (tx: Transaction, at: store.Change) => Promise<string>,
): Promise<PolicyView> {
  return inTransaction(ctx.governance.database, async (tx) => {
    const id = await work(tx, { at: ctx.now(), by: ctx.actor.ref });
    await store.raiseRevision(tx, "policies");
    const row = await store.readPolicy(tx, id);
    if (row === null) throw unknownPolicy(id);
    return policyViewOf(row);
  });
}

/** Refuses with every problem of the fields, of the selection and of the spec. */
export async function refuseUnsound(ctx: GovernanceContext, content: PolicyContent): Promise<void> {
  const { engines, settings } = ctx.governance;
  const problems = contentProblems(content, settings.environments);
  const placed =
    (prefix: string) =>
    (problem: SpecProblem): Problem => ({
      where: `/${(prefix || problem.path).replaceAll(".", "/")}${problem.line === undefined ? "" : `:${problem.line}:${problem.column ?? 1}`}`,
      message: problem.message,
      solution: problem.solution,
    });
  if (content.select !== undefined)
    problems.push(...engines.checkSelect(content.select).map(placed("select")));
  const isShaped = !problems.some(({ where }) => where.startsWith("/spec"));
  const checked = { kind: content.kind, spec: engineSpecOf(content), sight: sightOf(content) };
  if (isShaped) problems.push(...(await engines.check(checked)).map(placed("")));
  if (problems.length === 0) return;
  throw governanceFailure("CGP_INVALID_POLICY", {
    message: `The policy can't be stored: ${problems.length} problem${problems.length === 1 ? "" : "s"} found.`,
    problems,
  });
}

function refuseGrace(
  ctx: GovernanceContext,
  { status, end }: { status: StatusBody["status"]; end: Date | null },
): void {
  const refuse = (message: string, solution: string): Failure =>
    governanceFailure("CGP_INVALID_POLICY", { message, where: "/graceUntil", solution });
  if (status === "grace" && end === null)
    throw refuse("A grace needs its end.", "Give graceUntil, a time in the future.");
  if (status !== "grace" && end !== null)
    throw refuse(`Only grace has an end, not ${status}.`, "Leave graceUntil out.");
  if (end !== null && end <= ctx.now())
    throw refuse("The end of the grace has passed.", "Give a time in the future.");
}

async function staleOrUnknown(tx: Transaction, id: string, from: number): Promise<Failure> {
  const row = await store.readPolicy(tx, id);
  if (row === null) return unknownPolicy(id);
  return governanceFailure("CGP_VERSION_STALE", {
    message: `The policy has the version ${row.version}, not ${from}.`,
    where: "/version",
    solution: "Read the policy again, apply the change to that and name its version.",
    input: String(from),
  });
}

export const unknownPolicy = (id: string): Failure =>
  governanceFailure("CGP_POLICY_NOT_FOUND", {
    message: `There is no policy or metric with the id ${id}.`,
    where: "id",
    solution: "List the policies and use one of their ids.",
    input: id,
  });
