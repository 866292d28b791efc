import type { Entity } from "./classify.ts";
import { nameOfRef, taxonomyUrn, urnOf } from "../../catalogue/entities/entity-name.ts";
import { findType, type SystemType, type Taxonomy } from "../../catalogue/entities/taxonomy.ts";
import { textOf, type YamlMap, type YamlValue } from "../../catalogue/entities/yaml.ts";

/** The context of a descriptor besides its entity. */
export interface DescribeContext {
  environment: string;
  /** The `<ns>` of every URN. */
  namespace: string;
  /** The types that the catalogue knows. */
  taxonomy: Taxonomy;
}

/**
 * The base descriptor of a system, without its components: all of `spec.mesh`, overridden by the computed
 * fields. Values that the entity does not provide are omitted.
 */
export const describeSystem = (entity: Entity, context: DescribeContext): YamlMap => {
  const { mesh, spec, metadata, name } = entity;
  const { components: _components, ...carried } = mesh;
  const owner = textOf(spec["owner"]);
  const projectOwner = textOf(mesh["projectOwner"]) ?? textOf(mesh["dataProductOwner"]) ?? owner;
  const dataProductOwner = textOf(mesh["dataProductOwner"]) ?? projectOwner;
  const shownAs =
    textOf(mesh["dataProductOwnerDisplayName"]) ??
    textOf(mesh["projectOwnerDisplayName"]) ??
    (dataProductOwner && nameOfRef(dataProductOwner));
  const specDomain = textOf(spec["domain"]);
  const domain = nameOfRef(specDomain ?? textOf(mesh["domain"]) ?? name.domain);
  const meshDomainId = specDomain === undefined ? textOf(mesh["domainId"]) : undefined;
  const type = findType(context.taxonomy.systemTypes, textOf(spec["instanceOf"]) ?? textOf(spec["type"]));
  const typeRef = textOf(spec["type"]) ?? textOf(spec["instanceOf"]);
  return withoutAbsent({
    ...carried,
    name: textOf(mesh["name"]) ?? textOf(metadata["title"]) ?? name.system,
    version: versionText(mesh["version"]) ?? `${name.major}.0.0`,
    environment: context.environment,
    id: urnOf(name, context.namespace),
    projectKind: "system",
    kind: type?.resourceType ?? (typeRef && nameOfRef(typeRef)) ?? "dataproduct",
    domain,
    domainId: meshDomainId ?? `urn:${context.namespace}:dmn:${domain}`,
    description: mesh["description"] ?? metadata["description"],
    projectOwner,
    projectOwnerDisplayName: textOf(mesh["projectOwnerDisplayName"]) ?? shownAs,
    dataProductOwner,
    dataProductOwnerDisplayName: shownAs,
    devGroup: textOf(mesh["devGroup"]) ?? textOf(mesh["developmentGroup"]) ?? owner,
    ownerGroup: textOf(mesh["ownerGroup"]) ?? owner,
    shoppable: mesh["shoppable"] ?? spec["shoppable"] ?? type?.shoppable,
    taxonomy: mesh["taxonomy"] ?? spec["taxonomy"] ?? taxonomyOf(type, context),
    metadata,
  });
};

const taxonomyOf = (type: SystemType | undefined, { namespace }: DescribeContext): YamlMap | undefined =>
  type?.taxonomy === undefined
    ? undefined
    : { id: taxonomyUrn(type.taxonomy, namespace), name: type.taxonomy };

/** Versions are strings; YAML parses an unquoted `1` as a number. */
export const versionText = (value: YamlValue | undefined): string | undefined =>
  typeof value === "number" ? String(value) : textOf(value);

export const withoutAbsent = (map: Record<string, YamlValue | undefined>): YamlMap => {
  const present: YamlMap = {};
  for (const [key, value] of Object.entries(map)) if (value !== undefined) present[key] = value;
  return present;
};
