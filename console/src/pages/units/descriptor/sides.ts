import type { Operation, Unit } from "../unit/queries.ts";

/** One side of a comparison: what is deployed in an environment, or what a plan was to deploy. */
export type Side =
  | { kind: "env"; environment: string }
  | { kind: "plan"; planId: string; environment: string };

export interface SideChoice {
  /** As the address has it. */
  value: string;
  label: string;
  side: Side;
}

export const choicesOf = (unit: Unit, operations: readonly Operation[]): SideChoice[] => [
  ...unit.environments
    .filter(({ descriptorVersion }) => descriptorVersion !== "")
    .map(({ environment, descriptorVersion }) => ({
      value: `env:${environment}`,
      label: `${environment}: ${descriptorVersion}, as it is`,
      side: { kind: "env" as const, environment },
    })),
  ...operations
    .filter(({ operation }) => operation.provisioningAction === "DEPLOY")
    .map(({ operation }) => ({
      value: `plan:${operation.executionPlanId}`,
      label: `${operation.environment}: ${operation.descriptorVersion} of ${momentOf(operation.startTime)}, ${operation.status.toLowerCase()}`,
      side: { kind: "plan" as const, planId: operation.executionPlanId, environment: operation.environment },
    })),
];

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

const momentOf = (at: string): string => moments.format(Date.parse(at));

/** What the unit's difference is asked with. A side that is a plan is a version of the unit in that plan's environment. */
export const diffParameters = (left: Side, right: Side) => ({
  environment: left.environment,
  "other-environment": right.environment,
  ...(left.kind === "plan" && { plan: left.planId }),
  ...(right.kind === "plan" && { "other-plan": right.planId }),
});
