/**
 * Pure. The properties of an adapter's deployment that the coordinator reads; others are stored unchanged.
 */
import type { EnabledAdapter } from "../../adapters/store.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

type Properties = Record<string, unknown> | null;

/** Whether the adapter validates by POST /v2/validate. */
export const isAsyncValidation = (properties: Properties): boolean =>
  properties?.["asyncValidation"] === true;

/**
 * Id of the policy that guards data contracts of components of that kind: the first whose resource type is
 * the kind, in any case, or else the first of all.
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

interface Guarded {
  key: string;
  infrastructureTemplateId?: string | null | undefined;
  descriptor: object;
}

/** By component key, the policy that guards its data contract. */
export function guardiansOf(
  components: readonly Guarded[],
  adapters: Map<string, EnabledAdapter>,
): Record<string, string> {
  return Object.fromEntries(
    components.flatMap(({ key, infrastructureTemplateId, descriptor }) => {
      const adapter = adapters.get(infrastructureTemplateId ?? "");
      const policyId = guardianOf(adapter?.properties ?? null, (descriptor as { kind?: unknown }).kind);
      return policyId === undefined ? [] : [[key, policyId] as const];
    }),
  );
}

function idOf(policy: Record<string, unknown>): string | undefined {
  const { spec } = policy;
  const id = policy["id"] ?? (isRecord(spec) ? spec["id"] : undefined);
  return typeof id === "string" && id !== "" ? id : undefined;
}
