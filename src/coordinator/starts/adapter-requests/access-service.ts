/**
 * Access requests: an adapter makes the given identities the only ones with access to a component. Requests
 * on one component share a lane, so they are carried out one after the other in the order of their
 * acceptance.
 */
import { loadEnabledAdapters, type EnabledAdapter } from "../../adapters/store.ts";
import type { Db } from "../../../platform/db/database.ts";
import type { Failure, Problem } from "../../../platform/errors/failure.ts";
import { coordinatorFailure } from "../../errors.ts";
import { writeAudit, type WorkerContext } from "../../context.ts";
import { findActivePlan } from "../../units/store.ts";
import { hashValue } from "../../planning/descriptor/hash.ts";
import { idKey } from "../../ids.ts";
import { environmentProblems } from "../../environments.ts";
import { acceptedNow } from "./accepted-plan.ts";
import { insertPlanRows } from "../../execution/new-plan-store.ts";
import { type NewTask, type PlanRequest, planQueue } from "../../execution/types.ts";
import { identityProblems, portProblems } from "./access-checks.ts";
import type { AccessRequestBody } from "./schema.ts";
import { claimRequestId, insertRequest, lockKnownUnit, readPort, type Port } from "./store.ts";
import { accessTask, accessSyncTask } from "./tasks.ts";

/** Returns the token of the plan; a repeated request gets the token of the first. */
export async function sendAccessRequest(
  ctx: WorkerContext,
  tx: Db,
  body: AccessRequestBody,
): Promise<string> {
  const bodyHash = hashValue(body);
  const before = await claimRequestId(tx, body.requestId);
  if (before) {
    if (before.bodyHash !== bodyHash) throw idUsed(body.requestId);
    return before.planId;
  }
  const { port, adapter, unitId } = await findPort(ctx, tx, body);
  const { environment, requestId } = body;
  const identities = [...new Set(body.identities)];
  const plan = acceptedNow(ctx, environment);
  const unitKey = idKey(body.dataProductUrn);
  await insertPlanRows(
    tx,
    {
      ...plan,
      kind: "ACCESS",
      unitKey,
      unitId,
      action: "UPDATE_ACL",
      request: noRequest,
      descriptorVersion: port.descriptorVersion ?? "",
      lane: `access:${hashValue([environment, unitKey, port.key])}`,
    },
    { tasks: tasksOf(ctx, plan.id, { body, identities, port, adapter }) },
  );
  await insertRequest(tx, {
    requestId,
    bodyHash,
    planId: plan.id,
    unitKey,
    environment,
    componentKey: port.key,
    componentId: port.id,
    identities,
    originator: ctx.actor.ref,
    httpRequestId: ctx.requestId,
    now: plan.now,
  });
  await writeAudit(tx, ctx, {
    operation: "sendAccessRequest",
    subject: `component:${port.id}@${environment}`,
    detail: { planId: plan.id, accessRequestId: requestId, identities },
  });
  await ctx.coordinator.jobs.send(tx, planQueue, { planId: plan.id });
  return plan.id;
}

interface Found {
  port: Port;
  adapter: EnabledAdapter;
  unitId: string;
}

async function findPort(ctx: WorkerContext, tx: Db, body: AccessRequestBody): Promise<Found> {
  const { environment, dataProductUrn, outputPortUrn } = body;
  const at = { unitKey: idKey(dataProductUrn), environment };
  const problems = [
    ...environmentProblems(ctx, environment, "/environment"),
    ...identityProblems(body.identities),
  ];
  const unitId = await lockKnownUnit(tx, at);
  const active = unitId === null || problems.length > 0 ? null : await findActivePlan(tx, at);
  if (active) throw busy(body, active);
  const port = unitId === null ? null : await readPort(tx, at, idKey(outputPortUrn));
  const adapters = await loadEnabledAdapters(tx, environment);
  const adapter = adapters.get(port?.templateId ?? "");
  problems.push(...portProblems(body, { unitId, port, adapter }));
  if (problems.length > 0 || !port || !adapter || unitId === null) throw refused(problems);
  return { port, adapter, unitId };
}

interface AccessTaskInput {
  body: AccessRequestBody;
  identities: string[];
  port: Port;
  adapter: EnabledAdapter;
}

function tasksOf(
  ctx: WorkerContext,
  planId: string,
  { body, identities, port, adapter }: AccessTaskInput,
): NewTask[] {
  const { accessControlFields, ...listed } = body;
  const task = accessTask(planId, { port, adapter, refs: identities, accessControlFields });
  const { accessSyncUrl } = ctx.coordinator.settings;
  if (accessSyncUrl === undefined) return [task];
  const notice = { operation: "UPDATE_ACL", executionPlanId: planId, ...listed, identities };
  return [task, accessSyncTask(planId, accessSyncUrl, notice)];
}

const noRequest: PlanRequest = { descriptor: null, operations: [], removeData: false, enrichment: {} };

const refused = (problems: Problem[]): Failure =>
  coordinatorFailure("COORD_INVALID_ACCESS_REQUEST", {
    message: "The access request can't be carried out.",
    problems,
  });

function idUsed(requestId: string): Failure {
  const message = `The access request ${requestId} was accepted before, with another content.`;
  return coordinatorFailure("COORD_REQUEST_ID_USED", {
    message,
    where: "/requestId",
    solution: "Give each access request an id of its own.",
    input: requestId,
  });
}

function busy({ dataProductUrn, environment }: AccessRequestBody, planId: string): Failure {
  const message = `An operation is active on ${dataProductUrn} in ${environment} (plan ${planId}).`;
  const solution = "Wait for its end, then send the access request again.";
  return coordinatorFailure("COORD_OPERATION_ACTIVE", {
    message,
    where: "/dataProductUrn",
    solution,
    input: dataProductUrn,
  });
}
