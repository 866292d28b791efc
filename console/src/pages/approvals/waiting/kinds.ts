import type { IconName } from "../../../parts/page/icon.tsx";
import { readable, shortName } from "../parts/names.ts";
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

/** Of hooks the title says what is asked for; of the rest it is the server's. */
export const titleOf = ({ subject, deploymentUnitId, environment, title }: WaitingItem): string => {
  const verb = verbs[subject];
  if (verb === undefined || deploymentUnitId === null) return readable(title);
  return `${verb} ${shortName(deploymentUnitId)}${environment === null ? "" : ` in ${environment}`}`;
};

const verbs: Partial<Record<WaitingItem["subject"], string>> = {
  ACCESS_REQUEST: "Access to",
  DEPLOYMENT_APPROVAL: "Deploy",
  DATA_REMOVAL_APPROVAL: "Remove data of",
};

/** Whoever asked for a deployment does not decide about it, owner or not. */
export const actorsOf = ({ subject, whoMayAct, requester }: WaitingItem): string[] => {
  const isOwn = subject === "DEPLOYMENT_APPROVAL" || subject === "DATA_REMOVAL_APPROVAL";
  const refs = whoMayAct.refs.filter((ref) => !isOwn || ref.toLowerCase() !== requester?.toLowerCase());
  return [...refs, ...(whoMayAct.operators ? ["operators"] : [])];
};
