import type { Problem } from "../../../platform/errors/failure.ts";
import type { Entity } from "./classify.ts";
import { componentIdOf, nameOfRef, urnOf } from "../../catalogue/entities/entity-name.ts";
import { versionText, withoutAbsent, type DescribeContext } from "./system-descriptor.ts";
import { findType } from "../../catalogue/entities/taxonomy.ts";
import { textOf, type YamlMap, type YamlValue } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

const maxDependencies = 1_000;

/** The base descriptor of a component, before the environment's configuration. */
export const describeComponent = (entity: Entity, context: DescribeContext): YamlMap => {
  const { mesh, spec, metadata, name } = entity;
  const type = textOf(spec["type"]) ?? textOf(spec["instanceOf"]);
  const componentType = findType(
    context.taxonomy.componentTypes,
    textOf(spec["instanceOf"]) ?? type ?? textOf(mesh["kind"]),
  );
  const own = withoutAbsent({
    kind: textOf(mesh["kind"]) ?? (type && nameOfRef(type)),
    id: urnOf(name, context.namespace),
    description: mesh["description"] ?? metadata["description"],
    name: textOf(mesh["name"]) ?? textOf(metadata["title"]) ?? name.component,
    fullyQualifiedName: mesh["fullyQualifiedName"],
    version: versionText(mesh["version"]) ?? `${name.major}.0.0`,
    infrastructureTemplateId: mesh["infrastructureTemplateId"] ?? spec["infrastructureTemplateId"],
    useCaseTemplateId: mesh["useCaseTemplateId"] ?? spec["useCaseTemplateId"],
    dependsOn: mesh["dependsOn"] ?? spec["dependsOn"] ?? [],
  });
  const rest = withoutAbsent({
    specific: mesh["specific"] ?? {},
    consumable: mesh["consumable"] ?? spec["consumable"] ?? componentType?.consumable,
    shoppable: mesh["shoppable"] ?? spec["shoppable"] ?? componentType?.shoppable,
    taxonomy: mesh["taxonomy"] ?? spec["taxonomy"],
    components: spec["components"] ?? mesh["components"],
  });
  const carried: YamlMap = {};
  for (const [key, value] of Object.entries(mesh)) {
    if (!Object.hasOwn(own, key) && !Object.hasOwn(rest, key)) carried[key] = value;
  }
  return { ...own, ...carried, ...rest };
};

export interface FinishOptions {
  entity: Entity;
  context: DescribeContext;
  /** Path of the entity file, for problems. */
  file: string;
}

/**
 * Resolves `dependsOn` to component ids and adds the ids of nested components. It works on the merged
 * descriptor, because an environment's configuration may replace both lists.
 */
export const finishComponent = (
  descriptor: YamlMap,
  options: FinishOptions,
): { descriptor: YamlMap; problems: Problem[] } => {
  const problems: Problem[] = [];
  return { descriptor: finishLevel(descriptor, { ...options, path: "", problems }), problems };
};

interface Level extends FinishOptions {
  path: string;
  problems: Problem[];
}

const finishLevel = (descriptor: YamlMap, level: Level): YamlMap => {
  const finished: YamlMap = { ...descriptor, dependsOn: dependencyIds(descriptor["dependsOn"], level) };
  const nested = descriptor["components"] ?? null;
  if (nested === null) return finished;
  if (!Array.isArray(nested)) {
    level.problems.push({ where: `${level.file}#${level.path}/components`, message: "This must be a list." });
    return finished;
  }
  finished["components"] = nested.map((child, index) =>
    finishChild(child, descriptor, { ...level, path: `${level.path}/components/${index}` }),
  );
  return finished;
};

const finishChild = (child: YamlValue, parent: YamlMap, level: Level): YamlValue => {
  const name = isRecord(child) ? textOf(child["name"]) : undefined;
  if (!isRecord(child) || name === undefined) {
    level.problems.push({
      where: `${level.file}#${level.path}`,
      message: "A nested component is a map with a name.",
    });
    return child;
  }
  const kind = child["kind"] ?? child["type"] ?? parent["kind"];
  const type = findType(
    level.context.taxonomy.componentTypes,
    textOf(child["instanceOf"]) ?? textOf(child["type"]) ?? textOf(kind),
  );
  const described = withoutAbsent({
    kind,
    id: textOf(child["id"]) ?? `${textOf(parent["id"]) ?? ""}:${name}`,
    ...child,
    name,
    version: versionText(child["version"]) ?? parent["version"],
    dependsOn: child["dependsOn"] ?? [],
    specific: child["specific"] ?? {},
    consumable: child["consumable"] ?? type?.consumable,
    shoppable: child["shoppable"] ?? type?.shoppable,
  });
  return finishLevel(described, level);
};

const dependencyIds = (value: YamlValue | undefined, level: Level): YamlValue[] => {
  const where = `${level.file}#${level.path}/dependsOn`;
  const list = typeof value === "string" ? [value] : (value ?? []);
  if (!Array.isArray(list)) {
    level.problems.push({ where, message: "This must be a list of component ids." });
    return [];
  }
  if (list.length > maxDependencies) {
    level.problems.push({ where, message: `A component has at most ${maxDependencies} dependencies.` });
    return [];
  }
  const ids = new Set<string>();
  list.forEach((entry, index) => {
    const reference = textOf(entry);
    if (reference === undefined) {
      level.problems.push({ where: `${where}/${index}`, message: "A dependency is the id of a component." });
      return;
    }
    ids.add(componentIdOf(reference.trim(), level.entity.name, level.context.namespace));
  });
  return [...ids];
};
