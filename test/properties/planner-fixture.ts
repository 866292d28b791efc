import { hashComponent, hashRoot } from "../../src/coordinator/planning/descriptor/hash.ts";
import { readUnit } from "../../src/coordinator/planning/descriptor/unit.ts";
import type {
  KnownStatus,
  LastKnownState,
  PlanMode,
  PlanContext,
  RequestedTarget,
} from "../../src/coordinator/planning/model.ts";
import { planProvisioning } from "../../src/coordinator/planning/plan.ts";
import type { PlanResult, ProvisioningPlan } from "../../src/coordinator/planning/plan.ts";
import { buildTaskGraph } from "../../src/coordinator/planning/task-graph.ts";

/** A component as a test writes it. */
export type Part = Record<string, unknown> & { id: string; dependsOn: string[] };

export const template = "urn:dmb:itm:mock:1";

export function part(id: string, dependsOn: string[], extra: object = {}): Part {
  return { id, infrastructureTemplateId: template, dependsOn, ...extra };
}

/** Hash of the unit that `planOf` makes, without its components. */
export const rootHash = hashRoot({ id: "shop:1", version: "1.0.0", infrastructureTemplateId: template });

export function known(...entries: [Part, KnownStatus][]): LastKnownState {
  const components = entries.map(([snapshot, status], deployedOrder) => ({
    componentId: snapshot.id,
    status,
    hash: hashComponent(snapshot),
    dependsOn: snapshot.dependsOn,
    infrastructureTemplateId: template,
    deployedOrder,
  }));
  return { components };
}

export interface PlanRequest {
  components: Part[];
  /** Whether the unit itself is provisioned. */
  hasRoot?: boolean;
  last?: LastKnownState;
  targets: RequestedTarget[];
  mode?: PlanMode;
  preventRedeploy?: boolean;
  removeData?: boolean;
  configured?: Partial<PlanContext>;
  descriptor?: object;
}

export function planOf({ components, last, targets, ...request }: PlanRequest): PlanResult {
  const descriptor: Record<string, unknown> = { id: "shop:1", version: "1.0.0", components };
  if (request.hasRoot === true) descriptor["infrastructureTemplateId"] = template;
  const { unit, problems } = readUnit({ ...descriptor, ...request.descriptor });
  if (unit === undefined) return { problems };
  return planProvisioning({
    unit,
    last: last ?? { components: [] },
    targets,
    mode: request.mode ?? "strict",
    preventRedeploy: request.preventRedeploy ?? false,
    removeData: request.removeData ?? false,
    configured: {
      environment: "development",
      environments: ["development", "production"],
      hasAdapter: (id) => id === template,
      pathUnitId: "shop:1",
      ...request.configured,
    },
    problems,
  });
}

/** The plan of a request that must not be refused. */
export function decide(request: PlanRequest): ProvisioningPlan {
  const result = planOf(request);
  if (result.problems !== undefined) throw new Error(JSON.stringify(result.problems));
  return result;
}

/** Each operation as `id ACTION/REASON +ADDITIONAL`. */
export function changesOf(request: PlanRequest): string[] {
  return decide(request).operations.map(({ componentId, action, reason, additionalReasons }) =>
    [`${componentId} ${action}/${reason}`, ...additionalReasons.map((more) => `+${more}`)].join(" "),
  );
}

/** Each problem as `where message`. */
export function problemsIn(request: PlanRequest): string[] {
  return (planOf(request).problems ?? []).map(({ where, message }) => `${where} ${message}`);
}

/** The execute stage, each task as `key <- keys it waits for`. */
export function tasksOf(request: PlanRequest): string[] {
  return buildTaskGraph(decide(request))
    .tasks.filter(({ stage }) => stage === "execute")
    .map(({ key, dependsOn }) => [key, "<-", ...dependsOn].join(" "));
}

export function deploy(...ids: string[]): RequestedTarget[] {
  return ids.map((componentId) => ({ componentId, targetStatus: "DEPLOYED" }));
}

export function undeploy(...ids: string[]): RequestedTarget[] {
  return ids.map((componentId) => ({ componentId, targetStatus: "NOT_DEPLOYED" }));
}
