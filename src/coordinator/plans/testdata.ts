/** Rows of plans and tasks for tests. */
import { stages } from "../execution/types.ts";
import type { PlanView, TaskView } from "./store.ts";

export const createdAt = new Date("2026-11-21T08:00:00.000Z");
export const startedAt = new Date("2026-11-21T08:00:01.000Z");
export const stoppedAt = new Date("2026-11-21T08:00:09.000Z");

export const polling = { initialMs: 1_000, factor: 1.5, maxMs: 15_000 };

export const planRow = (more: Partial<PlanView> = {}): PlanView => ({
  id: "p",
  kind: "PROVISIONING",
  unitId: "ships:1",
  environment: "development",
  originator: "user:default/ada",
  action: "PROVISION",
  status: "RUNNING",
  failure: null,
  descriptor: null,
  descriptorVersion: "1.2.0",
  terminateMode: null,
  createdAt,
  startedAt,
  stoppedAt: null,
  ...more,
});

export const taskRow = (
  taskId: string,
  dependsOn: string[] = [],
  more: Partial<TaskView> = {},
): TaskView => ({
  taskId,
  stage: 1,
  action: "PROVISION",
  componentId: taskId,
  componentName: taskId.toUpperCase(),
  dependsOn,
  status: "WAITING",
  result: null,
  publicInfo: null,
  descriptor: null,
  token: false,
  attempts: 0,
  waiting: null,
  startedAt: null,
  stoppedAt: null,
  ...more,
});

export const validation = (taskId: string, more: Partial<TaskView> = {}): TaskView =>
  taskRow(taskId, [], { stage: 0, action: "VALIDATE_COMPONENT", ...more });

export const policyTask = (taskId: string, more: Partial<TaskView> = {}): TaskView =>
  taskRow(taskId, [], { stage: stages.policies, action: "POLICY_VALIDATE_COMPONENT", ...more });
