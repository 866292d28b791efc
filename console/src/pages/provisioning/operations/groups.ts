/** Which operations the list shows. */
import type { CoordinatorComponents } from "plinth-client";

type StatusWord = CoordinatorComponents["schemas"]["OperationStatusWord"];

export const operationGroups = ["work", "failed", "done"] as const;

export type OperationGroup = (typeof operationGroups)[number];

export const groupWords: Record<OperationGroup, string> = { work: "At work", failed: "Failed", done: "Done" };

export const groupStatuses: Record<OperationGroup, StatusWord[]> = {
  work: ["SCHEDULED", "RUNNING", "TERMINATING"],
  failed: ["FAILED", "TERMINATED"],
  done: ["SUCCEEDED"],
};
