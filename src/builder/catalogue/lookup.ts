/** Lookups in the catalogue for the rest of the builder. */
import type { Db } from "../../platform/db/database.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { type Entity, normalRef, refOf } from "../entity.ts";
import { isOrphan } from "./locations/write-reading.ts";
import { listTargets, readEntities, readEntity } from "./store.ts";

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

/** The people of a group and of the groups within it, in lower case. */
async function membersOf(db: Db, groupRef: string): Promise<string[]> {
  const found = new Set<string>();
  const groups = new Set<string>([groupRef]);
  let level = [groupRef];
  for (let depth = 0; level.length > 0 && depth <= maxLevels && found.size < maxMembers; depth += 1) {
    const limit = maxMembers - found.size;
    for (const ref of await listTargets(db, { refs: level, type: "hasMember", limit })) found.add(ref);
    const within = await listTargets(db, { refs: level, type: "parentOf", limit: maxGroups });
    level = within.filter((ref) => !groups.has(ref));
    for (const ref of level) groups.add(ref);
  }
  return [...found];
}

/** Maximum number of people of one group that are written to. */
const maxMembers = 500;

export interface Contact {
  ref: string;
  email: string | null;
  members: string[];
}

/** How people and groups can be reached, by the reference as it is given; those that the catalogue has, without orphans. */
export async function readContacts(db: Db, refs: readonly string[]): Promise<Map<string, Contact>> {
  const normal = new Map(refs.map((ref) => [ref, normalRef(ref)]));
  const wanted = new Set([...normal.values()].filter((ref) => ref !== null));
  const entities = await readEntities(db, [...wanted]);
  const contacts = new Map<string | null, Contact>();
  for (const entity of entities) {
    if (isOrphan(entity)) continue;
    const ref = refOf(entity);
    const profile = entity.spec?.["profile"];
    const email = isRecord(profile) ? profile["email"] : undefined;
    contacts.set(ref, {
      ref,
      email: typeof email === "string" && email.trim() !== "" ? email.trim() : null,
      members: ref.startsWith("group:") ? await membersOf(db, ref) : [],
    });
  }
  return new Map(
    [...normal].flatMap(([given, ref]) => {
      const contact = contacts.get(ref);
      return contact === undefined ? [] : [[given, contact] as const];
    }),
  );
}
