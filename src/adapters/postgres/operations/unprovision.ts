/** Undeploying: removes every recorded object of a component, whatever its descriptor says now. */
import type { Outcome } from "../../kit/protocol.ts";
import { findFill, forgetFill, forgetObject, listObjects } from "../bookkeeping.ts";
import { countRows, findRelation } from "../live-schema.ts";
import { ensureSystemRole } from "../roles.ts";
import type { Owner } from "../descriptor/component.ts";
import { quoteRelation, showRelation } from "../descriptor/identifiers.ts";
import { dropRelation, lockComponent, lockRows } from "./objects.ts";
import { closeToReaders, unprovisionStorage } from "./storage.ts";
import type { Work } from "./work.ts";

export interface Undeployment {
  owner: Owner;
  /** JSON pointer of the component, for refusals. */
  where: string;
  removeData: boolean;
}

/** @returns the outcome and the schemas that may be empty now. */
export async function unprovision(
  work: Work,
  undeployment: Undeployment,
): Promise<{ outcome: Outcome; schemas: string[] }> {
  const { session, log } = work;
  const { owner, where, removeData } = undeployment;
  await lockComponent(session, owner);
  const objects = await listObjects(session, owner);
  const schemas = [...new Set(objects.map((object) => object.schema))].sort();
  for (const schema of schemas) await session.lock(`schema:${schema}`, "shared");
  for (const { schema, name } of objects) await session.lock(`object:${schema}.${name}`);
  if (objects.some((object) => object.kind === "table")) {
    return { outcome: await unprovisionStorage(work, { owner, where }, removeData), schemas };
  }
  const role = await ensureSystemRole(session, owner);
  for (const object of objects) {
    const live = await findRelation(session, object);
    if (live?.role === role) {
      await closeToReaders(session, live);
      await dropRelation(session, live, { role, where });
      log(
        "INFO",
        `The ${live.kind} ${showRelation(live)} was dropped; it can be made again from its source.`,
      );
    }
    await forgetObject(session, object);
  }
  const filled = await undoFill(work, undeployment, role);
  if (objects.length === 0 && !filled) log("INFO", "There was nothing to undeploy.");
  return { outcome: { result: "Nothing of it is deployed.", info: { publicInfo: {} } }, schemas };
}

/**
 * The rows of a workload of mode once live in a table of a storage component. They stay, and so does the marker
 * that it ran, unless the data is to go and the table holds just what the workload wrote.
 */
async function undoFill(work: Work, { owner, removeData }: Undeployment, role: string): Promise<boolean> {
  const { session, log } = work;
  const fill = await findFill(session, owner);
  if (!fill) return false;
  const [target] = await session.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid = $1::oid AND c.relkind IN ('r', 'p') AND pg_get_userbyid(c.relowner) = $2`,
    [fill.targetOid, role],
  );
  if (!target) {
    await forgetFill(session, owner);
    return true;
  }
  if (!removeData) {
    log(
      "INFO",
      `The rows in ${showRelation(target)} stay; deploying the workload again will not add them twice.`,
    );
    return true;
  }
  await lockRows(session, target, role);
  const now = await countRows(session, target);
  if (now.atLeast || now.rows !== Number(fill.rows)) {
    log("WARNING", `${showRelation(target)} holds other rows than this workload wrote; none were removed.`);
    return true;
  }
  await session.asRole(role, () => session.query(`DELETE FROM ${quoteRelation(target)}`));
  await forgetFill(session, owner);
  log("INFO", `The ${now.rows} rows of ${showRelation(target)} were removed.`);
  return true;
}
