/** Limits of what an evaluation may answer. */
import { maskCredentials } from "../../platform/lib/secrets/secret-names.ts";
import type { Violation } from "./engine.ts";

const maxErrors = 100;
const maxTextLength = 2_000;

/** Messages quote descriptors, and whoever sees the unit reads them: what looks like a credential is masked. */
const cut = (text: string): string =>
  maskCredentials(text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text);

/** The first errors, with texts of a bounded length and without credentials; a last one says how many more there are. */
export function cappedErrors(errors: readonly Violation[], total = errors.length): Violation[] {
  const shown = errors.slice(0, maxErrors).map(({ path, message }) => ({
    ...(path === undefined ? {} : { path: cut(path) }),
    message: cut(message),
  }));
  return total > maxErrors
    ? [...shown, { message: `${total - maxErrors} more errors are not shown.` }]
    : shown;
}
