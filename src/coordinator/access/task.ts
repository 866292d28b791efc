/** The task that makes some identities the only ones with access to a component. Pure. */
import { updateAclBody } from "../adapter-protocol/request-bodies.ts";
import type { EnabledAdapter } from "../deployment-units/store.ts";
import { sentDescriptor } from "../execution/tasks/request-body.ts";
import { stages, type NewTask, type PlanRequest } from "../execution/record/types.ts";
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

/** The status that the adapter's provisioning ended with; adapters look for what they need in its `info`. */
function endedStatus({ result, info }: Port): string {
  const parts = { publicInfo: {}, privateInfo: {}, ...info };
  return JSON.stringify({ status: "COMPLETED", result: result ?? "", info: parts });
}

const noRequest: PlanRequest = { descriptor: null, operations: [], removeData: false, enrichment: {} };
