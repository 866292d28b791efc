/** Pure: where two descriptors of a component differ, with secrets masked. */
import { escapeKey } from "../../platform/lib/json-pointer.ts";
import { hiddenSecret, isSecretName, withoutSecrets } from "../../platform/lib/secret-names.ts";

export interface ChangedField {
  /** JSON pointer. */
  field: string;
  /** Absent where that side has no such field. */
  environment?: unknown;
  otherEnvironment?: unknown;
}

export interface ChangedFields {
  fields: ChangedField[];
  /** There are more differences than were wanted. */
  hasMore: boolean;
}

/** Lists are compared place by place. Each difference is told as deep as both sides have a value of the same shape. */
export function compareFields(environment: object, otherEnvironment: object, most: number): ChangedFields {
  const found: ChangedFields = { fields: [], hasMore: false };
  compare(found, { environment, otherEnvironment, field: "", isSecret: false }, most);
  return found;
}

interface Pair extends ChangedField {
  isSecret: boolean;
}

type Shaped = Record<string, unknown> | unknown[];

function compare(found: ChangedFields, pair: Pair, most: number): void {
  const { environment, otherEnvironment } = pair;
  if (found.hasMore || environment === otherEnvironment) return;
  if (
    !isShaped(environment) ||
    !isShaped(otherEnvironment) ||
    isList(environment) !== isList(otherEnvironment)
  ) {
    report(found, pair, most);
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
      most,
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
  most: number,
): void {
  if (found.fields.length >= most) {
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
