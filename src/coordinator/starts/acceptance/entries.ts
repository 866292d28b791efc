/** Pure. The stored component entries of an operation, each with the id of its task. */
import { idKey } from "../../planning/descriptor/ids.ts";
import { hasOwnCall, ownerKeys } from "../../planning/descriptor/own-calls.ts";
import type { Component } from "../../planning/descriptor/unit.ts";
import type { OperationEntry } from "../../execution/record/types.ts";
import type { PlannedChange } from "../../planning/model.ts";

export interface OperationEntryInput {
  changes: readonly Pick<PlannedChange, "componentId" | "action">[];
  tasks: readonly { task_id: string; action: string; component_id: string | null }[];
  components: readonly Component[];
}

export function operationEntries({ changes, tasks, components }: OperationEntryInput): OperationEntry[] {
  const taskOf = new Map<string, string>();
  for (const { task_id, action, component_id } of tasks) {
    if (component_id !== null && (action === "PROVISION" || action === "UNPROVISION"))
      taskOf.set(idKey(component_id), task_id);
  }
  const ownerOf = new Map(
    components.flatMap((component) => {
      if (component.subcomponents.length === 0) return [];
      const owners = ownerKeys(component);
      return component.subcomponents
        .filter((part) => !hasOwnCall(part))
        .map(({ key }) => [key, owners.get(key) ?? component.key] as const);
    }),
  );
  return changes.map(({ componentId, action }) => {
    const key = idKey(componentId);
    const taskId = taskOf.get(key) ?? taskOf.get(ownerOf.get(key) ?? key);
    return { componentId, provisioningAction: action, ...(taskId === undefined ? {} : { taskId }) };
  });
}
