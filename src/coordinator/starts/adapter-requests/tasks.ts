/** The task that gives access to a component to exactly the given identities. Pure, apart from types of rows. */
import { policyTasks } from "../policies/tasks.ts";
import { calledComponents } from "../../planning/descriptor/own-calls.ts";
import type { Unit } from "../../planning/descriptor/unit.ts";
import { isAsyncValidation } from "./adapter-properties.ts";
import type { EnabledAdapter } from "../../adapters/store.ts";
import { updateAclBody } from "../../adapters/protocol/request-bodies.ts";
import { sentDescriptor } from "../../execution/tasks/request-body.ts";
import { stages, type NewTask, type PlanRequest, type TaskDetails } from "../../execution/types.ts";
import type { Port } from "./store.ts";

export interface AccessCall {
  port: Port;
  adapter: EnabledAdapter | undefined;
  /** Empty revokes all. */
  refs: string[];
  accessControlFields?: object | undefined;
}

export function accessTask(
  planId: string,
  { port, adapter, refs, accessControlFields }: AccessCall,
): NewTask {
  const infos = new Map(Object.entries(port.dependencies));
  const dataProduct = sentDescriptor(port.request ?? noRequest, port.id, infos);
  const body = updateAclBody({
    refs,
    request: JSON.stringify({ dataProduct, componentIdToProvision: port.id }),
    result: endedStatus(port),
    ...(accessControlFields === undefined ? {} : { accessControlFields }),
  });
  const taskId = `access:${port.id}`;
  return {
    task_id: taskId,
    stage: stages.execute,
    action: "UPDATE_ACL",
    component_key: port.key,
    component_id: port.id,
    component_name: port.name,
    depends_on: [],
    adapter_id: adapter?.adapterId ?? port.templateId,
    adapter_url: adapter?.url ?? null,
    snapshot: null,
    details: { body },
    idempotency_key: `${planId}:${taskId}`,
  };
}

/** The final provisioning status of the component, as adapters expect it in `provisionInfo.result`. */
function endedStatus({ result, info }: Port): string {
  const parts = { publicInfo: {}, privateInfo: {}, ...info };
  return JSON.stringify({ status: "COMPLETED", result: result ?? "", info: parts });
}

const noRequest: PlanRequest = { descriptor: null, operations: [], removeData: false, enrichment: {} };

/** Id of the receiver of access changes among the external services. */
export const accessSyncId = "access-sync";

/** Notifies the platform of the access that the adapter has confirmed. Never fails the plan. */
export const accessSyncTask = (planId: string, url: string, body: object): NewTask => ({
  task_id: `publish:${accessSyncId}`,
  stage: stages.publish,
  action: "PUBLISH",
  component_key: null,
  component_id: null,
  component_name: "the platform",
  depends_on: [],
  adapter_id: accessSyncId,
  adapter_url: url,
  snapshot: null,
  details: { isBlocking: false, body: JSON.stringify(body) },
  idempotency_key: `${planId}:publish:${accessSyncId}`,
});

/**
 * The tasks of a validation: one for each component and subcomponent with an adapter, and one for the unit if
 * it has one.
 */
export function validationTasks(
  planId: string,
  unit: Unit,
  { adapters, hasPolicies }: { adapters: Map<string, EnabledAdapter>; hasPolicies: boolean },
): NewTask[] {
  const called = calledComponents(unit.components);
  // In the stage of the validations, so that one answer has the problems of both.
  const policies = hasPolicies
    ? policyTasks(planId, { unit, resources: called, stage: stages.validate })
    : [];
  const asked = unit.infrastructureTemplateId === undefined ? called : [...called, unit];
  const validations = asked.map(({ key, id, name, infrastructureTemplateId }): NewTask => {
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
  return [...policies, ...validations];
}

export const validationDetails = (adapter: EnabledAdapter | undefined): TaskDetails | null =>
  isAsyncValidation(adapter?.properties ?? null) ? { asyncValidation: true } : null;
