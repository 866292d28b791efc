/**
 * Renders the input of a step and calls its action. Texts that do not need the template engine are rendered in this thread.
 */
import { firstTag, hasTags } from "../../templates/engine/expressions.ts";
import type { InputFault } from "../../templates/engine/render-input.ts";
import { lengthOf, textsOf, type Json, type TemplateValue } from "../../templates/engine/template-value.ts";
import { overrunReason, type Renderer } from "../../renderer.ts";
import { evaluatePath, isSingleExpression, renderByExpression } from "../../templates/engine/shortcuts.ts";
import { builderFailure } from "../../errors.ts";
import { Failure } from "../../../platform/errors/failure.ts";
import { Ajv, type ValidateFunction } from "ajv";
import type { Action, ActionContext } from "../../actions/action.ts";

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
  const quick = renderQuickly(input, {
    variables: new Map(Object.entries(variables) as [string, TemplateValue][]),
    left: maxQuickResult,
  });
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

/** A larger result is made in the thread of the renderer, which limits its length. */
const maxQuickResult = 256 * 1024;

interface Quick {
  variables: ReadonlyMap<string, TemplateValue>;
  /** Length that the expressions that are still to be rendered may have. */
  left: number;
}

function renderQuickly(value: Json, quick: Quick): Json | undefined | typeof needsEngine {
  if (typeof value === "string") return renderTextQuickly(value, quick);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const rendered = renderQuickly(item, quick);
      if (rendered === needsEngine) return needsEngine;
      items.push(rendered ?? null);
    }
    return items;
  }
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const rendered = renderQuickly(item, quick);
    if (rendered === needsEngine) return needsEngine;
    if (rendered !== undefined) entries.push([key, rendered]);
  }
  return Object.fromEntries(entries);
}

/** Longer texts are sent to the render worker. */
const maxQuickLength = 10_000;

function renderTextQuickly(text: string, quick: Quick): Json | undefined | typeof needsEngine {
  if (!hasTags(text)) return text;
  if (text.length > maxQuickLength) return needsEngine;
  const { variables } = quick;
  if (isSingleExpression(text)) {
    const result = evaluatePath(text, variables);
    if (result?.ok !== true) return needsEngine;
    quick.left -= lengthOf(result.value, quick.left);
    return quick.left < 0 ? needsEngine : (structuredClone(result.value) as Json);
  }
  let isHard = false;
  const result = renderByExpression(text, variables, () => {
    isHard = true;
    return { ok: true, value: "" };
  });
  if (isHard || result === null || !result.ok) return needsEngine;
  quick.left -= lengthOf(result.value, quick.left);
  if (quick.left < 0) return needsEngine;
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

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  useDefaults: true,
  logger: false,
  validateFormats: false,
});
const checks = new WeakMap<Action, ValidateFunction>();

/** Refuses an input that does not match the schema of the action, and fills in its defaults. */
export function checkActionInput(action: Action, input: Record<string, unknown>, place: string): void {
  let check = checks.get(action);
  if (check === undefined) {
    check = ajv.compile(action.input);
    checks.set(action, check);
  }
  if (check(input)) return;
  const errors = (check.errors ?? []).slice(0, 20).map(({ instancePath, message, params }) => ({
    where: instancePath,
    message: `${place}${instancePath.replaceAll("/", ".")} ${message ?? "does not fit"}${unknownKey(params)}`,
  }));
  throw builderFailure("BUILDER_ACTION_INPUT", {
    message: `${action.id} does not take this input: ${errors.map(({ message }) => message).join("; ")}.`,
  });
}

function unknownKey(params: Record<string, unknown>): string {
  const key = params["additionalProperty"];
  return typeof key === "string" ? ` (${key})` : "";
}

/** Rejects when the signal aborts or the time limit passes, even when the action ignores it. */
export async function callAction(action: Action, context: ActionContext, timeoutMs: number): Promise<void> {
  const expired = new AbortController();
  const timer = setTimeout(() => {
    const message = `${action.id} took longer than ${timeoutMs} ms.`;
    expired.abort(builderFailure("BUILDER_STEP_FAILED", { message }));
  }, timeoutMs);
  const signal = AbortSignal.any([context.signal, expired.signal]);
  let stop: () => void = () => {};
  const stopped = new Promise<never>((_, fail) => {
    stop = () => fail(reasonOf(signal));
    signal.addEventListener("abort", stop, { once: true });
  });
  // A late rejection may have no listener.
  stopped.catch(() => {});
  try {
    signal.throwIfAborted();
    await Promise.race([action.run({ ...context, signal }), stopped]);
  } catch (error) {
    // The reason of the abort is more specific than the error that the action made of it.
    if (signal.aborted) throw reasonOf(signal);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

const reasonOf = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new Error("aborted");

/** The message for the user of an error that an action threw; null for a defect, which is only logged. */
export function userMessageOf(error: unknown): string | null {
  if (!(error instanceof Failure)) return null;
  const problems = error.problems.slice(0, 10).map(({ where, message }) => `${where}: ${message}`);
  return [error.message, ...problems].join(" ");
}
