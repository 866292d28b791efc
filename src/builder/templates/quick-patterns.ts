/**
 * Pure: whether every pattern of a schema matches in linear time. Values with other patterns are checked under a time limit, for which
 * Node.js starts a thread each time: 120 µs of CPU (`node bench/tricks.ts`, 2026-11-29). Leaving it out serves the goal of a fifth of
 * Backstage's CPU per task (bench/peers/backstage.ts).
 */
const character = String.raw`(?:[\w/@:,-]|\\[.dsw/-]|\[\^?(?:[^[\]\\]|\\[.dsw/-])+\])`;
const repetition = String.raw`(?:[+*?]|\{\d{1,4}(?:,\d{0,4})?\})`;
/** A pattern that is anchored at the beginning of the text and has at most one repetition. */
const quickPattern = new RegExp(`^\\^${character}*(?:${character}${repetition})?${character}*\\$?$`);
/** Longest pattern that `quickPattern` is applied to: it backtracks, so its time grows with the square of the length. */
const maxLength = 200;

export const isQuickPattern = (pattern: string): boolean =>
  pattern.length <= maxLength && quickPattern.test(pattern);

/** Looks at `pattern` and `patternProperties` of JSON Schema, and at the `regularExpression` of a form's fields. */
export function hasSlowPattern(schemas: unknown): boolean {
  let found = false;
  JSON.stringify(schemas, (key, value: unknown) => {
    const isPattern = key === "pattern" || key === "regularExpression";
    found ||=
      key === "patternProperties" || (isPattern && typeof value === "string" && !isQuickPattern(value));
    return found ? undefined : value;
  });
  return found;
}
