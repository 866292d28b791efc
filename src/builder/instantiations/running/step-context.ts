/** Renders the input of a step; texts that do not need the template engine are rendered in this thread. */
import { firstTag, hasTags } from "../../templates/expressions.ts";
import { textsOf, type InputFault, type Json } from "../../templates/render-input.ts";
import { overrunReason, type Renderer } from "../../templates/renderer.ts";
import { evaluatePath, isSingleExpression, renderByExpression } from "../../templates/shortcuts.ts";
import type { TemplateValue } from "../../templates/render.ts";
import { builderFailure } from "../../errors.ts";

export type StepVariables = Record<string, unknown>;

export interface RenderStep {
  renderer: Renderer;
  renderTimeoutMs: number;
}

export interface RenderRequest {
  input: Json;
  variables: StepVariables;
  hasFailed: boolean;
  /** Description of the input for messages: `step "fetch", input`. */
  place: string;
}

/** Undefined when the result is empty. Rejects with a Failure that names the key and the position. */
export async function renderStep(deps: RenderStep, request: RenderRequest): Promise<Json | undefined> {
  const { input, variables, hasFailed, place } = request;
  const quick = renderQuickly(input, new Map(Object.entries(variables) as [string, TemplateValue][]));
  if (quick !== needsEngine) return quick;
  const job = { input, context: variables as Record<string, TemplateValue>, hasFailed };
  const result = await deps.renderer.renderInput(job);
  if ("overrun" in result) {
    const text = textsOf(input)[result.step] ?? { path: [], text: "" };
    const reason = overrunReason(result, deps.renderTimeoutMs);
    throw failed(place, { path: text.path, reason, ...firstTag(text.text) });
  }
  if (!result.ok) throw failed(place, result.fault);
  return result.value;
}

function failed(place: string, fault: InputFault): Error {
  return builderFailure("BUILDER_STEP_FAILED", { message: `${faultPlace(place, fault)}: ${fault.reason}.` });
}

/** `step "fetch", input.values.name (line 1, column 9)` */
export function faultPlace(place: string, { path, line, column }: InputFault): string {
  const position = line === undefined ? "" : ` (line ${line}, column ${column ?? 1})`;
  return `${[place, ...path].join(".")}${position}`;
}

const needsEngine = Symbol("needs the engine");

function renderQuickly(
  value: Json,
  variables: ReadonlyMap<string, TemplateValue>,
): Json | undefined | typeof needsEngine {
  if (typeof value === "string") return renderTextQuickly(value, variables);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const rendered = renderQuickly(item, variables);
      if (rendered === needsEngine) return needsEngine;
      items.push(rendered ?? null);
    }
    return items;
  }
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const rendered = renderQuickly(item, variables);
    if (rendered === needsEngine) return needsEngine;
    if (rendered !== undefined) entries.push([key, rendered]);
  }
  return Object.fromEntries(entries);
}

/** Longer texts are sent to the render worker. */
const maxQuickLength = 10_000;

function renderTextQuickly(
  text: string,
  variables: ReadonlyMap<string, TemplateValue>,
): Json | undefined | typeof needsEngine {
  if (!hasTags(text)) return text;
  if (text.length > maxQuickLength) return needsEngine;
  if (isSingleExpression(text)) {
    const result = evaluatePath(text, variables);
    return result?.ok ? (structuredClone(result.value) as Json) : needsEngine;
  }
  let isHard = false;
  const result = renderByExpression(text, variables, () => {
    isHard = true;
    return { ok: true, value: "" };
  });
  if (isHard || result === null || !result.ok) return needsEngine;
  return result.value === "" ? undefined : (result.value as Json);
}

/** For conditions and `each`: a list is true when it is not empty. */
export const isTruthy = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);
