/** Pure: extracts the values of secret fields from the values of a form, and restores them. */
import { escapeKey, unescapeKey } from "../../platform/lib/json-pointer.ts";
import { hidden, textsIn } from "../../platform/lib/secrets/mask.ts";
import type { Problem } from "../../platform/errors/failure.ts";
import { builderFailure } from "../errors.ts";
import type { Secrets } from "./task.ts";

type Values = Record<string, unknown>;

export interface Split {
  /** The values with secret ones masked. */
  values: Values;
  /** The secret values by their JSON pointer, which begins with `base`. */
  fields: Record<string, unknown>;
}

/** `paths` as in `TemplatePlan.secretFields`. */
export function takeSecrets(values: Values, paths: readonly string[][], base: string): Split {
  if (paths.length === 0) return { values, fields: {} };
  const fields: Record<string, unknown> = {};
  const copy = structuredClone(values);
  for (const path of paths) take(copy, { path, pointer: base }, fields);
  return { values: copy, fields };
}

function take(
  holder: unknown,
  { path, pointer }: { path: readonly string[]; pointer: string },
  fields: Record<string, unknown>,
): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof holder !== "object" || holder === null) return;
  const keys = key === "*" && !Object.hasOwn(holder, key) ? Object.keys(holder) : [key];
  for (const name of keys) {
    if (!Object.hasOwn(holder, name)) continue;
    const at = `${pointer}/${escapeKey(name)}`;
    const value: unknown = Reflect.get(holder, name);
    if (rest.length > 0) take(value, { path: rest, pointer: at }, fields);
    else if (value !== hidden) {
      fields[at] = value;
      Reflect.set(holder, name, hidden);
    }
  }
}

/** The values with the secret fields below `base` restored. */
export function putSecrets(values: Values, fields: Readonly<Record<string, unknown>>, base: string): Values {
  const own = Object.entries(fields).filter(([pointer]) => pointer.startsWith(`${base}/`));
  if (own.length === 0) return values;
  const copy = structuredClone(values);
  for (const [pointer, value] of own) {
    const keys = pointer
      .slice(base.length + 1)
      .split("/")
      .map(unescapeKey);
    let holder: unknown = copy;
    for (const key of keys.slice(0, -1)) {
      holder = typeof holder === "object" && holder !== null ? Reflect.get(holder, key) : undefined;
    }
    if (typeof holder === "object" && holder !== null) Reflect.set(holder, keys.at(-1) ?? "", value);
  }
  return copy;
}

export const hasSecrets = (secrets: Secrets): boolean =>
  hasNamed(secrets) || Object.keys(secrets.fields).length > 0;

/** The JSON pointers of the secrets in the request. */
export const secretNames = ({ named, fields }: Secrets): string[] => [
  ...Object.keys(named).map((name) => `/secrets/${escapeKey(name)}`),
  ...Object.keys(fields),
];

/** All secret texts that must be masked. */
export const secretTexts = ({ named, fields }: Secrets): string[] => [
  ...Object.values(named),
  ...textsIn(Object.values(fields)),
];

/** Of all secrets of a request together. Each text and file that leaves a task is searched for all of them, in several forms. */
const maxSecretsLength = 128 * 1024;

/** The problem of secrets that are too long together; none otherwise. */
export function secretProblems(secrets: Secrets): Problem[] {
  const length = secretTexts(secrets).reduce((sum, text) => sum + text.length, 0);
  if (length <= maxSecretsLength) return [];
  return [
    {
      where: hasNamed(secrets) ? "/secrets" : "/values",
      message: `The secrets have ${length} characters together; ${maxSecretsLength} is the most.`,
      solution: "Store long secrets elsewhere, and give the template a reference to them.",
    },
  ];
}

/** Throws BUILDER_INVALID_INSTANTIATION. */
export function refuseLongSecrets(secrets: Secrets): void {
  const problems = secretProblems(secrets);
  if (problems.length === 0) return;
  throw builderFailure("BUILDER_INVALID_INSTANTIATION", { message: "The secrets are too long.", problems });
}

const hasNamed = ({ named }: Secrets): boolean => Object.keys(named).length > 0;

/**
 * A copy as plain JSON without the strings, numbers and keys that contain a secret; items of lists are
 * removed too.
 */
export function dropSecrets(
  values: Readonly<Record<string, unknown>>,
  holdsSecret: (text: string) => boolean,
): Record<string, unknown> {
  const isRetained = (value: unknown): boolean =>
    value !== undefined &&
    !((typeof value === "string" || typeof value === "number") && holdsSecret(String(value)));
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(isRetained).map(copy);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, item]) => isRetained(item) && !holdsSecret(key))
        .map(([key, item]) => [key, copy(item)]),
    );
  };
  return copy(values) as Record<string, unknown>;
}
