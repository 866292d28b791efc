/** Pure. Computes the status of a unit from the statuses of its components. */
export type UnitStatus =
  | "DEPLOYED"
  | "NOT_DEPLOYED"
  | "PARTIALLY_DEPLOYED"
  | "CORRUPT"
  | "PROVISIONING_IN_PROGRESS";

export interface UnitFacts {
  isActive: boolean;
  /** The last operation failed because a blocking external service refused it. */
  blockedByService: boolean;
  /** Statuses of the root, if it is provisioned itself, and of every known component. */
  known: readonly string[];
  /** Statuses of the components of the last descriptor (and its root). */
  wanted: readonly string[];
}

export function unitStatus(facts: UnitFacts): UnitStatus {
  if (facts.isActive) return "PROVISIONING_IN_PROGRESS";
  if (facts.blockedByService || facts.known.includes("CORRUPT")) return "CORRUPT";
  const deployed = facts.known.filter((status) => status === "DEPLOYED").length;
  if (deployed === 0) return "NOT_DEPLOYED";
  const isWhole = facts.wanted.every((status) => status === "DEPLOYED") && deployed === facts.wanted.length;
  return isWhole ? "DEPLOYED" : "PARTIALLY_DEPLOYED";
}
