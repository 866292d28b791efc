/** Whether a value is an object with keys: neither null nor an array. */
export const isRecord = <T = unknown>(value: unknown): value is Record<string, T> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
