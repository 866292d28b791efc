/** Pure. Data protection: components whose data is removed only when the request names them. */
import type { Problem } from "../../../platform/errors/failure.ts";
import { idKey } from "../../planning/descriptor/ids.ts";
import type { Component } from "../../planning/descriptor/unit.ts";
import type { ProvisioningPlan } from "../../planning/plan.ts";

/** The field of a component, a subcomponent or the unit that protects its data. */
export const protectionField = "deletionProtection";

/** A deployed component: a later descriptor can drop the mark, but what is deployed stays protected. */
export interface DeployedMark {
  key: string;
  parentKey: string | null;
  descriptor: object;
}

export interface ProtectionInput {
  plan: ProvisioningPlan;
  deployed: readonly DeployedMark[];
  /** The unit's last accepted descriptor. */
  unitDescriptor: object | null;
}

/** Ids of protected components that this plan undeploys with their data, in the plan's order. */
export function protectedFromRemoval({ plan, deployed, unitDescriptor }: ProtectionInput): string[] {
  if (!plan.removeData) return [];
  const { unit, nodes } = plan.planGraph;
  const isWholeProtected = isMarked(unit.descriptor) || isMarked(unitDescriptor);
  const marked = markedComponents(deployed);
  return nodes.flatMap((node, index) => {
    const own = node.component;
    const isProtected = (id: string, parts: readonly (Component | undefined)[]): boolean =>
      isWholeProtected || marked.has(idKey(id)) || parts.some((part) => isMarked(part?.descriptor));
    if (plan.decisions[index]!.action === "UNDEPLOY") {
      return isProtected(node.id, [own, ...(own?.subcomponents ?? [])]) ? [node.id] : [];
    }
    const going = node.parts.filter((_, place) => plan.partDecisions[index]![place]!.action === "UNDEPLOY");
    return going.filter((part) => isProtected(part.id, [part.component])).map(({ id }) => id);
  });
}

/** Keys of components that are marked, or have a marked part. */
function markedComponents(deployed: readonly DeployedMark[]): Set<string> {
  const owners = new Map(deployed.map(({ key, parentKey }) => [key, parentKey]));
  const marked = new Set<string>();
  for (const { key, descriptor } of deployed) {
    if (!isMarked(descriptor)) continue;
    for (let at: string | null | undefined = key; at && !marked.has(at); at = owners.get(at)) marked.add(at);
  }
  return marked;
}

/** One problem for each protected component that the request does not name. */
export function protectionProblems(ids: readonly string[], confirmed: readonly string[]): Problem[] {
  const named = new Set(confirmed.map(idKey));
  return ids
    .filter((id) => !named.has(idKey(id)))
    .map((id) => ({
      where: "/confirmDataRemoval",
      message: `${id} is protected: it would be undeployed with its data.`,
      solution: `Name ${id} in confirmDataRemoval, or start with removeData false.`,
    }));
}

/** A mark that is neither true nor false is refused: ignoring it could remove data. */
export function markProblems(descriptor: object, pointer = "/descriptor"): Problem[] {
  const problems: Problem[] = [];
  const stack = [{ value: descriptor as Record<string, unknown>, where: pointer }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { value, where } = next;
    const mark = value[protectionField];
    if (mark !== undefined && mark !== null && typeof mark !== "boolean") {
      problems.push({
        where: `${where}/${protectionField}`,
        message: `${protectionField} is neither true nor false.`,
        solution: "Give true to protect the data, or leave the field out.",
      });
    }
    const parts: unknown[] = Array.isArray(value["components"]) ? value["components"] : [];
    for (let index = parts.length - 1; index >= 0; index--) {
      const part = parts[index];
      if (typeof part !== "object" || part === null || Array.isArray(part)) continue;
      stack.push({ value: part as Record<string, unknown>, where: `${where}/components/${index}` });
    }
  }
  return problems;
}

const isMarked = (descriptor: object | null | undefined): boolean =>
  (descriptor as Record<string, unknown> | null | undefined)?.[protectionField] === true;
