import type { Problem } from "../../../platform/errors/failure.ts";
import { parseEntityName, type EntityName } from "../../catalogue/entities/entity-name.ts";
import { showValue, type YamlMap, type YamlValue } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export type EntityKind = "system" | "component";

/** A parsed `catalog-info.yaml` whose structure has been validated. */
export interface Entity {
  kind: EntityKind;
  /** `metadata.name`, and the same in parts. */
  entityName: string;
  name: EntityName;
  metadata: YamlMap;
  spec: YamlMap;
  mesh: YamlMap;
}

export interface Classified {
  /** Known even when the entity has problems, so that an invalid system is not also reported as missing. */
  kind: EntityKind | null;
  entity: Entity | null;
  problems: Problem[];
}

/**
 * Classifies an entity document as system or component and validates the fields that descriptors are made
 * from.
 */
export const classifyEntity = (document: YamlValue, file: string): Classified => {
  const problems: Problem[] = [];
  if (!isRecord(document)) {
    problems.push({
      where: file,
      message: "The file must hold one entity, a map with kind, metadata and spec.",
    });
    return { kind: null, entity: null, problems };
  }
  const kind = kindOf(document["kind"]);
  if (kind === null) {
    problems.push({
      where: `${file}#/kind`,
      message: `The kind of an entity is System or Component; it is ${showValue(document["kind"])}.`,
    });
  }
  const metadata = mapAt(document, "metadata", { file, path: "", problems });
  const spec = mapAt(document, "spec", { file, path: "", problems });
  const mesh = mapAt(spec, "mesh", { file, path: "/spec", problems });
  const entityName = metadata["name"];
  const name = typeof entityName === "string" ? parseEntityName(entityName) : null;
  const fits = name !== null && kind !== null && (name.component !== undefined) === (kind === "component");
  if (kind !== null && !fits) {
    const form = kind === "system" ? "<domain>.<system>.<major>" : "<domain>.<system>.<major>.<component>";
    problems.push({
      where: `${file}#/metadata/name`,
      message: `The name of a ${kind} has the form ${form}; it is ${showValue(entityName)}.`,
    });
  }
  const sound = problems.length === 0 && kind !== null && name !== null && typeof entityName === "string";
  return { kind, entity: sound ? { kind, entityName, name, metadata, spec, mesh } : null, problems };
};

const kindOf = (value: YamlValue | undefined): EntityKind | null => {
  const kind = typeof value === "string" ? value.trim().toLowerCase() : "";
  return kind === "system" || kind === "component" ? kind : null;
};

/** A nested map; absent and null count as empty, anything else is a problem. */
const mapAt = (
  parent: YamlMap,
  key: string,
  at: { file: string; path: string; problems: Problem[] },
): YamlMap => {
  const value = parent[key] ?? {};
  if (isRecord(value)) return value;
  at.problems.push({ where: `${at.file}#${at.path}/${key}`, message: "This must be a map." });
  return {};
};
