/** Limits of what an evaluation may answer. */
import { storable } from "../../platform/lib/safe-json.ts";
import { maskCredentials } from "../../platform/lib/secrets/secret-names.ts";
import type { Violation } from "./engine.ts";

const maxErrors = 100;
const maxTextLength = 2_000;

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
  return total > maxErrors
    ? [...shown, { message: `${total - maxErrors} more errors are not shown.` }]
    : shown;
}
