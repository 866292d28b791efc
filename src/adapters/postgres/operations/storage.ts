/**
 * Storage: a table with the columns of the data contract. Data is never lost silently: a change that could lose
 * some is refused, and undeploying without `removeData` renames the table to `<table>__kept_<n>`. Deploying the
 * component again puts the kept table back.
 */
import { forgetFillsOf, forgetObject, listObjects, rememberObject } from "../bookkeeping.ts";
import type { KnownObject } from "../bookkeeping.ts";
import { readGrantees, revokeAll, settleUsage } from "../grants.ts";
import { countRows, findRelation, hasRows, readColumns, readDependants } from "../live-schema.ts";
import type { LiveRelation } from "../live-schema.ts";
import { ensureSystemRole } from "../roles.ts";
import type { Session } from "../session.ts";
import type { Owner, Storage } from "../descriptor/component.ts";
import { fitName, quote, quoteRelation, showRelation, stageName } from "../descriptor/identifiers.ts";
import type { RelationName } from "../descriptor/identifiers.ts";
import type { Column } from "../descriptor/types.ts";
import type { Outcome } from "../../kit/protocol.ts";
import { invalid } from "../../kit/descriptor.ts";
import { changeUnderReaders, claim, commentOn, commentOnColumn, dropRelation } from "./objects.ts";
import { needsReadersGone, planTableChanges } from "./table-changes.ts";
import type { TableChange, TablePlan } from "./table-changes.ts";
import { countInfo, placeOf, refuseBlocked } from "./work.ts";
import type { Work } from "./work.ts";

export async function provisionStorage(work: Work, storage: Storage): Promise<Outcome> {
  const { session, log } = work;
  const { owner, relation, columns } = storage;
  const claimed = await claim(work, storage, { kind: "table", key: "table" });
  const { role } = claimed;
  let live = claimed.live;
  const earlier = [claimed.previous, ...claimed.retained].filter((object) => object !== undefined);
  for (const object of live ? [] : earlier) {
    if (!(await findRelation(session, object))) await forgetObject(session, object);
    else {
      await moveTable(work, { from: object, to: relation, owner, role });
      live = await findRelation(session, relation);
      log(
        "INFO",
        `The table ${showRelation(object)} of this component, with its data, is now ${showRelation(relation)}.`,
      );
      break;
    }
  }
  if (live) await changeTable(work, storage, { live, role });
  else {
    await session.asRole(role, () => createTable(session, relation, columns));
    log("INFO", `The table ${showRelation(relation)} was made with ${columns.length} columns.`);
  }
  await session.asRole(role, () => describe(session, storage));
  await rememberObject(session, owner, { ...relation, kind: "table" });
  const count = session.dryRun ? { rows: 0, atLeast: false } : await countRows(session, relation);
  return {
    result: `The table ${showRelation(relation)} is ready.`,
    info: { publicInfo: { ...placeOf(work, relation, "table"), ...countInfo(count) }, privateInfo: { role } },
  };
}

const columnText = (column: Column): string =>
  `${quote(column.name)} ${column.type}${column.notNull ? " NOT NULL" : ""}${column.unique ? " UNIQUE" : ""}`;

async function createTable(session: Session, relation: RelationName, columns: Column[]): Promise<void> {
  const key = columns.filter((column) => column.primaryKey).map((column) => quote(column.name));
  const parts = [...columns.map(columnText), ...(key.length > 0 ? [`PRIMARY KEY (${key.join(", ")})`] : [])];
  await session.query(`CREATE TABLE ${quoteRelation(relation)} (${parts.join(", ")})`);
}

/** Moves and renames in one go; what reads the table goes on reading it. */
async function moveTable(
  { session }: Work,
  { from, to, owner, role }: { from: RelationName; to: RelationName; owner: Owner; role: string },
): Promise<void> {
  await session.asRole(role, async () => {
    let at = from;
    if (at.schema !== to.schema) {
      // A temporary unique name, as the old one may be taken in the new schema.
      const passing = { schema: at.schema, name: stageName(owner.componentId) };
      await session.query(`ALTER TABLE ${quoteRelation(at)} RENAME TO ${quote(passing.name)}`);
      await session.query(`ALTER TABLE ${quoteRelation(passing)} SET SCHEMA ${quote(to.schema)}`);
      at = { schema: to.schema, name: passing.name };
    }
    if (at.name !== to.name)
      await session.query(`ALTER TABLE ${quoteRelation(at)} RENAME TO ${quote(to.name)}`);
  });
  await forgetObject(session, from);
}

async function changeTable(
  work: Work,
  storage: Storage,
  { live, role }: { live: LiveRelation; role: string },
): Promise<void> {
  const { session, log } = work;
  const { owner, pointer } = storage;
  const plan = await planUnderLock(work, storage, { live, role });
  if (plan.problems.length > 0) {
    throw invalid("The table holds data that the new contract could lose.", plan.problems);
  }
  if (plan.changes.length === 0) return;
  const apply = (): Promise<void> =>
    session.asRole(role, async () => {
      for (const change of plan.changes) await applyChange(session, live, change);
    });
  const where = `${pointer}/dataContract/schema`;
  if (plan.changes.some(needsReadersGone))
    await changeUnderReaders(work, { relation: live, owner, role, where }, apply);
  else await apply();
  const added = plan.changes.filter(({ change }) => change === "addColumn").length;
  log(
    "INFO",
    `The table ${showRelation(live)} was changed (${plan.changes.length} changes, ${added} new columns).`,
  );
}

/** Plans as if there were rows; only when that finds problems is the table locked to see whether there are any. */
async function planUnderLock(
  { session }: Work,
  { columns, pointer }: Storage,
  { live, role }: { live: LiveRelation; role: string },
): Promise<TablePlan> {
  const liveColumns = await readColumns(session, live.oid);
  const careful = planTableChanges(liveColumns, columns, { hasRows: true, pointer });
  if (careful.problems.length === 0) return careful;
  const rows = await session.asRole(role, async () => {
    await session.query(`LOCK TABLE ${quoteRelation(live)} IN ACCESS EXCLUSIVE MODE`);
    return hasRows(session, live);
  });
  return rows ? careful : planTableChanges(liveColumns, columns, { hasRows: false, pointer });
}

async function applyChange(session: Session, table: LiveRelation, change: TableChange): Promise<void> {
  const alter = (text: string): Promise<unknown> =>
    session.query(`ALTER TABLE ${quoteRelation(table)} ${text}`);
  if (change.change === "addColumn") {
    await alter(`ADD COLUMN ${columnText({ ...change.column, unique: false })}`);
  } else if (change.change === "setPrimaryKey") {
    await alter(`ADD PRIMARY KEY (${change.names.map(quote).join(", ")})`);
  } else if (change.change === "dropPrimaryKey") {
    for (const name of await constraintNames(session, table, { type: "p" })) {
      await alter(`DROP CONSTRAINT ${quote(name)} RESTRICT`);
    }
  } else {
    const column = quote(change.name);
    if (change.change === "dropColumn") await alter(`DROP COLUMN ${column} RESTRICT`);
    if (change.change === "setNotNull") await alter(`ALTER COLUMN ${column} SET NOT NULL`);
    if (change.change === "dropNotNull") await alter(`ALTER COLUMN ${column} DROP NOT NULL`);
    if (change.change === "addUnique") await alter(`ADD UNIQUE (${column})`);
    if (change.change === "changeType") {
      const using = change.keepValues ? `${column}::${change.type}` : "NULL";
      await alter(`ALTER COLUMN ${column} TYPE ${change.type} USING ${using}`);
    }
    if (change.change === "dropUnique") {
      for (const name of await constraintNames(session, table, { type: "u", column: change.name })) {
        await alter(`DROP CONSTRAINT ${quote(name)} RESTRICT`);
      }
    }
  }
}

async function constraintNames(
  session: Session,
  table: LiveRelation,
  { type, column }: { type: "p" | "u"; column?: string },
): Promise<string[]> {
  const rows = await session.query<{ name: string }>(
    `SELECT k.conname AS name FROM pg_constraint k WHERE k.conrelid = $1::oid AND k.contype = $2
       AND ($3::text IS NULL OR k.conkey = ARRAY(
         SELECT a.attnum FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attname = $3))`,
    [table.oid, type, column ?? null],
  );
  return rows.map((row) => row.name);
}

/** Comments cost a catalogue write each, so only those that differ are set. */
async function describe(session: Session, { relation, columns, description }: Storage): Promise<void> {
  const live = await findRelation(session, relation);
  if (!live) return;
  await session.query(commentOn(live, description));
  const existing = new Map(
    (await readColumns(session, live.oid)).map((column) => [column.name, column.description]),
  );
  for (const { name, description: wanted } of columns) {
    if ((existing.get(name) ?? undefined) !== wanted)
      await session.query(commentOnColumn(relation, name, wanted));
  }
}

/** @param removeData drops the table and those that were kept before; else the table is renamed out of the way. */
export async function unprovisionStorage(
  work: Work,
  { owner, where }: { owner: Owner; where: string },
  removeData: boolean,
): Promise<Outcome> {
  const { session, log } = work;
  const objects = await listObjects(session, owner);
  const role = await ensureSystemRole(session, owner);
  const retainedNames: string[] = [];
  for (const object of objects) {
    if (object.state === "kept" && !removeData) continue;
    const live = await findRelation(session, object);
    await forgetObject(session, object);
    if (!live || live.role !== role) continue;
    await closeToReaders(session, live);
    if (removeData) {
      await dropRelation(session, live, { role, where });
      await forgetFillsOf(session, live.oid);
      log("INFO", `The table ${showRelation(live)} was dropped with its data.`);
    } else {
      const retained = await keepTable(work, { owner, role, where }, { object, live });
      retainedNames.push(retained.name);
      log("INFO", `The table ${showRelation(live)} was kept as ${showRelation(retained)}.`);
    }
  }
  if (objects.length === 0) log("INFO", "There was nothing to undeploy.");
  const result =
    retainedNames.length > 0
      ? `The data is kept as ${retainedNames.join(", ")}.`
      : "Nothing of it is deployed.";
  return {
    result,
    info: { publicInfo: retainedNames.length > 0 ? { keptTable: retainedNames.join(", ") } : {} },
  };
}

export async function closeToReaders(session: Session, live: LiveRelation): Promise<void> {
  const grantees = await readGrantees(session, live.oid);
  await revokeAll(session, live, grantees);
  await settleUsage(session, live.schema, grantees);
}

async function keepTable(
  { session }: Work,
  { owner, role, where }: { owner: Owner; role: string; where: string },
  { object, live }: { object: KnownObject; live: LiveRelation },
): Promise<RelationName> {
  const dependants = await readDependants(session, live.oid);
  if (dependants.length > 0) throw refuseBlocked(live, where, dependants);
  let counter = 1;
  const candidate = (): RelationName => ({
    schema: object.schema,
    name: fitName(object.name, `__kept_${counter}`),
  });
  while (await findRelation(session, candidate())) counter += 1;
  const retained = candidate();
  await session.asRole(role, () =>
    session.query(`ALTER TABLE ${quoteRelation(live)} RENAME TO ${quote(retained.name)}`),
  );
  await rememberObject(session, owner, { ...retained, kind: "table", state: "kept" });
  return retained;
}
