/** The kinds of records that are searched, and the interface of their sources. */
import type { PolicyId } from "../../platform/auth/policy.ts";

export const documentKinds = ["skill", "tool", "entity", "descriptor", "page"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** The rule that allows finding records of a kind: the one that allows reading them. */
export const ruleOfKind: Readonly<Record<DocumentKind, PolicyId>> = {
  skill: "readAssistant",
  tool: "readAssistant",
  entity: "readCatalogue",
  descriptor: "listResources",
  page: "readAssistant",
};

export interface Passage {
  title: string;
  text: string;
  /** What a reader finds it by, see the wire schema. */
  reference: string;
}

/** One skill, tool, entity, descriptor or page. */
export interface KnowledgeRecord {
  key: string;
  /** Names that people search by; they weigh more than the text. */
  names: readonly string[];
  /** At least one. */
  passages: readonly Passage[];
}

/** A source of records of one kind. */
export interface KnowledgeSource {
  kind: DocumentKind;
  /** A text that differs once something may have changed; cheap to read. Null when nothing changes while the process runs. */
  mark(): Promise<string | null>;
  /** The version of each record by key; it differs whenever the record has changed. */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** The records that still exist. */
  read(keys: readonly string[]): Promise<KnowledgeRecord[]>;
}
