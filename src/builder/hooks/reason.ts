/** Pure: the reason that a third party gives for its answer. */

/** Field names that ticket systems use for it, the most explicit first. */
const names = ["reason", "message", "comment", "comments", "note", "description", "error"];
const longest = 2_000;

/** The first text under one of these names, in any case; null when the answer contains none. */
export function reasonIn(hookInfo: object | undefined): string | null {
  const entries = Object.entries(hookInfo ?? {}).map(([name, value]): [string, unknown] => [
    name.toLowerCase(),
    value,
  ]);
  for (const name of names) {
    const found = entries.find(
      ([key, value]) => key === name && typeof value === "string" && value.trim() !== "",
    );
    if (found !== undefined) return String(found[1]).trim().slice(0, longest);
  }
  return null;
}
