/** Pure: answers of a length that a model can take. */

export const longestAnswer = 40_000;

/**
 * The value as JSON of at most `longestAnswer` characters. A longer one loses the ends of its longest lists, with a note of
 * how many there were; if that is not enough, the text is cut, and the note says so.
 */
export function fitToLimit(value: unknown, advice: string, limit = longestAnswer): string {
  const whole = JSON.stringify(value) ?? "null";
  if (whole.length <= limit) return whole;
  for (let keep = 64; keep >= 4; keep = Math.floor(keep / 2)) {
    const shorter = JSON.stringify({
      note: `Long lists are cut. ${advice}`,
      answer: withShortLists(value, keep),
    });
    if (shorter.length <= limit) return shorter;
  }
  const note = `\n… (cut: ${whole.length} characters. ${advice})`;
  return whole.slice(0, limit - note.length) + note;
}

function withShortLists(value: unknown, keep: number): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, keep).map((item) => withShortLists(item, keep));
    return value.length > keep ? [...shown, `… ${value.length - keep} more`] : shown;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withShortLists(item, keep)]));
}
