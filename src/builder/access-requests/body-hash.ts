/** Pure: one text for one request, whatever the order of its fields. */
import { createHash } from "node:crypto";

export const hashOfBody = (body: object): string =>
  createHash("sha256")
    .update(JSON.stringify(sorted(body)))
    .digest("base64url");

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // As pairs, so that no name can mean anything.
  return entries.map(([name, inner]) => [name, sorted(inner)]);
};
