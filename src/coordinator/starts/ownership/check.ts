/** Whether the caller may touch a unit: at once, after somebody's approval, or not at all. */
import { answersForAllUnits } from "../../../platform/auth/policy.ts";
import { isDeepStrictEqual } from "node:util";
import type { Failure } from "../../../platform/errors/failure.ts";
import type { CoordinatorContext } from "../../context.ts";
import { coordinatorFailure } from "../../errors.ts";
import { readOwnedBy, type OwnedBy } from "../../units/store.ts";
import { policiesUnavailable } from "../policies/applied.ts";
import { idKey } from "../../ids.ts";
import type { AskedApproval, OwnedOperation, OwnershipAnswer } from "../../ports.ts";
import type { PlannedChange } from "../../planning/model.ts";
import { domainOf, ownersOf } from "./owners.ts";

export interface NeededApproval extends AskedApproval {
  /** Those that are asked for after it. */
  further?: readonly AskedApproval[];
  /** What the policies say of the plan, for who decides; undefined while nobody can say. */
  policyResults?: readonly ShownPolicies[] | undefined;
}

export interface ShownPolicies {
  componentId: string;
  status: "COMPLETED" | "FAILED";
  problems: readonly string[];
  /** What to do about them: the advice of the policies. */
  solutions: readonly string[];
}

export interface OwnedRequest {
  operations: readonly OwnedOperation[];
  unitId: string;
  environment: string;
  /** As sent. */
  descriptor: object;
}

/** What was found of the caller and the unit, before the unit is locked. */
export interface Permission {
  /** Null where none is needed. */
  approval: NeededApproval | null;
  /** By which it was decided; null where the caller may touch every unit. */
  owned: Owned | null;
  /** The rule that lets nothing be undeployed by this request; absent where the plan may undeploy. */
  undeployRefusedBy?: string | undefined;
}

/**
 * Throws where the caller may not touch the unit. A unit that is known has the owners of its last descriptor, also while
 * nothing of it is deployed: whoever sends another owner has to own it before.
 */
export async function checkOwnership(ctx: CoordinatorContext, request: OwnedRequest): Promise<Permission> {
  // Most starts come from the control plane, which need not wait for the owners to be read.
  if (answersForAllUnits(ctx.actor)) return { approval: null, owned: null };
  return permissionOf(request, await askOwnership(ctx, request));
}

/**
 * The same for a start, whose plan also undeploys what its descriptor does not have any more. `plansUndeploy` plans on the unit's
 * state of now, and is called only where it matters. `refuseUndeploy` has the last word, under the unit's lock.
 */
export async function checkStartOwnership(
  ctx: CoordinatorContext,
  request: OwnedRequest,
  plansUndeploy: () => Promise<boolean>,
): Promise<Permission> {
  if (answersForAllUnits(ctx.actor) || request.operations.includes("undeploy"))
    return checkOwnership(ctx, request);
  const undeploying: OwnedRequest = { ...request, operations: [...request.operations, "undeploy"] };
  const withUndeploy = await askOwnership(ctx, undeploying);
  if (withUndeploy === null || withUndeploy.answer.verdict === "allow")
    return permissionOf(undeploying, withUndeploy);
  const found = await askOwnership(ctx, request);
  if (isDeepStrictEqual(found, withUndeploy)) return permissionOf(request, found);
  if (await plansUndeploy()) return permissionOf(undeploying, withUndeploy);
  return { ...permissionOf(request, found), undeployRefusedBy: withUndeploy.answer.rule };
}

/** Throws where the plan undeploys something although that was not allowed: the unit has changed since it was asked. */
export function refuseUndeploy(
  { operations }: { operations: readonly PlannedChange[] },
  { undeployRefusedBy: rule, unitId, environment }: Pick<Permission, "undeployRefusedBy"> & Place,
): void {
  if (rule === undefined || !undeploysAny(operations)) return;
  throw coordinatorFailure("COORD_NOT_OWNER", {
    message: `The plan would undeploy components of ${unitId} in ${environment}, which the rule "${rule}" does not let its requester do.`,
    where: "deployment-unit-id",
    solution: "Preview the start again: it says who may, and whether an approval is needed.",
    input: unitId,
  });
}

export const undeploysAny = (operations: readonly PlannedChange[]): boolean =>
  operations.some(({ action }) => action === "UNDEPLOY");

function permissionOf(request: OwnedRequest, found: Asked | null): Permission {
  if (found === null) return { approval: null, owned: null };
  const { answer, ...owned } = found;
  if (answer.verdict === "deny") throw notOwner({ ...request, owners: owned.owners }, answer);
  if (answer.verdict === "allow") return { approval: null, owned: answer.isOfRole ? null : owned };
  const { rule, approvers, further } = answer;
  return { approval: { rule, approvers, ...(further && { further }) }, owned };
}

/** What the rules say; null where there are none. */
export async function askOwnership(
  { coordinator, ...ctx }: CoordinatorContext,
  { operations, unitId, environment, descriptor }: OwnedRequest,
): Promise<Asked | null> {
  const { ownership, database } = coordinator;
  if (ownership === undefined) return null;
  const known = await readOwnedBy(database.db, { unitKey: idKey(unitId), environment });
  const owned = ownedAs(known ?? descriptor);
  const answer = await ownership(ctx, { operations, environment, ...owned }).catch((error: unknown) => {
    ctx.log.warn(
      { environment, reason: (error as Error).message },
      "the rules of ownership could not be read",
    );
    throw policiesUnavailable();
  });
  return { ...owned, answer };
}

/**
 * Another plan may have given the unit other owners between the check and its lock. What is `sent` counts while the unit has no
 * descriptor, as in the check.
 */
export function refuseOtherOwners(
  locked: OwnedBy | null,
  { owned, unitId, environment, sent }: Pick<Permission, "owned"> & Place & { sent: object },
): void {
  if (owned === null || isDeepStrictEqual(ownedAs(locked ?? sent), owned)) return;
  throw coordinatorFailure("COORD_OWNERS_CHANGED", {
    message: `The owners of ${unitId} in ${environment} have changed while the request was checked.`,
    where: "deployment-unit-id",
    input: unitId,
  });
}

interface Place {
  unitId: string;
  environment: string;
}

export interface Owned {
  owners: string[];
  domain: string | null;
}

type Asked = Owned & { answer: OwnershipAnswer };

const ownedAs = (descriptor: object): Owned => ({
  owners: ownersOf(descriptor),
  domain: domainOf(descriptor),
});

function notOwner(
  asked: Omit<OwnedRequest, "descriptor"> & { owners: string[] },
  { rule, whoMay }: { rule: string; whoMay: readonly string[] },
): Failure {
  const { unitId, environment, operations, owners } = asked;
  const owner = owners.length === 0 ? "nobody is known to own" : `${owners.join(", ")} owns`;
  return coordinatorFailure("COORD_NOT_OWNER", {
    message: `The rule "${rule}" refuses ${operations.join(", ")} of ${unitId} in ${environment}, which ${owner}.`,
    where: "deployment-unit-id",
    solution: `Ask one of those who may: ${whoMay.join(", ")}.`,
    input: unitId,
  });
}
