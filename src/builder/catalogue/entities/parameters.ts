import type { Problem } from "../../../platform/errors/failure.ts";
import { createTemplateScope, type TemplateScope } from "../../templates/engine/render.ts";
import { hasTemplateMarks } from "../../templates/engine/expressions.ts";
import type { YamlMap, YamlValue } from "./yaml.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

export interface EvaluatedParameters {
  scope: TemplateScope;
  problems: Problem[];
  warnings: string[];
}

export interface ParametersOptions {
  environment: string;
  /** Path of the parameters file inside the archive, for problems. */
  file: string;
}

/** The sections in evaluation order, with the name by which templates access them. */
const sections = [
  { key: "parameters", seenAs: "parameters" },
  { key: "values", seenAs: "values" },
  { key: "readonly", seenAs: "readonly" },
  { key: "environmentParameters", seenAs: "env" },
] as const;

/**
 * Evaluates `parameters.yaml` (null when there is none) for a skeleton. Expressions are evaluated at the
 * top-level keys of each section and see the sections and keys before them. An expression that evaluates to
 * undefined omits its key, so that `default(…)` works on it later.
 */
export const evaluateParameters = (document: YamlValue, options: ParametersOptions): EvaluatedParameters => {
  const { environment, file } = options;
  const problems: Problem[] = [];
  const warnings: string[] = [];
  const scope = createTemplateScope(
    sections.map(({ seenAs }) => seenAs),
    { environment },
  );
  if (document !== null && !isRecord(document)) {
    problems.push({ where: file, message: "The file must hold a map of sections." });
  }
  if (!isRecord(document)) return { scope, problems, warnings };
  for (const { key, seenAs } of sections) {
    let section: YamlValue = document[key] ?? null;
    let where = `${file}#/${key}`;
    if (key === "environmentParameters" && isRecord(section)) {
      section = Object.hasOwn(section, environment) ? (section[environment] ?? null) : null;
      where += `/${environment}`;
    }
    if (section === null) continue;
    if (!isRecord(section)) {
      problems.push({ where, message: "The section must be a map." });
      continue;
    }
    evaluateSection(section, { scope, seenAs, where, problems, warnings });
  }
  return { scope, problems, warnings };
};

interface SectionTarget {
  scope: TemplateScope;
  seenAs: string;
  where: string;
  problems: Problem[];
  warnings: string[];
}

const evaluateSection = (section: YamlMap, target: SectionTarget): void => {
  for (const [key, raw] of Object.entries(section)) {
    const value = withoutReserved(raw, `${target.where}/${key}`, target.warnings);
    if (reservedKeys.has(key)) {
      target.warnings.push(`${target.where}/${key} has a reserved name, so templates do not see it.`);
    } else if (typeof value === "string" && hasTemplateMarks(value)) {
      const result = target.scope.evaluate(value);
      if (result.ok) {
        if (result.value !== undefined) target.scope.set(target.seenAs, key, result.value);
      } else {
        target.problems.push({ where: `${target.where}/${key}`, message: `Template: ${result.reason}.` });
      }
    } else {
      target.scope.set(target.seenAs, key, value);
    }
  }
};

/** The template engine rejects a context that contains these names anywhere. */
const reservedKeys: ReadonlySet<string> = new Set(["constructor", "prototype", "__proto__"]);

const withoutReserved = (value: YamlValue, where: string, warnings: string[]): YamlValue => {
  if (Array.isArray(value))
    return value.map((item, index) => withoutReserved(item, `${where}/${index}`, warnings));
  if (!isRecord(value)) return value;
  const allowed: YamlMap = {};
  for (const [key, item] of Object.entries(value)) {
    if (reservedKeys.has(key)) {
      warnings.push(`${where}/${key} has a reserved name, so templates do not see it.`);
    } else {
      allowed[key] = withoutReserved(item, `${where}/${key}`, warnings);
    }
  }
  return allowed;
};
