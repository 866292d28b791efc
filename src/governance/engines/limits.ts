/** Limits of what an evaluation may answer. */
import { storable } from "../../platform/lib/safe-json.ts";
import { maskCredentials } from "../../platform/lib/secrets/secret-names.ts";
import type { EngineOutcome, Violation } from "./engine.ts";

const maxErrors = 100;
const maxTextLength = 2_000;

/** Characters of the errors of one batch, of one evaluation, and of one report. */
export const maxErrorsLength = 4 * 1_024 * 1_024;

/** Only so much of a text is looked at; far more than is shown, or a credential could be cut before it is found. */
const maxReadLength = 64 * 1_024;

/**
 * A text of an answer as it is stored and shown: of a bounded length, and without what PostgreSQL cannot store. Messages
 * quote descriptors, and whoever sees the unit reads them, so what looks like a credential is masked.
 */
export function shownText(text: string): string {
  const masked = maskCredentials(text.slice(0, maxReadLength));
  return storable(masked.length > maxTextLength ? `${masked.slice(0, maxTextLength)}…` : masked);
}

/** The first errors, with texts of a bounded length and without credentials; a last one says how many more there are. */
export function cappedErrors(errors: readonly Violation[], total = errors.length): Violation[] {
  const shown = errors.slice(0, maxErrors).map(({ path, message }) => ({
    ...(path === undefined ? {} : { path: shownText(path) }),
    message: shownText(message),
  }));
  return total > maxErrors ? [...shown, notShown(total - maxErrors)] : shown;
}

/**
 * Cuts the errors of one result after the other: those behind the first characters are only counted. What is not cut is
 * returned as it is.
 */
export function errorsWithin(
  length = maxErrorsLength,
): (errors: readonly Violation[]) => readonly Violation[] {
  let left = length;
  return (errors) => {
    const cut = errors.findIndex(({ path = "", message }) => (left -= path.length + message.length) < 0);
    return cut < 0 ? errors : [...errors.slice(0, cut), notShown(countErrors(errors.slice(cut)))];
  };
}

/** The same for outcomes, with the reasons why there is no answer. */
export function outcomesWithin(length?: number): (outcome: EngineOutcome) => EngineOutcome {
  const within = errorsWithin(length);
  return (outcome) => {
    if (!outcome.ok) return { ...outcome, message: within([outcome])[0]?.message ?? "" };
    const errors = within(outcome.errors);
    return errors === outcome.errors ? outcome : { ...outcome, errors };
  };
}

const notShown = (count: number): Violation => ({
  message: count === 1 ? "1 more error is not shown." : `${count} more errors are not shown.`,
});

/** The last error of a list may count those behind it. */
function countErrors(errors: readonly Violation[]): number {
  const [, counted] =
    /^(\d{1,9}) more errors? (?:is|are) not shown\.$/.exec(errors.at(-1)?.message ?? "") ?? [];
  return counted === undefined ? errors.length : errors.length - 1 + Number(counted);
}
