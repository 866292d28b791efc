import type { Entity } from "./classify.ts";
import { nameOfRef, urnOf } from "./entity-name.ts";
import { textOf, type YamlMap, type YamlValue } from "./yaml.ts";

/** What descriptors need to know beyond their entity. */
export interface DescribeContext {
  environment: string;
  /** The `<ns>` of every URN. */
  namespace: string;
  /** Resource type of each system type that the catalogue knows, by name. */
  resourceTypes: Readonly<Record<string, string>>;
}

/**
 * The base descriptor of a system, without its components: everything of `spec.mesh`, and over it what is computed.
 * A value that the entity does not give is left out.
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
  const type = textOf(spec["type"]) && nameOfRef(textOf(spec["type"]) ?? "");
  return withoutAbsent({
    ...carried,
    name: textOf(mesh["name"]) ?? textOf(metadata["title"]) ?? name.system,
    version: versionText(mesh["version"]) ?? `${name.major}.0.0`,
    environment: context.environment,
    id: urnOf(name, context.namespace),
    projectKind: "system",
    kind: resourceTypeOf(type, context) ?? type ?? "dataproduct",
    domain,
    domainId: meshDomainId ?? `urn:${context.namespace}:dmn:${domain}`,
    description: mesh["description"] ?? metadata["description"],
    projectOwner,
    projectOwnerDisplayName: textOf(mesh["projectOwnerDisplayName"]) ?? shownAs,
    dataProductOwner,
    dataProductOwnerDisplayName: shownAs,
    devGroup: textOf(mesh["developmentGroup"]) ?? owner,
    ownerGroup: textOf(mesh["ownerGroup"]) ?? owner,
    shoppable: mesh["shoppable"] ?? spec["shoppable"],
    taxonomy: mesh["taxonomy"] ?? spec["taxonomy"],
    metadata,
  });
};

const resourceTypeOf = (type: string | undefined, context: DescribeContext): string | undefined =>
  type !== undefined && Object.hasOwn(context.resourceTypes, type) ? context.resourceTypes[type] : undefined;

/** Versions are texts; YAML reads an unquoted `1` as a number. */
export const versionText = (value: YamlValue | undefined): string | undefined =>
  typeof value === "number" ? String(value) : textOf(value);

export const withoutAbsent = (map: Record<string, YamlValue | undefined>): YamlMap => {
  const kept: YamlMap = {};
  for (const [key, value] of Object.entries(map)) if (value !== undefined) kept[key] = value;
  return kept;
};
