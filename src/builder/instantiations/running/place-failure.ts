/** Pure: says of what an action refuses where in the template it stands. */
import { Failure } from "../../../platform/errors/failure.ts";
import { firstTag } from "../../templates/expressions.ts";
import { textsOf, type Json } from "../../templates/render-input.ts";
import { faultPlace } from "./step-context.ts";

export interface FailedTurn {
  /** `step "fetch", input` */
  place: string;
  /** As the template has it, and as the action got it. */
  template: Json;
  input: Record<string, unknown>;
}

/** Codes of what is wrong with the input, or with what it names. */
const ofInput = new Set(["BUILDER_ACTION_INPUT", "BUILDER_FETCH_FAILED", "BUILDER_STEP_FAILED"]);

/** The same failure with its place before it: the key whose text it quotes, or the step where it quotes none. */
export function placeFailure(error: unknown, { place, template, input }: FailedTurn): unknown {
  if (!(error instanceof Failure) || !ofInput.has(error.code)) return error;
  const quoted = textsOf(input).find(({ text }) => text !== "" && error.message.includes(`"${text}"`));
  const { kind, code, problems, solutions } = error;
  const step = place.split(",", 1)[0] ?? place;
  const at =
    quoted === undefined ? step : faultPlace(place, { ...quoted, ...positionIn(template, quoted.path) });
  return new Failure({ kind, code, message: `${at}: ${error.message}`, problems, solutions, cause: error });
}

/** Of the first tag of a text; its beginning where it has none, or where its list or object came from a tag. */
function positionIn(
  template: Json,
  path: readonly string[],
): { reason: string; line: number; column: number } {
  const own = textsOf(template).find((text) => text.path.join("/") === path.join("/"));
  return { reason: "", ...(own === undefined ? { line: 1, column: 1 } : firstTag(own.text)) };
}
