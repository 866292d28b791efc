/** A plan runs in stages: policies, then validation, then the components themselves. Pure. */
import { type PlanNode } from "./plan-nodes.ts";

export interface Stage {
  key: "policies" | "validation" | "components";
  name: string;
  tasks: PlanNode[];
}

const names: Record<Stage["key"], string> = {
  policies: "Policies",
  validation: "Validation",
  components: "Components",
};

/** Nodes are in the order of the plan, so the stage of a task is known by what comes before it. */
export function stagesOf(planId: string, nodes: readonly PlanNode[]): Stage[] {
  const gateOf = new Map<string, string | null>();
  const tasks = new Map<string | null, PlanNode[]>();
  for (const { id, kind, dependsOn } of nodes) {
    const before = dependsOn.map((each) => gateOf.get(each) ?? null).find((gate) => gate !== null) ?? null;
    gateOf.set(id, kind === "stage" ? id : before);
  }
  for (const node of nodes) {
    if (node.kind !== "task") continue;
    const gate = gateOf.get(node.id) ?? null;
    const members = tasks.get(gate);
    if (members === undefined) tasks.set(gate, [node]);
    else members.push(node);
  }
  const gates = nodes.filter(({ kind }) => kind === "stage").map(({ id }) => id);
  const groups = [null, ...gates].map((gate) => tasks.get(gate) ?? []).filter(({ length }) => length > 0);
  return groups.map((members, index) => {
    const key = keyOf(planId, gates, index, groups.length);
    return { key, name: names[key], tasks: members };
  });
}

/** The gate after a stage says which one it is; after the last one there is none. */
const keyOf = (planId: string, gates: readonly string[], index: number, count: number): Stage["key"] => {
  if (index === count - 1) return "components";
  return gates[index] === `${planId}:stage-policies` ? "policies" : "validation";
};

/** The first that has not completed, so the one that is at work or has failed; otherwise the last one. */
export const presentStage = (stages: readonly Stage[]): Stage | undefined =>
  stages.find(({ tasks }) => tasks.some(({ status }) => status !== "COMPLETED")) ?? stages.at(-1);
