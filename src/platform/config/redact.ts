import { settingsJson } from "./schema.ts";
import { listSettings } from "./source/schema-paths.ts";

const secretNames = new Set(
  listSettings(settingsJson)
    .filter(({ schema }) => schema["x-secret"] === true)
    .map(({ path }) => path.at(-1) ?? ""),
);

const hidden = "[hidden]";

/**
 * A copy fit for printing: whatever stands under the name of a secret setting is hidden, wherever it is, and
 * so are credentials inside addresses. The input is left alone.
 */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/:\/\/[^/@\s]*@/g, `://${hidden}@`);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretNames.has(key) && inner !== "" && inner !== undefined ? hidden : redact(inner),
    ]),
  );
}
