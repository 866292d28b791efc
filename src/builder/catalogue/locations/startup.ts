/**
 * Registers the default locations: once, by one process, and only those that an installation lacks. A
 * location that a user unregisters later is not registered again, because completed actions are recorded.
 */
import { writeAudit } from "../../context.ts";
import { inTransaction, type Database, type Db } from "../../../platform/db/database.ts";
import { systemActor } from "../../../platform/lib/actor.ts";
import { newId } from "../../../platform/lib/ids.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { insertLocation } from "./store.ts";
import { locationRef, type LocationTarget } from "../sources/target.ts";
import { claimAction, hasEntityOfKind, hasLocationOfOthers, noteAction } from "./startup-store.ts";

export interface StartupLocations {
  practiceShaperLocations: readonly LocationTarget[];
  accessRequestLocations: readonly LocationTarget[];
  locations: readonly LocationTarget[];
}

interface StartupAction {
  name: string;
  locations: readonly LocationTarget[];
  /** Whether the installation already has what the action would add. */
  isThere: (db: Db) => Promise<boolean>;
}

/** The actions in the order of registration: the general locations first. */
const actionsOf = (locations: StartupLocations): StartupAction[] => [
  {
    name: "catalog.locations",
    locations: locations.locations,
    isThere: (db) => hasLocationOfOthers(db, systemActor.ref),
  },
  {
    name: "catalog.practiceShaperLocations",
    locations: locations.practiceShaperLocations,
    isThere: (db) => hasEntityOfKind(db, "taxonomy"),
  },
  {
    name: "catalog.accessRequestLocations",
    locations: locations.accessRequestLocations,
    isThere: (db) => hasEntityOfKind(db, "accesscontrolrequesttemplate"),
  },
];

/** Workers read the locations registered here; an action with an empty list is left for a later start. */
export async function runStartupActions(
  ctx: RequestContext,
  { database, locations }: { database: Database; locations: StartupLocations },
): Promise<void> {
  for (const action of actionsOf(locations)) {
    if (action.locations.length === 0) continue;
    await inTransaction(database, (tx) => runAction(ctx, tx, action));
  }
}

async function runAction(ctx: RequestContext, tx: Db, action: StartupAction): Promise<void> {
  const at = ctx.now();
  if (!(await claimAction(tx, action.name, at))) return;
  const registered: string[] = [];
  if (!(await action.isThere(tx))) {
    for (const { type, target } of action.locations) {
      const registeredBy = systemActor.ref;
      const location = { id: newId(), type, target, registeredBy, bringsPeople: true, at, nextRefreshAt: at };
      if (!(await insertLocation(tx, location))) continue;
      registered.push(locationRef(location));
      await writeAudit(tx, ctx, {
        operation: "registerLocation",
        subject: `location:${locationRef(location)}`,
      });
    }
  }
  await noteAction(tx, action.name, { registered });
  ctx.log.info({ action: action.name, registered }, "a startup action is done");
}
