/** Pure: an entity as it is stored and returned, made from the document in its location. */
import { createHash } from "node:crypto";
import type { Entity } from "../entity.ts";
import { defaultNamespace } from "../entity-ref.ts";

const managedByAnnotation = "backstage.io/managed-by-location";
const managedByOriginAnnotation = "backstage.io/managed-by-origin-location";
export const orphanAnnotation = "backstage.io/orphan";

export interface EntityOrigin {
  uid: string;
  /** `type:target` of the entity's file, and of the location that it was registered from. */
  managedBy: string;
  origin: string;
  hash: string;
}

/** Without its relations, which are added when it is read. */
export function shownEntity(entity: Entity, { uid, managedBy, origin, hash }: EntityOrigin): Entity {
  const { metadata, spec } = entity;
  const { annotations = {}, namespace, ...rest } = metadata;
  const { [orphanAnnotation]: _orphan, ...own } = annotations;
  return {
    apiVersion: entity.apiVersion,
    kind: entity.kind,
    metadata: {
      ...rest,
      namespace: namespace ?? defaultNamespace,
      annotations: { ...own, [managedByAnnotation]: managedBy, [managedByOriginAnnotation]: origin },
      uid,
      etag: hash.slice(0, 32),
    },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** Changes with every stored part of an entity. */
export function hashEntity(raw: string, managedBy: string, files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash("sha256").update(`${managedBy}\n${raw}`);
  for (const [name, content] of files) hash.update(`\n${name}\n${content.length}\n`).update(content);
  return hash.digest("hex");
}
