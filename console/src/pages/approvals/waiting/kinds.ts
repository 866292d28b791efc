import type { IconName } from "../../../parts/page/icon.tsx";
import type { WaitingItem, WaitingKind } from "./queries.ts";

/** Of the filter. */
export const kindWords: Record<WaitingKind, string> = {
  HOOK: "Approvals",
  APPROVAL: "Tool calls",
  EXCEPTION: "Exceptions",
  FAILED_OPERATION: "Failed",
  HELD_PLAN: "Held plans",
  RECONCILE: "Repairs of drift",
  UNKNOWN_OUTCOME: "Unknown outcomes",
};

interface Subject {
  word: string;
  icon: IconName;
}

export const subjects: Record<WaitingItem["subject"], Subject> = {
  HOOK: { word: "Approval", icon: "check" },
  ACCESS_REQUEST: { word: "Access request", icon: "key" },
  DEPLOYMENT_APPROVAL: { word: "Deployment", icon: "plan" },
  DATA_REMOVAL_APPROVAL: { word: "Removal of data", icon: "warning" },
  APPROVAL: { word: "Tool call", icon: "chat" },
  EXCEPTION: { word: "Exception", icon: "shield" },
  FAILED_OPERATION: { word: "Failed", icon: "warning" },
  HELD_PLAN: { word: "Held plan", icon: "clock" },
  RECONCILE: { word: "Repair of drift", icon: "refresh" },
  UNKNOWN_OUTCOME: { word: "Unknown outcome", icon: "unknown" },
};
