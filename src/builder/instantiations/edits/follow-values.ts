/**
 * Values that a creation template derives from the parameters. They were rendered when the entity was
 * created, so editing a parameter requires rendering them again, but only those that still equal the result
 * for the old parameters.
 */
import { isDeepStrictEqual } from "node:util";
import type { Entity } from "../../entity.ts";
import type { YamlMap, YamlValue } from "../../catalogue/entities/yaml.ts";
import { hasTags } from "../../templates/engine/expressions.ts";
import type { Json, TemplateContext } from "../../templates/engine/template-value.ts";
import type { Renderer } from "../../renderer.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** The `values` of the step by which a template creates entities with this URN; null when it creates none. */
export function valueExpressions({ spec }: Entity, useCaseTemplateId: string): Record<string, Json> | null {
  const steps: unknown = spec?.["steps"];
  for (const step of Array.isArray(steps) ? steps : []) {
    const input: unknown = isRecord(step) && step["action"] === "fetch:template" ? step["input"] : undefined;
    const values = isRecord(input) ? input["values"] : undefined;
    if (isRecord(values) && values["useCaseTemplateId"] === useCaseTemplateId)
      return values as Record<string, Json>;
  }
  return null;
}

export interface Following {
  /** Null when the creation template is unknown: then a value follows the parameter of the same name. */
  expressions: Record<string, Json> | null;
  before: YamlMap;
  after: YamlMap;
  /** The values as they evaluate now. */
  stored: YamlMap;
}

/** The changes of the values; null removes one. */
export async function followValues(
  renderer: Pick<Renderer, "run">,
  { expressions, before, after, stored }: Following,
): Promise<YamlMap> {
  const changed: YamlMap = {};
  const isKnown = (name: string): boolean => Object.hasOwn(stored, name);
  if (expressions === null) {
    for (const [name, value] of Object.entries(after))
      if (isKnown(name) && isDeepStrictEqual(stored[name], before[name])) changed[name] = value;
    return changed;
  }
  for (const [name, expression] of Object.entries(expressions)) {
    if (!hasExpression(expression)) continue;
    const old = await render(renderer, expression, before);
    if (!isDeepStrictEqual(old ?? null, stored[name] ?? null)) continue;
    const next = await render(renderer, expression, after);
    if (!isDeepStrictEqual(old, next)) changed[name] = next ?? null;
  }
  return changed;
}

const hasExpression = (value: Json): boolean =>
  typeof value === "string"
    ? hasTags(value)
    : typeof value === "object" && value !== null && Object.values(value).some(hasExpression);

/** Undefined when it cannot be rendered with the parameters alone. */
async function render(
  renderer: Pick<Renderer, "run">,
  expression: Json,
  parameters: YamlMap,
): Promise<YamlValue | undefined> {
  const context: TemplateContext = { parameters };
  const result = await renderer.run("input", { input: { of: expression }, context, hasFailed: false });
  if ("overrun" in result || !result.ok) return undefined;
  const { value } = result;
  return isRecord(value) ? value["of"] : undefined;
}
