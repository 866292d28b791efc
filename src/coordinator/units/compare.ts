/** Pure. What two descriptors are compared by, and their differences, with secrets masked. */
import { isRecord } from "../../platform/lib/is-record.ts";
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import { hiddenSecret, isSecretName, withoutSecrets } from "../../platform/lib/secrets/secret-names.ts";

export interface ChangedField {
  /** JSON pointer. */
  field: string;
  /** Absent where that side has no such field. */
  environment?: unknown;
  otherEnvironment?: unknown;
}

export interface ChangedFields {
  fields: ChangedField[];
  /** There are more differences than the limit. */
  hasMore: boolean;
}

/**
 * Compares maps by key and lists by index. A difference is reported at the deepest place where both sides
 * have the same shape.
 */
export function compareFields(environment: object, otherEnvironment: object, max: number): ChangedFields {
  const found: ChangedFields = { fields: [], hasMore: false };
  compare(found, { environment, otherEnvironment, field: "", isSecret: false }, max);
  return found;
}

interface Pair extends ChangedField {
  isSecret: boolean;
}

type Shaped = Record<string, unknown> | unknown[];

function compare(found: ChangedFields, pair: Pair, max: number): void {
  const { environment, otherEnvironment } = pair;
  if (found.hasMore || environment === otherEnvironment) return;
  if (
    !isShaped(environment) ||
    !isShaped(otherEnvironment) ||
    isList(environment) !== isList(otherEnvironment)
  ) {
    report(found, pair, max);
    return;
  }
  const keys = new Set([...Object.keys(environment), ...Object.keys(otherEnvironment)]);
  for (const key of keys) {
    compare(
      found,
      {
        field: `${pair.field}/${escapeKey(key)}`,
        environment: valueAt(environment, key),
        otherEnvironment: valueAt(otherEnvironment, key),
        isSecret: pair.isSecret || isSecretName(key),
      },
      max,
    );
  }
}

const isShaped = (value: unknown): value is Shaped => typeof value === "object" && value !== null;
const isList = (value: Shaped): boolean => Array.isArray(value);
const valueAt = (value: Shaped, key: string): unknown =>
  Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

function report(
  found: ChangedFields,
  { field, environment, otherEnvironment, isSecret }: Pair,
  max: number,
): void {
  if (found.fields.length >= max) {
    found.hasMore = true;
    return;
  }
  found.fields.push({
    field,
    ...(environment === undefined ? {} : { environment: shown(environment, isSecret) }),
    ...(otherEnvironment === undefined ? {} : { otherEnvironment: shown(otherEnvironment, isSecret) }),
  });
}

/** Characters of a value, as JSON, that are shown. */
const longestValue = 4096;

function shown(value: unknown, isSecret: boolean): unknown {
  if (isSecret) return hiddenSecret;
  const safe = withoutSecrets(value);
  const text = JSON.stringify(safe);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : safe;
}

/** Keys that building and deploying add to a descriptor. */
const added = new Set(["info", "deployInfo", "buildInfo"]);

type DescriptorMap = Record<string, unknown>;

/** Removes the added keys of the unit, its components and their subcomponents; nested user content stays. */
export function bareDescriptor(descriptor: DescriptorMap): DescriptorMap {
  return Object.fromEntries(
    Object.entries(descriptor)
      .filter(([key]) => !added.has(key))
      .map(([key, value]) => [
        key,
        key === "components" && Array.isArray(value) ? value.map(bareItem) : value,
      ]),
  );
}

const bareItem = (item: unknown): unknown => (isRecord(item) ? bareDescriptor(item) : item);
