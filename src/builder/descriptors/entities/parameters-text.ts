/**
 * Pure: the text of a `parameters.yaml`. Expressions at the top-level keys of its sections are evaluated when
 * the entity is resolved, so user input that looks like an expression is written as a quoted literal.
 */
import { dump } from "js-yaml";
import { hasTemplateMarks } from "../../templates/engine/expressions.ts";
import { mergeConfiguration } from "./merge.ts";
import type { YamlMap, YamlValue } from "../../catalogue/entities/yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** An expression that evaluates to the text; a text without template marks stays unchanged. */
export const textAsExpression = (text: string): string =>
  hasTemplateMarks(text)
    ? `\${{ "${text.replaceAll("\\", "\\\\").replaceAll('"', String.raw`\"`)}" }}`
    : text;

/** A section whose values are all literal: its top-level keys will not be evaluated. */
export const asTextSection = (section: YamlMap): YamlMap =>
  Object.fromEntries(
    Object.entries(section).map(([key, value]) => [
      key,
      typeof value === "string" ? textAsExpression(value) : value,
    ]),
  );

/** The sections that an instantiation writes over those of a skeleton's own file. */
export interface GivenSections {
  parameters: YamlMap;
  values: YamlMap;
  environmentParameters: Readonly<Record<string, YamlMap>>;
}

/**
 * The document with the given sections merged over its own. Keys that only the document has come last in
 * their section, because their expressions may use the given keys.
 */
export function mergeSections(document: YamlMap, given: GivenSections): YamlMap {
  const { parameters, values, environmentParameters, ...rest } = document;
  const environments = mapOf(environmentParameters);
  const names = [...new Set([...Object.keys(environments), ...Object.keys(given.environmentParameters)])];
  const merged: YamlMap = Object.fromEntries(
    names.map((name) => [name, mergeSection(environments[name], given.environmentParameters[name] ?? {})]),
  );
  return {
    parameters: mergeSection(parameters, given.parameters),
    values: mergeSection(values, given.values),
    ...rest,
    ...(names.length === 0 ? {} : { environmentParameters: merged }),
  };
}

function mergeSection(own: YamlValue | undefined, given: YamlMap): YamlMap {
  const merged = mergeConfiguration(mapOf(own), asTextSection(given));
  const first = Object.keys(given).filter((key) => Object.hasOwn(merged, key));
  return { ...Object.fromEntries(first.map((key) => [key, merged[key] ?? null])), ...merged };
}

const mapOf = (value: YamlValue | undefined): YamlMap => (isRecord(value) ? value : {});

export const writeParameters = (document: YamlMap): string => dump(document, { noRefs: true, lineWidth: -1 });
