/** Preview and start of a deployment unit in an environment. */
import type { ProvisioningRequest } from "./acceptance/request-schema.ts";
import type { Transaction } from "../../platform/db/database.ts";
import type { CoordinatorContext } from "../context.ts";
import { idKey } from "../ids.ts";
import type { PlanResponse } from "../planning/model.ts";
import { planResponse } from "../planning/plan.ts";
import { acceptStart } from "./acceptance/accept.ts";
import { protectionProblems, decide, unitKeyOf } from "./acceptance/decide.ts";
import { startOnceChecked } from "./once.ts";
import { checkWhenClosed, type WhenClosed } from "../windows/gate.ts";
import type { ClosedEnvironment } from "../windows/schema.ts";
import { closedAt } from "../windows/window.ts";
import type { OwnedOperation } from "../ports.ts";
import {
  askOwnership,
  checkStartOwnership,
  undeploysAny,
  type OwnedRequest,
  type ShownPolicies,
} from "./ownership/check.ts";
import { readPolicies } from "./policies/applied.ts";
import { previewPolicies } from "./policies/preview.ts";
import type { PolicyPhase } from "./policies/schema.ts";
import type { StartPermission } from "./acceptance/request-schema.ts";
import { planHash } from "./acceptance/plan-hash.ts";
import { Failure } from "../../platform/errors/failure.ts";
import { readUnitState } from "../units/unit-state-store.ts";

export interface StartOptions extends WhenClosed {
  /** Queue the start when the unit has an active operation. */
  queue?: boolean;
  idempotencyKey?: string | undefined;
  /** Hash of the preview that the plan must still equal. */
  planHash?: string | undefined;
  /** Name of the operation in the audit, and scope of its idempotency keys. */
  operation?: string;
  /** Further details for the audit. */
  detail?: object;
  /** Runs in the transaction that accepts the plan; a throw refuses the start. */
  alongside?: (tx: Transaction, planId: string) => Promise<void>;
}

export interface Preview extends PlanResponse {
  planHash: string;
  /** What the policies say; absent where none applies. */
  policyResults?: PolicyPhase[];
  /** Whether the caller may start it; absent where they may at once. */
  permission?: StartPermission;
  /** Why nothing begins in the environment now; absent where it does. */
  closed?: ClosedEnvironment;
  /** Components that a start has to name in `confirmDataRemoval`; absent when there are none. */
  protectedData?: string[];
}

/** Plans without starting. Problems of the input are a Failure, conflicts an answer with outcome KO. */
export async function previewProvisioning(
  ctx: CoordinatorContext,
  request: ProvisioningRequest,
  operation = "startProvisioning",
): Promise<Preview> {
  const { database, settings } = ctx.coordinator;
  const withDescriptor = request.body.removeData;
  const { fingerprint, hasPolicies } = await readPolicies(ctx, ctx.coordinator, {
    environment: request.environment,
    isCompared: true,
  });
  const state = await readUnitState(database.db, unitKeyOf(request), { withDescriptor });
  const { plan, protectedIds, unit } = decide(settings, state, request);
  const unnamed = protectionProblems(protectedIds, request.body.confirmDataRemoval ?? []);
  const response = planResponse(plan);
  const closed = closedAt(state.windows, ctx.now());
  const { environment } = request;
  const policyResults = hasPolicies
    ? await previewPolicies(ctx, { unit, operations: plan.operations, environment })
    : undefined;
  return {
    ...response,
    planHash: planHash(plan, fingerprint),
    ...(policyResults ? { policyResults } : {}),
    ...(await permissionOf(ctx, ownedRequest(request, operation, undeploysAny(plan.operations)))),
    ...(closed ? { closed: { ...closed, opensAt: closed.opensAt?.toISOString() ?? null } } : {}),
    ...(unnamed.length > 0 ? { protectedData: protectedIds } : {}),
  };
}

async function permissionOf(
  ctx: CoordinatorContext,
  request: OwnedRequest,
): Promise<{ permission?: StartPermission }> {
  const asked = await askOwnership(ctx, request);
  if (asked === null || asked.answer.verdict === "allow") return {};
  const { answer, owners } = asked;
  const { verdict } = answer;
  if (verdict === "deny")
    return { permission: { verdict, rule: answer.rule, owners, whoMay: [...answer.whoMay] } };
  const approvals = [answer, ...(answer.further ?? [])];
  const rule = approvals.map((each) => each.rule).join("; ");
  const whoMay = new Set(approvals.flatMap(({ approvers }) => approvers));
  return { permission: { verdict, rule, owners, whoMay: [...whoMay] } };
}

/** Accepts a plan and enqueues its execution, all in one transaction. Returns its token. */
export async function startProvisioning(
  ctx: CoordinatorContext,
  request: ProvisioningRequest,
  options: StartOptions = {},
): Promise<string> {
  const { operation = "startProvisioning", queue = false, planHash: pin, idempotencyKey: key } = options;
  const { unitId, environment, mode, body } = request;
  const { whenClosed = "refuse", overrideReason } = options;
  const closing = whenClosed === "refuse" ? {} : { whenClosed, overrideReason };
  const asked = { unit: idKey(unitId), environment, mode, queue, pin, body, ...closing };
  const once = { under: { operation, key }, request: asked };
  return startOnceChecked(ctx, once, {
    async check() {
      checkWhenClosed(ctx, { whenClosed, overrideReason });
      return checkStart(ctx, request, { operation, isCompared: pin !== undefined });
    },
    async accept(tx, checked) {
      const planId = await acceptStart(ctx, tx, {
        ...request,
        ...checked,
        planHash: pin,
        queue,
        whenClosed,
        overrideReason,
        operation,
        detail: options.detail ?? {},
      });
      await options.alongside?.(tx, planId);
      return planId;
    },
  });
}

/**
 * Reads what the start needs from other areas; throws when the start is not allowed. Runs before the transaction, so that no
 * connection is held meanwhile.
 */
async function checkStart(
  ctx: CoordinatorContext,
  request: ProvisioningRequest,
  { operation, isCompared }: { operation: string; isCompared: boolean },
) {
  const [componentTypes, policies] = await Promise.all([
    ctx.coordinator.readComponentTypes(),
    readPolicies(ctx, ctx.coordinator, { environment: request.environment, isCompared }),
  ]);
  const permission = await checkStartOwnership(ctx, ownedRequest(request, operation), () =>
    plansUndeploy(ctx, request),
  );
  const { approval } = permission;
  const policyResults = approval && policies.hasPolicies ? await policiesToShow(ctx, request) : [];
  return {
    componentTypes,
    policies,
    permission: { ...permission, approval: approval && { ...approval, policyResults } },
  };
}

/** Of one component, and components; the plan's own tasks have all of them. */
const maxShown = { problems: 20, components: 100 };

/** Undefined while nobody can say, which keeps no start from waiting: the plan is evaluated when it begins. */
async function policiesToShow(
  ctx: CoordinatorContext,
  request: ProvisioningRequest,
): Promise<ShownPolicies[] | undefined> {
  try {
    const { policyResults = [] } = await previewProvisioning(ctx, request);
    return policyResults.slice(0, maxShown.components).map(({ componentId, status, errors }) => ({
      componentId,
      status,
      problems: errors.errors.slice(0, maxShown.problems),
      solutions: errors.moreInfo.solutions.slice(0, maxShown.problems),
    }));
  } catch (error) {
    // What is wrong with the request itself is said when it is accepted.
    ctx.log.debug({ reason: (error as Error).message }, "the policies of an approval could not be asked");
    return undefined;
  }
}

async function plansUndeploy(ctx: CoordinatorContext, request: ProvisioningRequest): Promise<boolean> {
  const { database, settings } = ctx.coordinator;
  const state = await readUnitState(database.db, unitKeyOf(request), { withDescriptor: false });
  try {
    return undeploysAny(decide(settings, state, request).plan.operations);
  } catch (error) {
    // What is wrong with the request is said when it is accepted.
    if (error instanceof Failure) return false;
    throw error;
  }
}

const ownedRequest = (
  { unitId, environment, body }: ProvisioningRequest,
  operation: string,
  undeploys = false,
): OwnedRequest => ({
  operations: operationsOf(body, operation, undeploys),
  unitId,
  environment,
  descriptor: body.descriptor,
});

/** What the start does to the unit, for the rules about whose units the caller may touch. */
function operationsOf(
  { targetStatus, removeData }: ProvisioningRequest["body"],
  operation: string,
  /** Whether its plan is known to undeploy something, named or not. */
  plansToUndeploy: boolean,
): OwnedOperation[] {
  const deploys = targetStatus.some((target) => target.targetStatus === "DEPLOYED");
  const isNamed = targetStatus.some((target) => target.targetStatus === "NOT_DEPLOYED");
  const undeploys = isNamed || plansToUndeploy;
  return [
    ...(operation === "rollBack" ? (["rollBack"] as const) : []),
    ...(deploys || !isNamed ? (["start"] as const) : []),
    ...(undeploys ? (["undeploy"] as const) : []),
    ...(removeData ? (["removeData"] as const) : []),
  ];
}
