/** Pure: types of users' records as they are stored, and of what they refer to. */
import type { McpToolRef } from "../../record-schema.ts";

export interface OwnSkill {
  id: string;
  name: string;
  description: string;
  content: string;
  mcpTools: McpToolRef[];
}

export interface OwnAgent {
  id: string;
  name: string;
  label: string;
  description: string;
  instructions: string;
  enabled: boolean;
  isDefault: boolean;
  displayOrder: number;
  mcpTools: McpToolRef[];
}

export interface OwnExternalAgent {
  id: string;
  name: string;
  description: string;
  /** Masked, or opened for users who may edit the agent. */
  endpoint: string;
  payload: Record<string, unknown>;
  needAuthentication: boolean;
  active: boolean;
}

export interface OwnRecords {
  skills: OwnSkill[];
  agents: OwnAgent[];
  externalAgents: OwnExternalAgent[];
  /** Ids of shipped records by key. */
  shippedSkills: Map<string, string>;
  shippedAgents: Map<string, string>;
  orchestrator: string | null;
  /** Skill ids of every agent in their order, including shipped agents. */
  skillsOf: Map<string, string[]>;
}

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
