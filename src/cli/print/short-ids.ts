/** Pure. Ids of one unit share a long beginning; tables name it once. */

export interface ShortIds {
  /** The common prefix, empty when it would not help. */
  prefix: string;
  short: (id: string) => string;
}

/** Cuts at a colon or a dot only, and leaves something of every id. */
export function shortenIds(ids: readonly string[]): ShortIds {
  const prefix = sharedPrefix([...new Set(ids)]);
  return { prefix, short: (id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id) };
}

function sharedPrefix(ids: readonly string[]): string {
  const [first = ""] = ids;
  // A single URN is shown by its last part, with the one before where the last is only a version.
  if (ids.length === 1 && first.startsWith("urn:")) {
    const last = first.lastIndexOf(":");
    const isVersion = /^\d[\w.-]*$/.test(first.slice(last + 1));
    return first.slice(0, (isVersion ? first.lastIndexOf(":", last - 1) : last) + 1);
  }
  if (ids.length < 2) return "";
  let length = 0;
  while (length < first.length && ids.every((id) => id[length] === first[length])) length += 1;
  const shared = first.slice(0, length);
  const at = Math.max(shared.lastIndexOf(":"), shared.lastIndexOf("."));
  const prefix = shared.slice(0, at + 1);
  return ids.some((id) => id === prefix) ? "" : prefix;
}
