import { isRecord } from "../../platform/lib/is-record.ts";

/** Pure. What the properties of an adapter's deployment mean to the coordinator. Others are kept and left alone. */
type Properties = Record<string, unknown> | null;

/** Whether the adapter is asked by POST /v2/validate. */
export const isAsyncValidation = (properties: Properties): boolean =>
  properties?.["asyncValidation"] === true;

/**
 * Id of the policy that guards data contracts of components of that kind: the first whose resource type is the kind,
 * in any case, or else the first of all.
 */
export function guardianOf(properties: Properties, kind: unknown): string | undefined {
  const guardian = properties?.["dataContractGuardian"];
  const listed = isRecord(guardian) ? guardian["policies"] : undefined;
  const policies = Array.isArray(listed) ? listed.filter(isRecord) : [];
  const wanted = typeof kind === "string" ? kind.toLowerCase() : undefined;
  const fits = ({ resourceType }: Record<string, unknown>): boolean =>
    typeof resourceType === "string" && resourceType.toLowerCase() === wanted;
  const policy = policies.find((each) => fits(each) && idOf(each)) ?? policies.find(idOf);
  return policy && idOf(policy);
}

function idOf(policy: Record<string, unknown>): string | undefined {
  const { spec } = policy;
  const id = policy["id"] ?? (isRecord(spec) ? spec["id"] : undefined);
  return typeof id === "string" && id !== "" ? id : undefined;
}
