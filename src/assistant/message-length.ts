/** Pure: how long what a user says may be, wherever it comes in. */

export const longestMessage = 10_000;

/** Counts characters as a schema does: whole ones, not the halves of surrogate pairs. */
export function isTooLong(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= longestMessage; count += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count > longestMessage;
}
