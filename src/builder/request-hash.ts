/** Pure: the hash of a request, independent of the order of its fields. */
import { createHash, createHmac } from "node:crypto";

/** Keyed when the request contains secrets, so that they cannot be guessed from the hash. */
export const hashOfRequest = (request: object, key?: Buffer): string =>
  (key === undefined ? createHash("sha256") : createHmac("sha256", key))
    .update(JSON.stringify(sorted(request)))
    .digest("base64url");

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // As pairs, so that no field name has a special meaning.
  return entries.map(([name, inner]) => [name, sorted(inner)]);
};
