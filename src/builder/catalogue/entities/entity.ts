/** An entity of the catalogue, in the format of Backstage. */
export interface Entity {
  apiVersion: string;
  kind: string;
  metadata: EntityMetadata;
  spec?: Record<string, unknown>;
  relations?: EntityRelation[];
}

export interface EntityMetadata {
  name: string;
  /** `default` when absent. */
  namespace?: string;
  uid?: string;
  etag?: string;
  title?: string;
  description?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  tags?: string[];
  [other: string]: unknown;
}

export interface EntityRelation {
  type: string;
  /** `kind:namespace/name`, all in lower case. */
  targetRef: string;
}
