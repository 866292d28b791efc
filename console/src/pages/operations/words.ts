/** Words of the interfaces that filters of these pages offer. */
export const auditAreas = [
  "builder",
  "assistant",
  "coordinator",
  "governance",
  "data-layer",
  "auth",
] as const;
export const noticeStatuses = ["PENDING", "SENT", "DEAD", "WITHDRAWN"] as const;
export const deliveryStatuses = ["PENDING", "DELIVERED", "DEAD"] as const;
export const tokenStatuses = ["ended", "all"] as const;
export const roles = ["viewer", "developer", "operator", "admin", "service"] as const;

/** Who may read what operators watch over, as an empty page says it. */
export const operatorsWho = "operators and administrators";
