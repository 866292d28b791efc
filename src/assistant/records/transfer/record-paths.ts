/** Pure: paths of records in an archive, and their keys. */

export type RecordKind = "skill" | "agent" | "external_agent";

export interface RecordPath {
  kind: RecordKind;
  key: string;
}

const patterns: Record<RecordKind, { pattern: RegExp; pathOf: (key: string) => string }> = {
  skill: { pattern: /^skills\/([^/]{1,200})\/SKILL\.md$/, pathOf: (key) => `skills/${key}/SKILL.md` },
  agent: { pattern: /^agents\/([^/]{1,200})\/AGENT\.md$/, pathOf: (key) => `agents/${key}/AGENT.md` },
  external_agent: {
    pattern: /^external-agents\/([^/]{1,200})\.json$/,
    pathOf: (key) => `external-agents/${key}.json`,
  },
};

export const pathOf = ({ kind, key }: RecordPath): string => patterns[kind].pathOf(key);

/** Null for a path of another file. */
export function parseRecordPath(path: string): RecordPath | null {
  for (const kind of ["skill", "agent", "external_agent"] as const) {
    const key = patterns[kind].pattern.exec(path)?.[1];
    if (key !== undefined) return { kind, key };
  }
  return null;
}

const longestKey = 64;

/**
 * A unique key for each record, by its id: its name in lower case, with a number when the key is in use. `taken` are keys of
 * other records.
 */
export function uniqueKeys(
  records: readonly { id: string; name: string }[],
  taken: Iterable<string> = [],
): Map<string, string> {
  const used = new Set(taken);
  const keys = new Map<string, string>();
  for (const { id, name } of records) {
    const plain = keyFrom(name) || `record-${id.slice(-8)}`;
    let key = plain;
    for (let n = 2; used.has(key); n += 1) key = `${plain.slice(0, longestKey - 6).replace(/-$/, "")}-${n}`;
    used.add(key);
    keys.set(id, key);
  }
  return keys;
}

const keyFrom = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, longestKey)
    .replaceAll(/^-+|-+$/g, "");
