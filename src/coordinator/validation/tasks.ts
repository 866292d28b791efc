/**
 * The tasks of a validation: one for each component and subcomponent that an adapter answers for, and one for the unit if
 * any does.
 */
import { validationDetails } from "../deployment-units/new-plan.ts";
import type { EnabledAdapter } from "../deployment-units/store.ts";
import { calledComponents } from "../descriptor/own-calls.ts";
import type { Unit } from "../descriptor/unit.ts";
import { stages, type NewTask } from "../execution/record/types.ts";

export function validationTasks(
  planId: string,
  unit: Unit,
  adapters: Map<string, EnabledAdapter>,
): NewTask[] {
  const called = calledComponents(unit.components);
  const asked = unit.infrastructureTemplateId === undefined ? called : [...called, unit];
  return asked.map(({ key, id, name, infrastructureTemplateId }) => {
    const adapter = adapters.get(infrastructureTemplateId ?? "");
    const taskId = `validate:${id}`;
    return {
      task_id: taskId,
      stage: stages.validate,
      action: "VALIDATE_COMPONENT",
      component_key: key,
      component_id: id,
      component_name: name === "" ? null : name,
      depends_on: [],
      adapter_id: adapter?.adapterId ?? infrastructureTemplateId ?? null,
      adapter_url: adapter?.url ?? null,
      snapshot: null,
      details: validationDetails(adapter),
      idempotency_key: `${planId}:${taskId}`,
    };
  });
}
