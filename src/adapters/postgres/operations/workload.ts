/**
 * Workloads: the descriptor's SQL, run once into a table of the same system or kept as a materialised view.
 * The SQL is untrusted. In both modes it runs only as `CREATE MATERIALIZED VIEW … AS ( … )`, as the system's role:
 * there PostgreSQL allows one SELECT, no data-modifying WITH, and no change of role or session. The connection is
 * closed afterwards. What stays open to it: time and disk up to the statement timeout, and reading the catalogue.
 */
import { createHash } from "node:crypto";

import { DatabaseError } from "pg";

import { invalid } from "../../kit/descriptor.ts";
import type { Outcome } from "../../kit/protocol.ts";
import {
  findFill,
  findObject,
  forgetFill,
  forgetObject,
  listObjects,
  listOtherFills,
  rememberFill,
  rememberObject,
} from "../bookkeeping.ts";
import { namedIn, refusalOf } from "../errors.ts";
import { grantSelect, readReaders } from "../grants.ts";
import { countRows, findRelation, readColumns, readForbiddenSources } from "../live-schema.ts";
import type { LiveRelation } from "../live-schema.ts";
import { ensureSystemRole } from "../roles.ts";
import type { Session } from "../session.ts";
import type { Workload } from "../descriptor/component.ts";
import { quote, quoteRelation, showRelation, stageName } from "../descriptor/identifiers.ts";
import type { RelationName } from "../descriptor/identifiers.ts";
import { changeUnderReaders, claim, dropRelation, lockComponent, lockRows } from "./objects.ts";
import { countInfo, missingSource, placeOf, refuse } from "./work.ts";
import type { Work } from "./work.ts";

export const provisionWorkload = (work: Work, workload: Workload): Promise<Outcome> =>
  workload.mode === "once" ? runOnce(work, workload) : keepMaterialized(work, workload);

const definitionOf = (...parts: string[]): string =>
  createHash("sha256").update(parts.join("\0")).digest("hex");

async function keepMaterialized(work: Work, workload: Workload): Promise<Outcome> {
  const { session, log } = work;
  const { owner, relation, pointer } = workload;
  const { role, live, known, previous } = await claim(work, workload, {
    kind: "materialized view",
    key: "target",
  });
  const where = `${pointer}/specific/target`;
  const definition = definitionOf(workload.sqlText);
  if (!live) {
    await createMaterialized(work, workload, { role, relation });
    log("INFO", `The materialised view ${showRelation(relation)} was made.`);
  } else if (known?.definition === definition) {
    if (!session.dryRun) {
      session.tainted = true;
      await session.asRole(role, () => session.query(`REFRESH MATERIALIZED VIEW ${quoteRelation(relation)}`));
    }
    log("INFO", `The materialised view ${showRelation(relation)} was refreshed.`);
  } else {
    await replaceMaterialized(work, workload, { role, live, where });
    log("INFO", `The materialised view ${showRelation(relation)} was made anew, as its SQL has changed.`);
  }
  await rememberObject(session, owner, { ...relation, kind: "materialized view", definition });
  await dropPrevious(session, previous, { role, where });
  await forgetFill(session, owner);
  const count = session.dryRun ? { rows: 0, atLeast: false } : await countRows(session, relation);
  return {
    result: `The materialised view ${showRelation(relation)} holds ${count.rows} rows.`,
    info: { publicInfo: { ...placeOf(work, relation, "view"), ...countInfo(count) }, privateInfo: { role } },
  };
}

/** The view of an earlier version of the descriptor that had another name. */
export async function dropPrevious(
  session: Session,
  previous: RelationName | undefined,
  { role, where }: { role: string; where: string },
): Promise<void> {
  if (!previous) return;
  const live = await findRelation(session, previous);
  if (live?.role === role) await dropRelation(session, live, { role, where });
  await forgetObject(session, previous);
}

/** Computes beside the old one, so that its readers wait only for the exchange. */
async function replaceMaterialized(
  work: Work,
  workload: Workload,
  { role, live, where }: { role: string; live: LiveRelation; where: string },
): Promise<void> {
  const { session } = work;
  const { owner, relation } = workload;
  const stage = { schema: relation.schema, name: stageName(owner.componentId) };
  await createMaterialized(work, workload, { role, relation: stage });
  const readers = await readReaders(session, live.oid);
  await changeUnderReaders(work, { relation: live, owner, role, where }, () =>
    session.asRole(role, async () => {
      await session.query(`DROP MATERIALIZED VIEW ${quoteRelation(relation)} RESTRICT`);
      await session.query(
        `ALTER MATERIALIZED VIEW ${quoteRelation(stage)} RENAME TO ${quote(relation.name)}`,
      );
    }),
  );
  await grantSelect(session, relation, readers);
}

/** The one place where SQL of a descriptor is sent. */
async function createMaterialized(
  work: Work,
  workload: Workload,
  { role, relation, columns }: { role: string; relation: RelationName; columns?: string[] | undefined },
): Promise<void> {
  const { session } = work;
  const names = columns ? ` (${columns.map(quote).join(", ")})` : "";
  const head = `CREATE MATERIALIZED VIEW ${quoteRelation(relation)}${names} AS (\n`;
  const text = `${head}${workload.sql.query}\n)${session.dryRun ? " WITH NO DATA" : ""}`;
  session.tainted = true;
  try {
    await session.asRole(role, () => session.query(text), workload.relation.schema);
  } catch (error) {
    throw sqlFailure(work, workload, { error, before: head.length });
  }
  const live = await findRelation(session, relation);
  if (!live) throw refuse(`${workload.pointer}/specific/sql`, "does not make what it should");
  // Without data nothing was read, so permissions were not looked at yet.
  const forbidden = await readForbiddenSources(session, live.oid, role);
  if (forbidden.length > 0) {
    const names_ = forbidden.map(showRelation).join(", ");
    const message = `reads ${names_}, which the system's role ${role} may not`;
    throw refuse(
      `${workload.pointer}/specific/sql`,
      message,
      "Read what belongs to the system or was granted to it.",
    );
  }
}

/** Says what is wrong with the SQL, and where in the text of the descriptor. */
function sqlFailure(
  work: Work,
  workload: Workload,
  { error, before }: { error: unknown; before: number },
): unknown {
  const refusal = refusalOf(error);
  if (!refusal || !(error instanceof DatabaseError)) return error;
  const at = Number(error.position ?? 0) - 1 - before;
  const inside = error.position !== undefined && at >= 0 && at <= workload.sql.query.length;
  const lines = workload.sqlText.slice(0, workload.sql.offset + at).split("\n");
  const position = inside ? ` (line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1})` : "";
  let { solution } = refusal;
  if (error.code === "42P01") {
    const [name = "", schema = workload.relation.schema] = namedIn(error).split(".").toReversed();
    solution = missingSource(work, { schema, name });
  }
  const where = `${workload.pointer}/specific/sql`;
  return invalid("The SQL of the workload cannot be run.", [
    { where, message: `${refusal.message}${position}`, solution },
  ]);
}

/**
 * Fills the target once. A marker remembers the hash of the SQL, the table and how many of its rows the workload has written, so
 * that a repeat does nothing. Changed SQL replaces the rows when the table holds just those, or as `specific.onChange` says.
 */
async function runOnce(work: Work, workload: Workload): Promise<Outcome> {
  const { session, log } = work;
  const { owner, relation, pointer } = workload;
  const where = `${pointer}/specific/target`;
  await lockComponent(session, owner);
  const role = await ensureSystemRole(session, owner);
  await session.lock(`schema:${relation.schema}`, "shared");
  await session.lock(`object:${relation.schema}.${relation.name}`);
  const target = await findTarget(work, workload);
  // Removes the view of a workload that was a materialised view before.
  for (const object of await listObjects(session, owner))
    await dropPrevious(session, object, { role, where });
  const others = await listOtherFills(session, owner, target.oid);
  const definition = definitionOf(showRelation(relation), workload.sqlText);
  const before = await findFill(session, owner);
  const same = before?.targetOid === target.oid ? before : undefined;
  let added = 0;
  let own = 0;
  if (same?.definition === definition) {
    log("INFO", `The SQL ran already at ${same.finishedAt.toISOString()}; the rows are left as they are.`);
  } else {
    const replace =
      same !== undefined && (await decideReplace(work, workload, { rows: Number(same.rows), role, where }));
    added = await fill(work, workload, { role, target, replace });
    // Rows of others are not counted: the table is emptied only while it holds just these.
    own = added + (same === undefined || replace ? 0 : Number(same.rows));
    log("INFO", `The SQL ran and wrote ${added} rows into ${showRelation(relation)}.`);
  }
  if (others.length > 0) {
    log(
      "WARNING",
      `Another workload fills ${showRelation(relation)} too: ${others.map((o) => o.componentId).join(", ")}.`,
    );
  }
  const count = session.dryRun ? { rows: 0, atLeast: false } : await countRows(session, relation);
  if (same?.definition !== definition) {
    await rememberFill(session, owner, { targetOid: target.oid, definition, rows: own });
  }
  return {
    result: `${showRelation(relation)} holds ${count.rows} rows.`,
    info: {
      publicInfo: { ...placeOf(work, relation, "table"), ...countInfo(count), rowsWritten: added },
      privateInfo: { role },
    },
  };
}

/** The target is a table that a storage component of the same system and environment made. */
async function findTarget(work: Work, { owner, relation, pointer }: Workload): Promise<LiveRelation> {
  const where = `${pointer}/specific/target`;
  const live = await findRelation(work.session, relation);
  if (!live)
    throw refuse(where, `the table ${showRelation(relation)} does not exist`, missingSource(work, relation));
  const known = await findObject(work.session, relation);
  const same =
    known?.unitId.toLowerCase() === owner.unitId.toLowerCase() && known.environment === owner.environment;
  if (live.kind === "table" && same) return live;
  const message = `${showRelation(relation)} is not a table of a storage component of this system and environment`;
  throw refuse(where, message, "Fill a table of the same system.");
}

async function decideReplace(
  { session }: Work,
  { relation, onChange }: Workload,
  { rows, role, where }: { rows: number; role: string; where: string },
): Promise<boolean> {
  if (onChange !== undefined) return onChange === "replace";
  await lockRows(session, relation, role);
  const now = await countRows(session, relation);
  if (now.rows === rows && !now.atLeast) return true;
  const message = `the SQL has changed, and ${showRelation(relation)} holds other rows than the workload wrote`;
  throw refuse(
    where,
    message,
    "Say in specific.onChange whether to replace all rows or to append the new ones.",
  );
}

/** The query's rows go through a staging view; values are converted to the target's types, lengths are enforced. */
async function fill(
  work: Work,
  workload: Workload,
  { role, target, replace }: { role: string; target: LiveRelation; replace: boolean },
): Promise<number> {
  const { session } = work;
  const { owner, relation, sql, pointer } = workload;
  const columns = new Map(
    (await readColumns(session, target.oid)).map((column) => [column.name, column.type]),
  );
  const listed = sql.insert ? (sql.insert.columns ?? [...columns.keys()]) : undefined;
  const stage = { schema: relation.schema, name: stageName(owner.componentId) };
  await createMaterialized(work, workload, { role, relation: stage, columns: listed });
  const staged = await findRelation(session, stage);
  const names = (staged ? await readColumns(session, staged.oid) : []).map((column) => column.name);
  const unknown = names.filter((name) => !columns.has(name));
  if (unknown.length > 0) {
    const message = `yields ${unknown.join(", ")}, which ${showRelation(relation)} has no column for`;
    throw refuse(`${pointer}/specific/sql`, message, "Name each result after a column of the target.");
  }
  const values = names.map(
    (name) => `${quote(name)}::${(columns.get(name) ?? "text").replace(/\(\d+(,\d+)?\)/, "")}`,
  );
  const insert = `INSERT INTO ${quoteRelation(target)} (${names.map(quote).join(", ")})
    SELECT ${values.join(", ")} FROM ${quoteRelation(stage)}`;
  return session.asRole(role, async () => {
    let written = 0;
    if (session.dryRun) await session.query(`EXPLAIN ${insert}`);
    else {
      if (replace) await session.query(`DELETE FROM ${quoteRelation(target)}`);
      const [row] = await session.query<{ n: string }>(
        `WITH written AS (${insert} RETURNING 1) SELECT count(*) AS n FROM written`,
      );
      written = Number(row?.n ?? 0);
    }
    await session.query(`DROP MATERIALIZED VIEW ${quoteRelation(stage)}`);
    return written;
  });
}
