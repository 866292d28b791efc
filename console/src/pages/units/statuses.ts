export const unitStatuses = [
  "DEPLOYED",
  "PARTIALLY_DEPLOYED",
  "PROVISIONING_IN_PROGRESS",
  "CORRUPT",
  "NOT_DEPLOYED",
] as const;

export type UnitStatusWord = (typeof unitStatuses)[number];
