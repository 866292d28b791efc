/** Lookups in the catalogue for the rest of the builder. */
import type { Db } from "../../platform/db/database.ts";
import { type Entity, normalRef } from "../entity.ts";
import { listTargets, readEntity } from "./store.ts";

export { registerLocation, type NewRegistration } from "./locations/service.ts";

/** The entity with that reference, `kind:namespace/name` in any case; the namespace may be omitted. */
export async function findEntity(db: Db, ref: string): Promise<Entity | null> {
  const normal = normalRef(ref);
  return normal === null ? null : readEntity(db, normal);
}

/** Maximum number of groups of one person that count, nearest first. */
const maxGroups = 200;
/** Maximum number of levels of nested groups that count. */
const maxLevels = 10;

/**
 * The groups that a user is a member of and their parent groups, nearest first, in lower case. Circular
 * memberships are followed once.
 */
export async function groupsOf(db: Db, userRef: string): Promise<string[]> {
  const found = new Set<string>();
  let level = await listTargets(db, { refs: [userRef], type: "memberOf", limit: maxGroups });
  for (let depth = 0; level.length > 0 && depth <= maxLevels && found.size < maxGroups; depth += 1) {
    for (const ref of level.slice(0, maxGroups - found.size)) found.add(ref);
    const above = await listTargets(db, { refs: level, type: "childOf", limit: maxGroups });
    level = above.filter((ref) => !found.has(ref));
  }
  return [...found];
}
