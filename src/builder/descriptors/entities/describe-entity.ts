import type { Problem } from "../../../platform/errors/failure.ts";
import type { TemplateScope } from "../../templates/engine/render.ts";
import { classifyEntity, type EntityKind } from "./classify.ts";
import { describeComponent, finishComponent } from "./component-descriptor.ts";
import { hasTemplateMarks, readEntityText } from "../../templates/engine/expressions.ts";
import { nameOfRef, systemNameOf } from "../../catalogue/entities/entity-name.ts";
import { checkEntityName, checkIdentity } from "./identity.ts";
import { mergeConfiguration } from "./merge.ts";
import { evaluateParameters } from "../../catalogue/entities/parameters.ts";
import { entityFilePath, type EntityDirectory, type EntityFileName } from "./entity-files.ts";
import { describeSystem, type DescribeContext } from "./system-descriptor.ts";
import { parseYaml, textOf, type YamlMap, type YamlValue } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** A component or nested component, as far as the checks across the unit need it. */
export interface ComponentSummary {
  id: string;
  name: string;
  dependsOn: string[];
  /** Pointer to it within its entity, for problems. */
  path: string;
}

export interface EntityOutcome {
  directory: string;
  kind: EntityKind | null;
  problems: Problem[];
  warnings: string[];
  /** Present when the entity itself has no problem. A system's descriptor has no `components`. */
  descriptor: YamlMap | null;
  /** `domain.system.major` of the system that the entity belongs to. */
  systemName: string;
  /** The name in `spec.system` of a component, if any. */
  statedSystem: string | null;
  /** The component itself, then its nested components. */
  components: ComponentSummary[];
}

/** Called before each file is processed, so that an overrun can be attributed to a file. */
export type OnFile = (file: EntityFileName) => void;

/**
 * Makes the finished descriptor from the files of one directory: render, parse, classify, describe, merge,
 * check.
 */
export const describeEntity = (
  source: EntityDirectory,
  context: DescribeContext,
  onFile: OnFile,
): EntityOutcome => {
  const outcome: EntityOutcome = {
    directory: source.directory,
    kind: null,
    problems: [],
    warnings: [],
    descriptor: null,
    systemName: "",
    statedSystem: null,
    components: [],
  };
  const reader = createReader(source, context, { onFile, problems: outcome.problems });
  const parameters = reader.read("parameters.yaml", null);
  const evaluated = evaluateParameters(parameters ?? null, {
    environment: context.environment,
    file: reader.pathOf("parameters.yaml"),
  });
  outcome.problems.push(...evaluated.problems);
  outcome.warnings.push(...evaluated.warnings);
  // With invalid parameters, further problems of the file would only be consequences.
  if (outcome.problems.length > 0) return { ...outcome, kind: null };

  const file = reader.pathOf("catalog-info.yaml");
  const document = reader.read("catalog-info.yaml", evaluated.scope);
  const configuration = reader.read("configurations.yaml", evaluated.scope) ?? {};
  if (!isRecord(configuration)) {
    outcome.problems.push({
      where: reader.pathOf("configurations.yaml"),
      message: "The file must hold a map.",
    });
  }
  if (document === undefined) return outcome;
  const classified = classifyEntity(document, file);
  outcome.kind = classified.kind;
  outcome.problems.push(...classified.problems);
  const { entity } = classified;
  if (entity === null || !isRecord(configuration)) return outcome;

  outcome.systemName = systemNameOf(entity.name);
  outcome.problems.push(...checkEntityName(entity, file));
  if (entity.kind === "system") {
    const { components: _none, ...merged } = mergeConfiguration(
      describeSystem(entity, context),
      configuration,
    );
    outcome.descriptor = merged;
    outcome.warnings.push(...systemWarnings(merged, entity.mesh, file));
    outcome.problems.push(...checkIdentity(merged, file), ...checkFixed(merged, context, reader));
  } else {
    const merged = mergeConfiguration(describeComponent(entity, context), configuration);
    const finished = finishComponent(merged, { entity, context, file });
    outcome.descriptor = finished.descriptor;
    outcome.statedSystem = statedSystem(entity.spec);
    outcome.components = summarise(finished.descriptor, "");
    outcome.problems.push(...finished.problems, ...checkIdentity(finished.descriptor, file));
  }
  return outcome.problems.length === 0 ? outcome : { ...outcome, descriptor: null };
};

interface Reader {
  pathOf: (name: EntityFileName) => string;
  /** The parsed file; undefined when it is absent or invalid, which is then recorded as a problem. */
  read: (name: EntityFileName, scope: TemplateScope | null) => YamlValue | undefined;
}

const createReader = (
  source: EntityDirectory,
  context: DescribeContext,
  report: { onFile: OnFile; problems: Problem[] },
): Reader => {
  const pathOf = (name: EntityFileName): string =>
    entityFilePath(source.directory, name, context.environment);
  const fail = (problem: Problem): undefined => {
    report.problems.push(problem);
  };
  return {
    pathOf,
    read(name, scope) {
      const bytes = source.files[name];
      if (bytes === undefined) return undefined;
      report.onFile(name);
      const file = pathOf(name);
      const read = readEntityText(bytes, file);
      if (!("text" in read)) return fail(read);
      let { text } = read;
      const template = text;
      const isTemplate =
        scope !== null && (read.skeleton || name === "configurations.yaml") && hasTemplateMarks(text);
      if (isTemplate) {
        const rendered = scope.render(text);
        if (!rendered.ok) {
          const line =
            rendered.line === undefined ? "" : `:${rendered.line + read.linesCut}:${rendered.column ?? 1}`;
          return fail({ where: `${file}${line}`, message: `Template: ${rendered.reason}.` });
        }
        text = typeof rendered.value === "string" ? rendered.value : "";
      }
      const parsed = parseYaml(text, {
        file,
        linesCut: read.linesCut,
        ...(isTemplate ? { template } : {}),
      });
      return parsed.ok ? parsed.value : fail(parsed.problem);
    },
  };
};

/**
 * The environment and the project kind determine where a descriptor is deployed, so a configuration must not
 * change them.
 */
const checkFixed = (descriptor: YamlMap, context: DescribeContext, reader: Reader): Problem[] => {
  const fixed = { environment: context.environment, projectKind: "system" };
  return Object.entries(fixed)
    .filter(([key, value]) => descriptor[key] !== value)
    .map(([key]) => ({
      where: `${reader.pathOf("configurations.yaml")}#/${key}`,
      message: `A configuration cannot change ${key}.`,
    }));
};

const systemWarnings = (descriptor: YamlMap, mesh: YamlMap, file: string): string[] => {
  const warnings: string[] = [];
  if (textOf(descriptor["dataProductOwner"]) === undefined) warnings.push(`${file} names no owner.`);
  if (Array.isArray(mesh["components"]) && mesh["components"].length > 0) {
    warnings.push(`${file}#/spec/mesh/components is ignored: each component has its own directory.`);
  }
  return warnings;
};

const statedSystem = (spec: YamlMap): string | null => {
  const stated = textOf(spec["system"]);
  return stated === undefined ? null : nameOfRef(stated.trim());
};

const textsOf = (value: YamlValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

const summarise = (descriptor: YamlMap, path: string): ComponentSummary[] => {
  const nested = Array.isArray(descriptor["components"]) ? descriptor["components"] : [];
  const own: ComponentSummary = {
    id: textOf(descriptor["id"]) ?? "",
    name: textOf(descriptor["name"]) ?? "",
    dependsOn: textsOf(descriptor["dependsOn"]),
    path,
  };
  return [
    own,
    ...nested.flatMap((child, index) =>
      isRecord(child) ? summarise(child, `${path}/components/${index}`) : [],
    ),
  ];
};
