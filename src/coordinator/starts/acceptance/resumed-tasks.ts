/** Makes the tasks of a resumed plan from those of the plan before. Pure, apart from types of rows. */
import type { ExternalService } from "../../context.ts";
import { stages, type NewTask, type TaskDetails } from "../../execution/types.ts";
import type { Unit } from "../../planning/descriptor/unit.ts";
import { policyTasks } from "../policies/tasks.ts";
import { noticeTasks } from "./new-plan.ts";

/** A task of the plan that is resumed. */
export interface OriginTask extends Omit<NewTask, "idempotency_key"> {
  /** Null where no enabled adapter of its id is registered in the environment any more. */
  registered_url: string | null;
  completed: boolean;
  /** Its outcome was unknown, and was settled since as the one that it aimed at. */
  settled_as_done: boolean;
}

export interface ResumedInput {
  planId: string;
  unit: Pick<Unit, "id" | "key" | "name">;
  tasks: readonly OriginTask[];
  /** Keys of components that may have been deployed by now. */
  knownKeys: ReadonlySet<string>;
  hasPolicies: boolean;
  endsDeployed: boolean;
  services: readonly ExternalService[];
  /** Ids of the services that the plan, or one that it had resumed, has notified. */
  notified: ReadonlySet<string | null>;
}

/** Whether the plan has left the task to be done. */
export const isLeft = (task: OriginTask): boolean => !task.completed && !task.settled_as_done;

/**
 * What is left is done with new calls. Policies are checked and services are notified as in any plan that is accepted now: both
 * may have changed since.
 */
export function resumedTasks(input: ResumedInput): NewTask[] {
  const { planId, tasks, endsDeployed, notified } = input;
  const left = tasks.filter((task) => isLeft(task) && callsAdapter(task));
  const services = input.services.filter(({ id }) => !notified.has(id));
  return [
    ...(input.hasPolicies ? policyTasksOf(input) : []),
    ...again(input, left),
    ...noticeTasks({ planId, endsDeployed, services }),
  ];
}

/** Whether it calls an adapter, and no external service or policies. */
export const callsAdapter = ({ stage }: OriginTask): boolean =>
  stage === stages.validate || stage === stages.execute;

/** All that the plan before was to deploy: what was true of a component then need not be any more. */
function policyTasksOf({ planId, unit, tasks }: ResumedInput): NewTask[] {
  if (!tasks.some((task) => isLeft(task) && task.action === "PROVISION")) return [];
  const resources = new Map(
    tasks
      .filter(({ action }) => action === "PROVISION" || action === "POLICY_VALIDATE_COMPONENT")
      .filter(({ component_key: key }) => key !== unit.key)
      .map(({ component_key: key, component_id: id, component_name: name }) => [key, { key, id, name }]),
  );
  return policyTasks(planId, { unit, resources: [...resources.values()], stage: stages.policies });
}

function again({ planId, knownKeys }: ResumedInput, left: readonly OriginTask[]): NewTask[] {
  const ids = new Set(left.map(({ task_id }) => task_id));
  return left.map((before) => {
    const { registered_url: url, completed: _, settled_as_done: __, ...task } = before;
    return {
      ...task,
      adapter_url: url ?? task.adapter_url,
      depends_on: task.depends_on.filter((id) => ids.has(id)),
      details: detailsOf(task.details, knownKeys.has(task.component_key ?? "")),
      idempotency_key: `${planId}:${task.task_id}`,
    };
  });
}

function detailsOf(details: TaskDetails | null, isKnown: boolean): TaskDetails | null {
  if (!isKnown || details?.neverDeployed === undefined) return details;
  const { neverDeployed: _, ...rest } = details;
  return Object.keys(rest).length === 0 ? null : rest;
}
