/** Pure: rows of results, and their form on the wire. */
import { isRecord } from "../../platform/lib/is-record.ts";
import type { Evaluated } from "./evaluate.ts";
import { countsAs, type Outcome } from "./verdict.ts";
import { idKey } from "./resources.ts";
import type { EvaluationResult } from "./schema.ts";

export type ResultSource = "plan" | "report" | "schedule" | "pushed";

export interface ResultRow {
  policyId: string;
  policyVersion: number;
  policyKind: "policy" | "metric";
  policyName: string;
  policyStatus: "draft" | "grace" | "enabled" | "disabled";
  resourceKey: string;
  resourceId: string;
  resourceName: string;
  resourceType: string;
  environment: string;
  unitKey: string | null;
  /** Of its unit, as the descriptor says it; null where that is not known. Not read back: the data layer filters by it. */
  domain?: string | null;
  outcome: Outcome;
  blocking: boolean;
  isError: boolean;
  isSatisfied: boolean;
  value: number | null;
  label: string | null;
  errors: readonly { path?: string; message: string }[];
  advice: string | null;
  exceptionId: string | null;
  source: ResultSource;
  at: Date;
}

export const resultRow = (
  { policy, resource, verdict }: Evaluated,
  at: Date,
  source: ResultSource,
): ResultRow => ({
  policyId: policy.id,
  policyVersion: policy.version,
  policyKind: policy.kind,
  policyName: policy.name,
  // Grace past its date counts as enabled.
  policyStatus: policy.status === "grace" ? countsAs(policy, at) : policy.status,
  resourceKey: idKey(resource.id),
  resourceId: resource.id,
  resourceName: resource.displayName,
  resourceType: resource.resourceType,
  environment: resource.environment,
  unitKey: resource.unitId === null ? null : idKey(resource.unitId),
  domain: domainOf(resource.unit),
  outcome: verdict.outcome,
  blocking: verdict.isBlocking,
  isError: verdict.isError,
  isSatisfied: verdict.isSatisfied,
  value: verdict.value,
  label: verdict.label,
  errors: verdict.errors,
  advice: verdict.outcome === "ok" ? null : policy.advice,
  exceptionId: verdict.exceptionId,
  source,
  at,
});

/** The domain that the descriptor of a unit names. */
export function domainOf(unit: unknown): string | null {
  const domain = isRecord(unit) ? unit["domain"] : undefined;
  return typeof domain === "string" && domain !== "" ? domain : null;
}

export const resultView = (row: ResultRow): EvaluationResult => ({
  governanceEntityId: row.policyId,
  governanceEntityVersion: row.policyVersion,
  governanceEntityName: row.policyName,
  governanceEntityStatus: row.policyStatus,
  governanceEntityType: row.policyKind,
  outcome: row.outcome,
  blocking: row.blocking,
  resource: {
    id: row.resourceId,
    displayName: row.resourceName,
    environment: row.environment,
    resourceType: row.resourceType,
  },
  result: {
    isError: row.isError,
    satisfiesPolicy: row.isSatisfied,
    ...(row.value === null ? {} : { value: row.value }),
    ...(row.label === null ? {} : { label: row.label }),
    errors: [...row.errors],
  },
  ...(row.advice === null ? {} : { advice: row.advice }),
  ...(row.exceptionId === null ? {} : { exceptionId: row.exceptionId }),
  creationTime: row.at.toISOString(),
});
