/** The status of a unit and its components, from what the rows say. Pure. */
export type UnitStatus =
  | "DEPLOYED"
  | "NOT_DEPLOYED"
  | "PARTIALLY_DEPLOYED"
  | "CORRUPT"
  | "PROVISIONING_IN_PROGRESS";

export interface UnitFacts {
  isActive: boolean;
  /** The last operation failed on an external service that blocks. */
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
