/** Pure: removes secrets from values. */

/**
 * A copy as plain JSON without the strings, numbers and keys that contain a secret; items of lists are
 * removed too.
 */
export function dropSecrets(
  values: Readonly<Record<string, unknown>>,
  holdsSecret: (text: string) => boolean,
): Record<string, unknown> {
  const isKept = (value: unknown): boolean =>
    value !== undefined &&
    !((typeof value === "string" || typeof value === "number") && holdsSecret(String(value)));
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(isKept).map(copy);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, item]) => isKept(item) && !holdsSecret(key))
        .map(([key, item]) => [key, copy(item)]),
    );
  };
  return copy(values) as Record<string, unknown>;
}
