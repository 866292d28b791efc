/** Pure: adds to the error of an action the place in the template that caused it. */
import { Failure } from "../../../platform/errors/failure.ts";
import { firstTag } from "../../templates/expressions.ts";
import { textsOf, type Json } from "../../templates/render-input.ts";
import { faultPlace } from "./step-context.ts";

export interface FailedInput {
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
