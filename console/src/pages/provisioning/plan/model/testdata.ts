import type { PlanNode } from "./plan-nodes.ts";

/** A task of a plan for tests. */
export const nodeOf = (id: string, more: Partial<PlanNode> = {}): PlanNode => ({
  id,
  name: `Provision ${id}`,
  kind: "task",
  status: "WAITING",
  startedAt: null,
  stoppedAt: null,
  message: "",
  problems: [],
  solutions: [],
  waiting: null,
  dependsOn: [],
  ...more,
});
