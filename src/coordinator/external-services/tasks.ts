/** Pure. The tasks by which external services are told, at the end of a plan. */
import type { ExternalService } from "../context.ts";
import { stages, type NewTask } from "../execution/record/types.ts";

/** Stands for the receiver of changed access where services are known by their ids. */
export const accessSyncId = "access-sync";

export interface NoticeSource {
  planId: string;
  /** Something of the unit is deployed when the plan has done its work. */
  endsDeployed: boolean;
  services: readonly ExternalService[];
}

/** One task for each service: it is shown the unit as it stands now, or told that nothing of it is left. */
export function noticeTasks({ planId, endsDeployed, services }: NoticeSource): NewTask[] {
  const action = endsDeployed ? "PUBLISH" : "UNPUBLISH";
  const verb = action.toLowerCase();
  return services.map((service) => ({
    task_id: `${verb}:${service.id}`,
    stage: stages.publish,
    action,
    component_key: null,
    component_id: null,
    component_name: service.name,
    depends_on: [],
    adapter_id: service.id,
    adapter_url: `${service.baseUrl.replace(/\/+$/, "")}/v1/${verb}`,
    snapshot: null,
    details: service.isBlocking ? null : { isBlocking: false },
    idempotency_key: `${planId}:${verb}:${service.id}`,
  }));
}

/** Tells the platform who has access once the adapter has said so. Never fails the plan. */
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
