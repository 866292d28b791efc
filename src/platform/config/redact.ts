import { isSecretName, maskCredentials, mayHold } from "../lib/secrets/secret-names.ts";
import { settingsJson } from "./schema/schema.ts";
import { listSettings } from "./source/schema-paths.ts";

const settings = listSettings(settingsJson);
const nameOf = ({ path }: { path: readonly string[] }): string => path.at(-1) ?? "";

const secretSettings = new Set(settings.filter(({ schema }) => schema["x-secret"] === true).map(nameOf));

/** Settings with names of the operator's own, such as headers, whose values are secrets. */
const secretRecords = new Set(
  settings
    .filter(({ schema }) =>
      Object.values(schema.patternProperties ?? {}).some((each) => each["x-secret"] === true),
    )
    .map(nameOf),
);

const hidden = "[hidden]";

/**
 * A copy that may be printed: every value under the name of a secret setting, or under any name of a secret,
 * is masked, and so are credentials inside texts. The input is not changed.
 */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return maskCredentials(value).replaceAll("://***@", `://${hidden}@`);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(key, inner)]));
}

function shown(key: string, value: unknown): unknown {
  if (!mayHold(value)) return value;
  // The secret settings of a group have names of their own.
  const isGroup = typeof value === "object" && !Array.isArray(value);
  if (secretSettings.has(key) || (isSecretName(key) && !isGroup)) return hidden;
  if (!isGroup || !secretRecords.has(key)) return redact(value);
  return Object.fromEntries(Object.keys(value ?? {}).map((name) => [name, hidden]));
}
