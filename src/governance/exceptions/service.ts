/** Exceptions from policies: requested by one, decided by another, with an end. */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { RequestContext } from "../../platform/lib/request-context.ts";
import { writeAudit, type GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { unknownPolicy } from "../policies/service.ts";
import { holdPolicy, raiseRevision } from "../policies/store.ts";
import { readTime } from "../policies/times.ts";
import { decidersOf } from "./deciders.ts";
import { exceptionStatusAt, exceptionViewOf, type ExceptionRow } from "./exception.ts";
import type { DecisionBody, ExceptionQuery, ExceptionView, NewExceptionBody } from "./schema.ts";
import * as store from "./store.ts";

export async function listExceptions(ctx: GovernanceContext, query: ExceptionQuery) {
  const now = ctx.now();
  const { rows, total } = await store.listExceptions(ctx.governance.database.db, query, now);
  const { limit, offset } = query;
  return {
    data: rows.map((row) => exceptionViewOf(row, now)),
    meta: { pagination: { offset, limit, total } },
  };
}

export async function requestException(
  ctx: GovernanceContext,
  body: NewExceptionBody,
): Promise<ExceptionView> {
  const until = readTime(body.until, "/until");
  const problems = problemsOf(ctx, body, until);
  const row = {
    ...body,
    id: newId(),
    select: body.select ?? null,
    until,
    requestedBy: ctx.actor.ref,
    requestedAt: ctx.now(),
  };
  const { policyId, resourceIds, reason } = body;
  return inTransaction(ctx.governance.database, async (tx) => {
    if (!(await holdPolicy(tx, policyId))) problems.unshift(noPolicy(policyId));
    if (problems.length > 0)
      throw governanceFailure("CGP_INVALID_EXCEPTION", {
        message: `The exception can't be requested: ${problems.length} problem${problems.length === 1 ? "" : "s"} found.`,
        problems,
      });
    await store.insertException(tx, row);
    await writeAudit(tx, ctx, {
      operation: "requestException",
      subject: `exception:${row.id}`,
      detail: { policyId, resourceIds: resourceIds.slice(0, 20), until, reason },
    });
    return viewIn(ctx, tx, row.id);
  });
}

const noPolicy = (id: string): Problem => ({
  where: "/policyId",
  message: `There is no policy with the id ${id}.`,
  solution: "List the policies and use one of their ids.",
});

function problemsOf(ctx: GovernanceContext, body: NewExceptionBody, until: Date): Problem[] {
  const { environments } = ctx.governance.settings;
  const problems: Problem[] = [];
  if ((body.select === undefined) === (body.resourceIds.length === 0))
    problems.push({
      where: "/resourceIds",
      message: "Either resourceIds or select says what is excused.",
      solution: "Name resources, or give an expression that selects them.",
    });
  if (body.select !== undefined)
    for (const { message, solution, line = 1, column = 1 } of ctx.governance.engines.checkSelect(body.select))
      problems.push({ where: `/select:${line}:${column}`, message, solution });
  for (const [index, each] of body.environments.entries())
    if (!environments.includes(each))
      problems.push({
        where: `/environments/${index}`,
        message: `The environment ${each} is not configured.`,
        solution: `Use one of: ${environments.join(", ")}.`,
      });
  if (until <= ctx.now())
    problems.push({
      where: "/until",
      message: "The end of the exception has passed.",
      solution: "Give a time in the future.",
    });
  return problems;
}

/** By operators and by those who own what is excused, but not by the one who requested it. */
export async function decideException(
  ctx: GovernanceContext,
  id: string,
  { approve, reason }: DecisionBody,
): Promise<ExceptionView> {
  const row = await store.readException(ctx.governance.database.db, id);
  if (row === null) throw unknownException(id);
  await refuseOthers(ctx, row, "decide about");
  return inTransaction(ctx.governance.database, async (tx) => {
    const status = approve ? "approved" : "rejected";
    const decision = { id, status, by: ctx.actor.ref, at: ctx.now(), reason } as const;
    // Held before the exception, as a deletion does it: neither waits for the other then.
    if (!(await holdPolicy(tx, row.policyId)) && approve) throw unknownPolicy(row.policyId);
    if (!(await store.decideException(tx, decision))) throw await undecidable(ctx, id);
    await raiseRevision(tx, "exceptions");
    await writeAudit(tx, ctx, {
      operation: "decideException",
      subject: `exception:${id}`,
      detail: { status, reason },
    });
    return viewIn(ctx, tx, id);
  });
}

/** By the requester, or by those who may decide. */
export async function revokeException(ctx: GovernanceContext, id: string): Promise<void> {
  const row = await store.readException(ctx.governance.database.db, id);
  if (row === null) throw unknownException(id);
  if (row.requestedBy !== ctx.actor.ref) await refuseOthers(ctx, row, "revoke");
  await inTransaction(ctx.governance.database, async (tx) => {
    if (!(await store.revokeException(tx, id, ctx.now()))) throw await undecidable(ctx, id);
    await raiseRevision(tx, "exceptions");
    await writeAudit(tx, ctx, { operation: "revokeException", subject: `exception:${id}` });
  });
}

async function refuseOthers(ctx: GovernanceContext, row: ExceptionRow, what: string): Promise<void> {
  const { mayDecide, names } = await decidersOf(ctx, row);
  if (mayDecide) return;
  const may = what === "revoke" ? [row.requestedBy, ...names] : names;
  throw governanceFailure("CGP_NOT_DECIDER", {
    message: `Only operators and those who own all that it excuses can ${what} this exception.`,
    solution: `Ask one of those who may: ${may.join(", ")}.`,
    input: row.id,
  });
}

/** Writes the status of those whose end has come; what counts for evaluations is the end itself. */
export async function expireExceptions(ctx: RequestContext, database: Database): Promise<void> {
  await inTransaction(database, async (tx) => {
    const ids = await store.expireExceptions(tx, ctx.now());
    if (ids.length === 0) return;
    await raiseRevision(tx, "exceptions");
    for (const id of ids)
      await writeAudit(tx, ctx, { operation: "expireException", subject: `exception:${id}` });
  });
}

async function viewIn(
  ctx: GovernanceContext,
  tx: Parameters<typeof store.readException>[0],
  id: string,
): Promise<ExceptionView> {
  const row = await store.readException(tx, id);
  if (row === null) throw unknownException(id);
  return exceptionViewOf(row, ctx.now());
}

async function undecidable(ctx: GovernanceContext, id: string): Promise<Failure> {
  const row = await store.readException(ctx.governance.database.db, id);
  if (row === null) return unknownException(id);
  const status = exceptionStatusAt(row, ctx.now());
  if (status === "pending" && row.requestedBy === ctx.actor.ref)
    return governanceFailure("CGP_OWN_EXCEPTION", {
      message: "Who requested an exception can't decide it.",
      solution: "Ask another operator.",
    });
  return governanceFailure("CGP_EXCEPTION_DECIDED", {
    message: `The exception is ${status}.`,
    solution: "Request another one if it is still needed.",
  });
}

const unknownException = (id: string): Failure =>
  governanceFailure("CGP_EXCEPTION_NOT_FOUND", {
    message: `There is no exception with the id ${id}.`,
    where: "id",
    solution: "List the exceptions and use one of their ids.",
    input: id,
  });
