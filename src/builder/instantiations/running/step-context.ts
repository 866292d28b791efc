/** Renders the input of a step; texts that do not need the template engine are rendered in this thread. */
import { firstTag, hasTags } from "../../templates/engine/expressions.ts";
import { textsOf, type InputFault } from "../../templates/engine/render-input.ts";
import type { Json, TemplateValue } from "../../templates/engine/template-value.ts";
import { overrunReason, type Renderer } from "../../templates/renderer.ts";
import { evaluatePath, isSingleExpression, renderByExpression } from "../../templates/engine/shortcuts.ts";
import { builderFailure } from "../../errors.ts";
import { Failure } from "../../../platform/errors/failure.ts";

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
  const result = await deps.renderer.run("input", job);
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

interface FailedInput {
  /** `step "fetch", input` */
  place: string;
  /** The input as in the template, and as rendered for the action. */
  template: Json;
  input: Record<string, unknown>;
}

/** Codes of errors caused by the input, or by something that the input names. */
const inputCodes = new Set(["BUILDER_ACTION_INPUT", "BUILDER_FETCH_FAILED", "BUILDER_STEP_FAILED"]);

/** The same failure with its place: the key whose text it quotes, or else the step. */
export function placeFailure(error: unknown, { place, template, input }: FailedInput): unknown {
  if (!(error instanceof Failure) || !inputCodes.has(error.code)) return error;
  const quoted = textsOf(input).find(({ text }) => text !== "" && error.message.includes(`"${text}"`));
  const { kind, code, problems, solutions } = error;
  const step = place.split(",", 1)[0] ?? place;
  const at =
    quoted === undefined ? step : faultPlace(place, { ...quoted, ...positionIn(template, quoted.path) });
  return new Failure({ kind, code, message: `${at}: ${error.message}`, problems, solutions, cause: error });
}

/**
 * Position of the first tag in a text, or of its beginning when it has no tag or the value came from a
 * rendered list or object.
 */
function positionIn(
  template: Json,
  path: readonly string[],
): { reason: string; line: number; column: number } {
  const own = textsOf(template).find((text) => text.path.join("/") === path.join("/"));
  return { reason: "", ...(own === undefined ? { line: 1, column: 1 } : firstTag(own.text)) };
}
