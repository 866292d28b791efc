/** Limits of what an evaluation may answer. */
import type { Violation } from "./engine.ts";

const maxErrors = 100;
const maxTextLength = 2_000;

const cut = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;

/** The first errors, with texts of a bounded length; a last one says how many more there are. */
export function cappedErrors(errors: readonly Violation[], total = errors.length): Violation[] {
  const shown = errors.slice(0, maxErrors).map(({ path, message }) => ({
    ...(path === undefined ? {} : { path: cut(path) }),
    message: cut(message),
  }));
  return total > maxErrors
    ? [...shown, { message: `${total - maxErrors} more errors are not shown.` }]
    : shown;
}
