/** An entity of the catalogue with the parts that pages read: its document leaves them open. */
export interface Entity {
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    title?: string;
    description?: string;
    uid?: string;
    tags?: string[];
  };
  spec?: Record<string, unknown>;
  relations?: { type: string; targetRef: string }[];
}

/** A query may ask for some fields alone, so its items are open; these callers ask for whole entities. */
export const entitiesOf = (items: readonly object[]): Entity[] => items as Entity[];

/** `kind:namespace/name`, all in the catalogue's letters. */
export const referenceOf = ({ kind, metadata }: Entity): string =>
  `${kind.toLowerCase()}:${metadata.namespace ?? "default"}/${metadata.name}`;

export const titleOf = ({ metadata }: Entity): string => metadata.title ?? metadata.name;

/** The parts of a reference; what is missing is the catalogue's default. */
export const entityPath = (reference: string): { kind: string; namespace: string; name: string } => {
  const found = /^([^:]+):(?:([^/]+)\/)?(.+)$/.exec(reference) ?? [];
  const [, kind = "component", namespace = "default", name = reference] = found;
  return { kind, namespace, name };
};
