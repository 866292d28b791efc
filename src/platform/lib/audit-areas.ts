/** The areas whose changes the audit records. Rows of an upgrade name none: they are written into databases that may not have the column yet. */
export const auditAreas = [
  "builder",
  "assistant",
  "coordinator",
  "governance",
  "data-layer",
  "auth",
] as const;
export type AuditArea = (typeof auditAreas)[number];
