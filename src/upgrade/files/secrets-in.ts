/** Pure. The secrets that files hold, by their names, so that nothing that is printed shows them. */
import { createMask, textsIn, type Mask } from "../../platform/lib/secrets/mask.ts";
import { maskCredentials, mayBeSecretName } from "../../platform/lib/secrets/secret-names.ts";
import { entriesOfBlock } from "./extra-env.ts";
import { isMap, plainDocumentsOf, type Plain } from "./yaml-file.ts";

/** Besides what their names say. */
const licence = new Set(["licenseFile", "signature", "CORE_LICENSE_FILE", "CORE_SIGNATURE"]);

const isSecret = (name: string): boolean => licence.has(name) || mayBeSecretName(name);

/** Hides the secrets of these texts, and what looks like a credential in any. */
export function maskFor(texts: readonly string[]): (text: string) => string {
  const mask: Mask = createMask(
    texts.flatMap((text) => [...plainDocumentsOf(text).flatMap(secretsIn), ...secretsOfLines(text)]),
  );
  return (text) => maskCredentials(mask.text(text));
}

const referenceKeys = new Set(["name", "key", "optional"]);

function secretsIn(value: Plain): string[] {
  if (typeof value === "string") return secretsOfBlock(value);
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  // Which secret, and which of its keys.
  if (!isMap(value) || Object.keys(value).every((key) => referenceKeys.has(key))) return [];
  const own = typeof value["name"] === "string" && isSecret(value["name"]) ? textsIn(value["value"]) : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) =>
      isSecret(key) && key !== "secretKeyRef" ? textsOf(inner) : secretsIn(inner),
    ),
  ];
}

/** Names of secrets and of their keys are no secrets. */
const textsOf = (value: Plain): string[] =>
  isMap(value) && ("$env" in value || "$file" in value) ? [] : textsIn(value);

const secretsOfBlock = (text: string): string[] =>
  text.includes("\n") || text.includes("=")
    ? (entriesOfBlock(text) ?? []).flatMap((entry) =>
        isSecret(entry.name) && "value" in entry ? [entry.value] : [],
      )
    : [];

const secretsOfLines = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.+?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined || !isSecret(name)) return [];
    return [value, value.replace(/^(["'])(.*)\1$/, "$2")];
  });
