/** Whether the caller may touch a unit: at once, after somebody's approval, or not at all. */
import type { Failure } from "../../../platform/errors/failure.ts";
import type { CoordinatorContext } from "../../context.ts";
import { coordinatorFailure } from "../../errors.ts";
import { readLastDescriptor } from "../../units/store.ts";
import { idKey } from "../../ids.ts";
import type { OwnedOperation } from "../../ports.ts";
import { domainOf, ownersOf } from "./owners.ts";

export interface NeededApproval {
  rule: string;
  approvers: readonly string[];
  /** What the policies say of the plan, for who decides; undefined while nobody can say. */
  policyResults?: readonly ShownPolicies[] | undefined;
}

export interface ShownPolicies {
  componentId: string;
  status: "COMPLETED" | "FAILED";
  problems: readonly string[];
}

export interface OwnedRequest {
  operations: readonly OwnedOperation[];
  unitId: string;
  environment: string;
  /** As sent. */
  descriptor: object;
}

/**
 * The approval that is needed, null for none. A unit that is known has the owners of its last descriptor, also while nothing of
 * it is deployed: whoever sends another owner has to own it before.
 */
export async function checkOwnership(
  ctx: CoordinatorContext,
  { operations, unitId, environment, descriptor }: OwnedRequest,
): Promise<NeededApproval | null> {
  const { ownership, database } = ctx.coordinator;
  if (ownership === undefined) return null;
  const owned =
    (await readLastDescriptor(database.db, { unitKey: idKey(unitId), environment })) ?? descriptor;
  const owners = ownersOf(owned);
  const answer = await ownership(ctx, { operations, environment, domain: domainOf(owned), owners });
  if (answer.verdict === "allow") return null;
  if (answer.verdict === "deny") throw notOwner({ unitId, environment, operations, owners }, answer);
  const { rule, approvers } = answer;
  return { rule, approvers };
}

function notOwner(
  asked: { unitId: string; environment: string; operations: readonly OwnedOperation[]; owners: string[] },
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
