/** Rows of maintenance windows: one for each environment that has any. */
import type { Db } from "../../platform/db/database.ts";
import { sql } from "../../platform/db/sql.ts";
import type { MaintenanceWindow } from "./window.ts";

export interface WindowsRow {
  environment: string;
  version: number;
  windows: MaintenanceWindow[];
  updatedAt: Date;
  updatedBy: string;
}

export async function readAllWindows(db: Db): Promise<WindowsRow[]> {
  const { rows } = await sql<WindowsRow>`select environment, version, windows, updated_at as "updatedAt",
    updated_by as "updatedBy" from maintenance_windows`.execute(db);
  return rows;
}

export async function readWindows(db: Db, environment: string): Promise<WindowsRow | null> {
  const { rows } = await sql<WindowsRow>`select environment, version, windows, updated_at as "updatedAt",
    updated_by as "updatedBy" from maintenance_windows where environment = ${environment}`.execute(db);
  return rows[0] ?? null;
}

export interface WindowsChange {
  environment: string;
  /** The version that was read; 0 before the first. */
  from: number;
  windows: readonly MaintenanceWindow[];
  at: Date;
  by: string;
}

/** False when there is another version than `from` by now. */
export async function writeWindows(
  db: Db,
  { environment, from, windows, at, by }: WindowsChange,
): Promise<boolean> {
  const values = sql`${JSON.stringify(windows)}::jsonb`;
  const { rows } =
    from === 0
      ? await sql`insert into maintenance_windows (environment, version, windows, updated_at, updated_by)
          values (${environment}, 1, ${values}, ${at}, ${by}) on conflict do nothing returning 1`.execute(db)
      : await sql`update maintenance_windows set version = version + 1, windows = ${values}, updated_at = ${at},
          updated_by = ${by} where environment = ${environment} and version = ${from} returning 1`.execute(
          db,
        );
  return rows.length > 0;
}

export interface PlanGate {
  windows: MaintenanceWindow[];
  isHeld: boolean;
  overrides: boolean;
}

/** What a plan has to do with the windows of its environment. */
export async function readPlanGate(db: Db, planId: string): Promise<PlanGate | null> {
  const { rows } =
    await sql<PlanGate>`select coalesce(w.windows, '[]') as windows, p.hold is not null as "isHeld",
      p.overrides_windows as overrides
    from execution_plans p left join maintenance_windows w on w.environment = p.environment
    where p.id = ${planId}`.execute(db);
  return rows[0] ?? null;
}
