/** Takes requests for evaluations, and reads their reports. */
import { inTransaction } from "../../platform/db/database.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { newId } from "../../platform/lib/ids.ts";
import type { GovernanceContext } from "../context.ts";
import { governanceFailure } from "../errors.ts";
import { readDescriptor } from "../evaluations/descriptor-text.ts";
import type { StoredResource } from "./pages.ts";
import type { EvaluateBody } from "./schema.ts";
import { countPendingOf, insertReport, readParts, readReport, type NewReport } from "./store.ts";

/** Returns the id of the report, which a worker completes. */
export async function startEvaluation(
  ctx: GovernanceContext,
  body: EvaluateBody,
): Promise<{ reportId: string }> {
  const { id, displayName = id, environment, resourceType } = body;
  requireEnvironment(ctx, environment);
  const descriptor = descriptorOf(body.descriptor, "/descriptor");
  const isTrusted = ctx.actor.roles.some((role) => trusted.has(role));
  const request: StoredResource = { id, displayName, resourceType, descriptor, isTrusted };
  return startReport(ctx, { kind: "evaluation", environment, request, policyId: null });
}

/** What they say of a resource that is deployed counts. */
const trusted: ReadonlySet<string> = new Set(["service", "operator", "admin"]);

/** The parsed descriptor; a Failure says where it cannot be read. */
export function descriptorOf(
  given: string | Record<string, unknown>,
  where: string,
): Record<string, unknown> {
  const reading = readDescriptor(given, where);
  if ("descriptor" in reading) return reading.descriptor;
  throw governanceFailure("CGP_INVALID_DESCRIPTOR", {
    message: reading.problem.message,
    problems: [reading.problem],
  });
}

/** Throws a Failure unless the environment is configured. */
export function requireEnvironment(ctx: GovernanceContext, environment: string): void {
  const { environments } = ctx.governance.settings;
  if (environments.includes(environment)) return;
  throw governanceFailure("CGP_UNKNOWN_ENVIRONMENT", {
    message: `The environment ${environment} is not configured.`,
    where: "/environment",
    solution: `Use one of: ${environments.join(", ")}.`,
    input: environment,
  });
}

type Requested = Pick<NewReport, "kind" | "environment" | "request" | "policyId">;

export async function startReport(
  ctx: GovernanceContext,
  requested: Requested,
): Promise<{ reportId: string }> {
  const { database, settings } = ctx.governance;
  const requestedBy = ctx.actor.ref;
  const reportId = newId();
  await inTransaction(database, async (tx) => {
    const pending = await countPendingOf(tx, requestedBy);
    if (pending >= settings.pendingReports) throw tooManyPending(pending);
    await insertReport(tx, { ...requested, id: reportId, requestedBy, tick: null, at: ctx.now() });
  });
  return { reportId };
}

/** As JSON text: the results are stored as such. */
export async function readReportText(ctx: GovernanceContext, id: string): Promise<string> {
  const { db } = ctx.governance.database;
  const report = await readReport(db, id);
  if (report === null) throw unknownReport(id);
  const parts = report.status === "completed" ? await readParts(db, id) : [];
  const results = parts.map((part) => part.slice(1, -1)).filter((part) => part !== "");
  const head = {
    id,
    status: report.status,
    evaluationScope: report.kind === "evaluation" ? "resource" : "everything",
    environment: report.environment,
    summary: { ok: 0, warning: 0, error: 0, failed: 0, ...report.counts },
    ...(report.failure === null ? {} : { failure: report.failure }),
    createdAt: report.createdAt.toISOString(),
    endedAt: report.endedAt?.toISOString() ?? null,
  };
  return `${JSON.stringify(head).slice(0, -1)},"evaluationResults":[${results.join(",")}]}`;
}

const unknownReport = (id: string) =>
  governanceFailure("CGP_REPORT_NOT_FOUND", {
    message: `There is no evaluation report with the id ${id}.`,
    where: "id",
    input: id,
  });

const tooManyPending = (pending: number) =>
  new Failure({
    kind: "limit",
    code: "CGP_TOO_MANY_REPORTS",
    message: `${pending} of your evaluations are pending.`,
    retryAfterSeconds: 2,
  });
