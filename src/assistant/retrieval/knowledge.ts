/** What can be searched, and how it is told to the index. */
import type { PolicyId } from "../../platform/auth/policy.ts";

export const documentKinds = ["skill", "tool", "entity", "descriptor", "page"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Whoever may read a kind where it comes from may find it. */
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
  /** By what a reader finds it. */
  reference: string;
}

/** One skill, tool, entity, descriptor or page. */
export interface KnowledgeRecord {
  key: string;
  /** Names by which people look for it: they weigh more than the text. */
  names: readonly string[];
  /** One at least. */
  passages: readonly Passage[];
}

/** Where records of one kind come from. */
export interface KnowledgeSource {
  kind: DocumentKind;
  /** Another text once something may have changed; costs next to nothing. Null: nothing changes while the process runs. */
  mark(): Promise<string | null>;
  /** By key, a text that is another one whenever the record has changed. */
  versions(): Promise<ReadonlyMap<string, string>>;
  /** Those that there still are. */
  read(keys: readonly string[]): Promise<KnowledgeRecord[]>;
}
