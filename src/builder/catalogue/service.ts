/** What the rest of the builder asks the catalogue for. */
import type { Db } from "../../platform/db/database.ts";
import type { Entity } from "./entity.ts";
import { normalRef } from "./entity-ref.ts";
import { readEntity } from "./reading/store.ts";

export { registerLocation } from "./locations/service.ts";

/** The entity with that reference, `kind:namespace/name` in any case; the namespace may be left out. */
export async function findEntity(db: Db, ref: string): Promise<Entity | null> {
  const normal = normalRef(ref);
  return normal === null ? null : readEntity(db, normal);
}
