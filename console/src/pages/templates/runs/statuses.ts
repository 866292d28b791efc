export const runStatuses = ["open", "processing", "completed", "failed", "cancelled"] as const;
