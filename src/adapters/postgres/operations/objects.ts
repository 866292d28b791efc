/** Claims the name of an object, replaces it under the views that read it, and removes what is left of it. */
import { findObject, forgetSchema, listObjects, rememberObject, rememberSchema } from "../bookkeeping.ts";
import type { KnownObject } from "../bookkeeping.ts";
import { grantSelect, readReaders } from "../grants.ts";
import { findRelation, readColumns, readDependants } from "../live-schema.ts";
import type { LiveRelation, RelationKind } from "../live-schema.ts";
import { ensureSystemRole } from "../roles.ts";
import { Restart } from "../session.ts";
import type { Session } from "../session.ts";
import type { Declared, Owner } from "../descriptor/component.ts";
import { quote, quoteLiteral, quoteRelation, sameRelation, showRelation } from "../descriptor/identifiers.ts";
import type { RelationName } from "../descriptor/identifiers.ts";
import { refuse, refuseBlocked } from "./work.ts";
import type { Work } from "./work.ts";

export interface Claim {
  /** The role that owns the system's objects. */
  role: string;
  /** The live relation of the wanted name; it is the component's own. */
  live: LiveRelation | undefined;
  /** The adapter's record of the object of the wanted name. */
  known: KnownObject | undefined;
  /** The component's live object under another name, from an earlier version of its descriptor. */
  previous: KnownObject | undefined;
  /** Tables that earlier undeployments of the component kept, the newest first. */
  retained: KnownObject[];
}

/**
 * Locks the component and its object, creates the schema and the role, and refuses a name that belongs to
 * others. @param key the field of `specific` that names the object.
 */
export async function claim(
  { session }: Work,
  declared: Declared,
  { kind, key }: { kind: RelationKind; key: string },
): Promise<Claim> {
  const { owner, relation, pointer } = declared;
  await lockComponent(session, owner);
  const role = await ensureSystemRole(session, owner);
  await ensureSchema(session, relation.schema, role);
  await session.lock(`object:${relation.schema}.${relation.name}`);
  const where = `${pointer}/specific/${key}`;
  const live = await findRelation(session, relation);
  const known = await findObject(session, relation);
  if (live) assertOwn(live, known, { owner, role, where });
  const objects = await listObjects(session, owner);
  const previous = objects.find((object) => object.state === "live" && !sameRelation(object, relation));
  const before = live ?? previous;
  if (before && before.kind !== kind && [before.kind, kind].includes("table")) {
    const message = `${showRelation(before)} of this component is a ${before.kind}, not a ${kind}`;
    throw refuse(where, message, "Undeploy the component first, then deploy it with its new kind.");
  }
  return { role, live, known, previous, retained: objects.filter((object) => object.state === "kept") };
}

export const lockComponent = (session: Session, owner: Owner): Promise<void> =>
  session.lock(`component:${owner.environment} ${owner.componentId.toLowerCase()}`);

/**
 * From now on nobody else changes the table's rows until the transaction ends, so that what is counted is what is deleted. Does nothing in
 * a dry run, which must block no other transaction.
 */
export async function lockRows(session: Session, relation: RelationName, role: string): Promise<void> {
  if (session.dryRun) return;
  await session.asRole(role, () =>
    session.query(`LOCK TABLE ${quoteRelation(relation)} IN SHARE ROW EXCLUSIVE MODE`),
  );
}

/**
 * An object is the component's own when the adapter created it for the component and it has not been
 * replaced.
 */
function assertOwn(
  live: LiveRelation,
  known: KnownObject | undefined,
  { owner, role, where }: { owner: Owner; role: string; where: string },
): void {
  const name = showRelation(live);
  if (!known) {
    const message = `${name} exists and was not made by this adapter`;
    throw refuse(where, message, "Choose another name, or let the operator of the database move it away.");
  }
  if (!isSameOwner(known, owner)) {
    const message = `${name} belongs to component ${known.componentId} in environment ${known.environment}`;
    throw refuse(where, message, "Choose another schema or name for this component or environment.");
  }
  if (live.role !== role) {
    const message = `${name} was replaced by something that this adapter did not make`;
    throw refuse(where, message, "Let the operator of the database move it away.");
  }
}

export const isSameOwner = (known: KnownObject, owner: Owner): boolean =>
  known.environment === owner.environment &&
  known.componentId.toLowerCase() === owner.componentId.toLowerCase();

/**
 * Creates the schema where it is missing and grants it to the role. Transactions that only use the schema
 * hold its lock shared, those that create, drop or grant on it hold it exclusively; so parallel components do
 * not wait for each other.
 */
async function ensureSchema(session: Session, schema: string, role: string): Promise<void> {
  const lock = `schema:${schema}`;
  const before = await schemaState(session, schema, role);
  await session.lock(lock, before === "ready" ? "shared" : "exclusive");
  const state = await schemaState(session, schema, role);
  if (state === "ready") return;
  if (before === "ready") throw new Restart();
  if (state === "missing") {
    await session.query(`CREATE SCHEMA ${quote(schema)}`);
    await rememberSchema(session, schema);
  }
  await session.lock(`grants:${schema}`);
  await session.query(`GRANT USAGE, CREATE ON SCHEMA ${quote(schema)} TO ${quote(role)}`);
}

async function schemaState(
  session: Session,
  schema: string,
  role: string,
): Promise<"missing" | "closed" | "ready"> {
  const [row] = await session.query<{ ready: boolean }>(
    `SELECT has_schema_privilege($2, oid, 'USAGE') AND has_schema_privilege($2, oid, 'CREATE') AS ready
     FROM pg_namespace WHERE nspname = $1`,
    [schema, role],
  );
  if (!row) return "missing";
  return row.ready ? "ready" : "closed";
}

/** Drops a schema that the adapter made once nothing is left in it. Runs in a transaction of its own. */
export async function tidySchema(session: Session, schema: string): Promise<void> {
  await session.lock(`schema:${schema}`);
  const [row] = await session.query<{ empty: boolean }>(
    `SELECT NOT EXISTS (SELECT 1 FROM pg_depend WHERE refclassid = 'pg_namespace'::regclass AND refobjid = n.oid) AS empty
     FROM pg_namespace n WHERE nspname = $1`,
    [schema],
  );
  if (row?.empty === false) return;
  const ours = await forgetSchema(session, schema);
  if (ours && row) await session.query(`DROP SCHEMA ${quote(schema)} RESTRICT`);
}

export const kindWord = (kind: RelationKind): string => kind.toUpperCase();

/** Drops a relation when no view reads it. */
export async function dropRelation(
  session: Session,
  relation: LiveRelation,
  { role, where }: { role: string; where: string },
): Promise<void> {
  const dependants = await readDependants(session, relation.oid);
  if (dependants.length > 0) throw refuseBlocked(relation, where, dependants);
  await session.asRole(role, () =>
    session.query(`DROP ${kindWord(relation.kind)} ${quoteRelation(relation)} RESTRICT`),
  );
}

interface SavedView {
  view: LiveRelation;
  known: KnownObject;
  text: string;
  comments: string[];
  readers: string[];
}

/**
 * Runs a change that PostgreSQL refuses while views read the relation: views of the same system are dropped
 * before and created again after, with their comments and readers. Views of others block the change.
 */
export async function changeUnderReaders<T>(
  { session, log }: Work,
  { relation, owner, role, where }: { relation: LiveRelation; owner: Owner; role: string; where: string },
  change: () => Promise<T>,
): Promise<T> {
  const saved: SavedView[] = [];
  const visit = async (oid: string): Promise<void> => {
    for (const view of await readDependants(session, oid)) {
      if (saved.some((each) => each.view.oid === view.oid)) continue;
      const known = await findObject(session, view);
      const same =
        known?.unitId.toLowerCase() === owner.unitId.toLowerCase() && known.environment === owner.environment;
      if (!known || !same || view.role !== role) throw refuseBlocked(relation, where, [view]);
      await visit(view.oid);
      saved.push({ view, known, ...(await saveView(session, view)) });
    }
  };
  await visit(relation.oid);
  // A view that another reads was visited after it, so this order drops readers first.
  for (const { view } of saved) {
    await session.asRole(role, () =>
      session.query(`DROP ${kindWord(view.kind)} ${quoteRelation(view)} RESTRICT`),
    );
  }
  const result = await change();
  for (const { view, known, text, comments, readers } of saved.toReversed()) {
    await session.asRole(role, async () => {
      const data = view.kind === "materialized view" && session.dryRun ? " WITH NO DATA" : "";
      await session.query(`CREATE ${kindWord(view.kind)} ${quoteRelation(view)} AS ${text}${data}`);
      for (const comment of comments) await session.query(comment);
    });
    await grantSelect(session, view, readers);
    await rememberObject(session, known, { ...known, definition: known.definition ?? "" });
    log(
      "INFO",
      `The ${view.kind} ${showRelation(view)} was made anew over the changed ${showRelation(relation)}.`,
    );
  }
  return result;
}

async function saveView(
  session: Session,
  view: LiveRelation,
): Promise<{ text: string; comments: string[]; readers: string[] }> {
  const [row] = await session.query<{ text: string; comment: string | null }>(
    `SELECT pg_get_viewdef($1::oid) AS text, obj_description($1::oid, 'pg_class') AS comment`,
    [view.oid],
  );
  const columns = await readColumns(session, view.oid);
  const comments = [
    ...(row?.comment == null ? [] : [commentOn(view, row.comment)]),
    ...columns.flatMap(({ name, description }) =>
      description === null ? [] : [commentOnColumn(view, name, description)],
    ),
  ];
  return {
    text: row?.text.replace(/;\s*$/, "") ?? "",
    comments,
    readers: await readReaders(session, view.oid),
  };
}

const commentText = (text: string | undefined): string => (text === undefined ? "NULL" : quoteLiteral(text));

export const commentOn = (
  relation: LiveRelation | (RelationName & { kind: RelationKind }),
  text?: string,
): string => `COMMENT ON ${kindWord(relation.kind)} ${quoteRelation(relation)} IS ${commentText(text)}`;

export const commentOnColumn = (relation: RelationName, column: string, text?: string): string =>
  `COMMENT ON COLUMN ${quoteRelation(relation)}.${quote(column)} IS ${commentText(text)}`;
