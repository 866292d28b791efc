/** Whether a value is an object with keys: neither null nor an array. */
export const isRecord = <T = unknown>(value: unknown): value is Record<string, T> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value has properties: modules of other authors may pass functions and lists where an object is expected. */
export const hasProperties = (value: unknown): value is Record<string, unknown> =>
  (typeof value === "object" || typeof value === "function") && value !== null;
