/** Pure: what is wrong with the values of pickers, as far as it can be said without the server. */
import { fitsPattern, type Fault } from "./check-value.ts";
import { isRecord, textOr, textsOf, type Values } from "./json.ts";

type Check = (value: string, field: Values) => string | null;

const reference = /^(?:[^:/\s]+:)?(?:[^:/\s]+\/)?[^:/\s]+$/;

const entity: Check = (value) =>
  value.startsWith("urn:") || reference.test(value)
    ? null
    : "It must be a reference of an entity: kind:namespace/name.";

const identifier: Check = (value) =>
  /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(value)
    ? null
    : "It must be letters, digits, hyphens and underscores, its parts joined by dots.";

const pattern: Check = (value, { validation }) => {
  const rule = isRecord(validation) ? validation : {};
  const expression = textOr(rule["regularExpression"], "");
  if (expression === "" || fitsPattern(expression, value)) return null;
  return textOr(rule["errorMessage"], `It must match ${expression}`);
};

const repository: Check = (value, field) => {
  const options = isRecord(field["ui:options"]) ? field["ui:options"] : {};
  const hosts = textsOf(options["allowedHosts"]);
  const host = value.includes("?") ? (value.split("?", 1)[0] ?? "") : null;
  if (host !== null && !/[?&]repo=[^&]+/.test(value)) return "Name the repository too.";
  return host === null || hosts.length === 0 || hosts.includes(host)
    ? null
    : `The host must be one of ${hosts.join(", ")}.`;
};

const checks: Record<string, Check> = {
  EntityPicker: entity,
  MultiEntityPicker: entity,
  OwnedEntityPicker: entity,
  EntityRelationsPicker: entity,
  EntityComponentsPicker: entity,
  OwnerPicker: entity,
  MyGroupsPicker: entity,
  RepoUrlPicker: repository,
  IdentifierPicker: identifier,
  ComponentIdentifierPicker: identifier,
  RegexPicker: pattern,
};

/** Empty and absent values are right: `required` says more. */
export const pickerFaults = (
  schema: unknown,
  value: unknown,
  path: readonly (string | number)[] = [],
): Fault[] => {
  if (!isRecord(schema) || value === undefined || path.length > 20) return [];
  const test = checks[String(schema["ui:field"])];
  const own = test === undefined ? [] : textsOf(value).flatMap((text) => test(text, schema) ?? []);
  const { properties, items } = schema;
  return [
    ...own.slice(0, 1).map((message) => ({ path, message })),
    ...(isRecord(value) && isRecord(properties)
      ? Object.entries(properties).flatMap(([key, part]) => pickerFaults(part, value[key], [...path, key]))
      : []),
    ...(Array.isArray(value)
      ? value.flatMap((item, index) => pickerFaults(items, item, [...path, index]))
      : []),
  ];
};
