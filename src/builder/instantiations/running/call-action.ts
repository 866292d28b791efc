/** Calls an action with its context and a time limit. */
import { Ajv, type ValidateFunction } from "ajv";
import type { Action, ActionContext } from "../../actions/action.ts";
import { builderFailure } from "../../errors.ts";
import { Failure } from "../../../platform/errors/failure.ts";

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
