import type { Problem } from "../../../platform/errors/failure.ts";
import type { Entity } from "./classify.ts";
import type { YamlMap } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** Fields that identify a unit or a component; the first three are required. */
const required = ["id", "name", "kind"] as const;
const optional = ["version", "domain", "domainId", "infrastructureTemplateId", "useCaseTemplateId"] as const;

/**
 * Problems of the identifying fields. A template with a missing value produces `undefined` or an empty part
 * in a name, which must not become the identity of something that is deployed.
 */
export const checkIdentity = (descriptor: YamlMap, file: string): Problem[] => {
  const problems: Problem[] = [];
  checkLevel(descriptor, `${file}#`, problems);
  return problems;
};

/** The same check for the name that every identifier is made from. */
export const checkEntityName = (entity: Entity, file: string): Problem[] =>
  isUndefinedText(entity.entityName)
    ? [
        {
          where: `${file}#/metadata/name`,
          message: `The name "${entity.entityName.slice(0, 100)}" has an undefined part.`,
        },
      ]
    : [];

const checkLevel = (descriptor: YamlMap, at: string, problems: Problem[]): void => {
  for (const field of [...required, ...optional]) {
    const value = descriptor[field] ?? null;
    const isRequired = required.some((name) => name === field);
    if (value === null) {
      if (isRequired) problems.push({ where: `${at}/${field}`, message: `${field} is missing.` });
    } else if (typeof value !== "string") {
      problems.push({ where: `${at}/${field}`, message: `${field} must be a text.` });
    } else if (value.trim() === "" || isUndefinedText(value)) {
      const given = value.trim() === "" ? "empty" : `"${value.slice(0, 100)}"`;
      problems.push({
        where: `${at}/${field}`,
        message: `${field} is undefined in part or whole: it is ${given}.`,
      });
    }
  }
  const nested = descriptor["components"];
  if (!Array.isArray(nested)) return;
  nested.forEach(
    (child, index) => isRecord(child) && checkLevel(child, `${at}/components/${index}`, problems),
  );
};

/** Whether a part of the text, separated by dots, colons or slashes, is the word `undefined`. */
const isUndefinedText = (text: string): boolean => /(?:^|[.:/\s])undefined(?:$|[.:/\s])/.test(text);
