/** Plans the changes from the live columns of a table to the declared ones. Pure. */
import type { Problem } from "../../../platform/errors/failure.ts";
import type { LiveColumn } from "../live-schema.ts";
import { canWiden } from "../descriptor/types.ts";
import type { Column } from "../descriptor/types.ts";

export type TableChange =
  | { change: "addColumn"; column: Column }
  | { change: "dropColumn"; name: string }
  | { change: "changeType"; name: string; type: string; keepValues: boolean }
  | { change: "setNotNull" | "dropNotNull" | "addUnique" | "dropUnique"; name: string }
  | { change: "setPrimaryKey"; names: string[] }
  | { change: "dropPrimaryKey" };

export interface TablePlan {
  changes: TableChange[];
  problems: Problem[];
}

/** Whether PostgreSQL refuses the change while a view reads the table. */
export const needsReadersGone = ({ change }: TableChange): boolean =>
  change === "changeType" || change === "dropColumn";

/**
 * @param hasRows with rows, nothing that could lose or refuse one is planned; it becomes a problem instead.
 * @param pointer of the component, for problems about columns that are no longer declared.
 */
export function planTableChanges(
  live: LiveColumn[],
  declared: Column[],
  { hasRows, pointer }: { hasRows: boolean; pointer: string },
): TablePlan {
  const plan: TablePlan = { changes: [], problems: [] };
  const byName = new Map(live.map((column) => [column.name, column]));
  const declaredNames = new Set(declared.map((column) => column.name));
  planPrimaryKeyDrop(plan, live, declared);
  for (const column of live) {
    if (declaredNames.has(column.name)) continue;
    if (!hasRows) plan.changes.push({ change: "dropColumn", name: column.name });
    else {
      plan.problems.push({
        where: `${pointer}/dataContract/schema`,
        message: `no longer declares the column ${column.name}, whose data would be lost`,
        solution: `Declare ${column.name} again, or drop the column in the database yourself and deploy again.`,
      });
    }
  }
  for (const column of declared) {
    const existing = byName.get(column.name);
    if (existing) planColumn(plan, existing, { column, hasRows });
    else planNewColumn(plan, column, hasRows);
  }
  planPrimaryKey(plan, live, declared);
  return plan;
}

function planNewColumn(plan: TablePlan, column: Column, hasRows: boolean): void {
  if (hasRows && column.notNull) {
    plan.problems.push({
      where: `${column.pointer}/constraint`,
      message: `the new column ${column.name} must not be empty, but the table has rows`,
      solution: "Add it without a constraint, fill it, then add the constraint.",
    });
    return;
  }
  plan.changes.push({ change: "addColumn", column });
  if (column.unique) plan.changes.push({ change: "addUnique", name: column.name });
}

function planColumn(
  plan: TablePlan,
  live: LiveColumn,
  { column, hasRows }: { column: Column; hasRows: boolean },
): void {
  const { name, type } = column;
  if (live.type !== type) {
    const keepValues = canWiden(live.type, type);
    if (keepValues || !hasRows) plan.changes.push({ change: "changeType", name, type, keepValues });
    else {
      plan.problems.push({
        where: `${column.pointer}/dataType`,
        message: `the column ${name} is ${live.type} and has data; turning it into ${type} could lose some`,
        solution: `Declare ${live.type} or a wider type, or add a new column and move the data into it.`,
      });
    }
  }
  if (column.notNull && !live.notNull) plan.changes.push({ change: "setNotNull", name });
  if (!column.notNull && live.notNull) plan.changes.push({ change: "dropNotNull", name });
  if (column.unique && !live.unique) plan.changes.push({ change: "addUnique", name });
  if (!column.unique && live.unique) plan.changes.push({ change: "dropUnique", name });
}

const keyOf = (columns: Array<{ name: string; primaryKey: boolean }>): string[] =>
  columns.filter((column) => column.primaryKey).map((column) => column.name);

const sameKey = (left: string[], right: string[]): boolean =>
  [...left].sort().join("\0") === [...right].sort().join("\0");

/** The old key goes first: a column of it could not lose its NOT NULL, nor be dropped, before. */
function planPrimaryKeyDrop(plan: TablePlan, live: LiveColumn[], declared: Column[]): void {
  if (keyOf(live).length > 0 && !sameKey(keyOf(live), keyOf(declared)))
    plan.changes.push({ change: "dropPrimaryKey" });
}

function planPrimaryKey(plan: TablePlan, live: LiveColumn[], declared: Column[]): void {
  const names = keyOf(declared);
  if (names.length > 0 && !sameKey(keyOf(live), names)) plan.changes.push({ change: "setPrimaryKey", names });
}
