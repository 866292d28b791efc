/**
 * Pure: whether the patterns of a schema are matched in a time that grows with the length of the text alone. Node.js limits the time
 * of others by a thread that is made for each check. It serves the goal of a fifth of Backstage's CPU per task
 * (bench/peers/backstage.ts): a check that is limited costs 120 µs, another one none of them (`node bench/tricks.ts`, 2026-11-29).
 */
const character = String.raw`(?:[\w/@:,-]|\\[.dsw/-]|\[\^?(?:[^[\]\\]|\\[.dsw/-])+\])`;
const repetition = String.raw`(?:[+*?]|\{\d{1,4}(?:,\d{0,4})?\})`;
/** From the beginning of the text, with one repetition at most. */
const quickPattern = new RegExp(`^\\^${character}*(?:${character}${repetition})?${character}*\\$?$`);
/** Of what is tested with the expression above, which takes the square of it. */
const maxLength = 200;

export const isQuickPattern = (pattern: string): boolean =>
  pattern.length <= maxLength && quickPattern.test(pattern);

/** Also the patterns that a form gives for its fields. */
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
