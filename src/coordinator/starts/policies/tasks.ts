/** The tasks that check policies. Pure, apart from types of rows. */
import type { NewTask } from "../../execution/types.ts";
import type { Unit } from "../../planning/descriptor/unit.ts";

interface PolicyTasksInput {
  unit: Pick<Unit, "key" | "id" | "name">;
  /** Components whose policies are evaluated. */
  resources: readonly { key: string | null; id: string | null; name: string | null }[];
  stage: number;
}

/** The task that has the policies of the unit and its components evaluated, and one for each component. */
export const policyTasks = (planId: string, { unit, resources, stage }: PolicyTasksInput): NewTask[] =>
  [unit, ...resources].map(({ key, id, name }): NewTask => {
    const taskId = `policy:${id}`;
    return {
      task_id: taskId,
      stage,
      action: "POLICY_VALIDATE_COMPONENT",
      component_key: key,
      component_id: id,
      component_name: name === "" ? null : name,
      depends_on: [],
      adapter_id: null,
      adapter_url: null,
      snapshot: null,
      details: null,
      idempotency_key: `${planId}:${taskId}`,
    };
  });
