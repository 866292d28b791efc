/** Pure. What a database says of itself to an upgrade. */
export interface AccessFacts {
  /** Before the migration: rows on components that do not say that they are consumable. Null after it. */
  toMove: number | null;
  /** After it: rows without a consumable part. Null before it. */
  unresolved: UnresolvedAccess[] | null;
  /** Components whose access the migration changed and no access request has brought to the infrastructure since. */
  toSync: AccessToSync[];
}

export interface UnresolvedAccess {
  environment: string;
  componentId: string;
  identities: number;
}

export interface AccessToSync {
  unitId: string;
  environment: string;
  componentId: string;
  /** All who have access now; empty for a component that is not consumable. */
  identities: string[];
  /** Requests of an upgrade for it that failed. */
  failed: number;
}

export type SchemaState = "missing" | "elsewhere" | "foreign" | "ours";

export interface DatabaseFacts {
  service: string;
  /** First part of its variables. */
  variables: string;
  dbname: string;
  schema: string;
  state: SchemaState;
  /** Schemas that hold the service's tables, where its own is empty. */
  elsewhere: string[];
  /** Why the schema is refused. */
  refusal: string | null;
  applied: { name: string; checksum: string }[];
  /** Migrations that this program brings and the database lacks. */
  open: string[];
  /** Those whose text was another one. */
  changed: string[];
  /** Newer than this program. */
  unknown: string[];
  /** Tables and views of the schema that no migration made. */
  others: string[];
  access: AccessFacts | null;
  catalogue: { hasTaxonomy: boolean; hasAccessTemplates: boolean } | null;
}
