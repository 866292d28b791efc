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

// References to entities, `kind:namespace/name`.

export const defaultNamespace = "default";

export interface EntityRef {
  kind: string;
  namespace: string;
  name: string;
}

/** A longer text is not a reference; this limits what is looked up and shown. */
const maxRefChars = 512;

interface RefDefaults {
  kind?: string;
  namespace?: string;
}

/** The parts of a reference; null for a text that is not one, or that omits a part without a default. */
export function parseEntityRef(text: string, defaults: RefDefaults = {}): EntityRef | null {
  const match =
    text.length > maxRefChars ? null : /^(?:([^:/]+):)?(?:([^:/]+)\/)?([^:/]+)$/.exec(text.trim());
  const kind = match?.[1] ?? defaults.kind;
  const name = match?.[3];
  if (kind === undefined || name === undefined) return null;
  return { kind, namespace: match?.[2] ?? defaults.namespace ?? defaultNamespace, name };
}

/** The canonical text of a reference, in lower case. */
export const stringifyRef = ({ kind, namespace, name }: EntityRef): string =>
  `${kind}:${namespace}/${name}`.toLowerCase();

/** The canonical text of a reference given as text; null when it is not a reference. */
export function normalRef(text: string, defaults: RefDefaults = {}): string | null {
  const ref = parseEntityRef(text, defaults);
  return ref && stringifyRef(ref);
}

export const refOf = ({ kind, metadata }: Entity): string =>
  stringifyRef({ kind, namespace: metadata.namespace ?? defaultNamespace, name: metadata.name });
