/** Pure: one text for one request, whatever the order of its fields. */
import { createHash, createHmac } from "node:crypto";

/** With a key where the request holds secrets, so that nobody finds them by trying. */
export const hashOfRequest = (request: object, key?: Buffer): string =>
  (key === undefined ? createHash("sha256") : createHmac("sha256", key))
    .update(JSON.stringify(sorted(request)))
    .digest("base64url");

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // As pairs, so that no name can mean anything.
  return entries.map(([name, inner]) => [name, sorted(inner)]);
};
