/**
 * Pure. The properties of an adapter's deployment that the coordinator reads; others are stored unchanged.
 */
import type { EnabledAdapter } from "../../adapters/store.ts";
import { guardianPoliciesOf } from "../../adapters/guardians.ts";

type Properties = Record<string, unknown> | null;

/** Whether the adapter validates by POST /v2/validate. */
export const isAsyncValidation = (properties: Properties): boolean =>
  properties?.["asyncValidation"] === true;

/** Id of the policy that guards data contracts of components of that kind, in any case; none of another kind does. */
export function guardianOf(properties: Properties, kind: unknown): string | undefined {
  if (typeof kind !== "string") return undefined;
  const wanted = kind.toLowerCase();
  return guardianPoliciesOf(properties).find(({ resourceType }) => resourceType?.toLowerCase() === wanted)
    ?.id;
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
