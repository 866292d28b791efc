/**
 * Reads everything that a start depends on in one query, because round trips dominate the time of a start.
 */
import { enabledAdapterRows, type EnabledAdapter } from "../adapters/store.ts";
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { MaintenanceWindow } from "../windows/window.ts";
import { activePlan, componentRows, type ComponentRow, type UnitKey } from "./store.ts";

/** What a new start on a unit waits for: its active plan, if any, and the queued ones. */
export interface StartQueue {
  active: string | null;
  waiting: string[];
}

/** The waiting plans of a unit, in the order of the queue. */
export const waitingPlans = (at: UnitKey): Sql =>
  sql`select plan_id from queued_starts where unit_key = ${at.unitKey} and environment = ${at.environment}
    order by number`;

export interface UnitState extends StartQueue {
  /** The unit's components, in the order in which they were last changed. */
  components: ComponentRow[];
  /** Enabled adapters of the environment, by infrastructure template id. */
  adapters: Map<string, EnabledAdapter>;
  /**
   * The descriptor of the last plan that changed components; null when there is none or it was not requested.
   */
  descriptor: object | null;
  /** Of the environment; empty where operations may begin at any time. */
  windows: MaintenanceWindow[];
}

interface StateRow extends StartQueue {
  components: (Omit<ComponentRow, "updatedAt"> & { updatedAt: string })[];
  adapters: EnabledAdapter[];
  descriptor: object | null;
  windows: MaintenanceWindow[] | null;
}

/** Stays valid while the caller's transaction locks the unit's row. */
export async function readUnitState(
  db: Db,
  at: UnitKey,
  { withDescriptor }: { withDescriptor: boolean },
): Promise<UnitState> {
  const descriptor = withDescriptor
    ? sql`(select descriptor from units where unit_key = ${at.unitKey} and environment = ${at.environment})`
    : sql`null::json`;
  const { rows } =
    await sql<StateRow>`select (${activePlan(at)}) as active, array(${waitingPlans(at)}) as waiting,
      (select coalesce(json_agg(c order by c."updatedAt", c.position, c.key), '[]')
        from (${componentRows(at)}) c) as components,
      (select coalesce(json_agg(a), '[]') from (${enabledAdapterRows(at.environment)}) a) as adapters,
      (select windows from maintenance_windows where environment = ${at.environment}) as windows,
      ${descriptor} as descriptor`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("The state of a unit has no row.");
  return {
    ...row,
    windows: row.windows ?? [],
    components: row.components.map((each) => ({ ...each, updatedAt: new Date(each.updatedAt) })),
    adapters: new Map(row.adapters.map((each) => [each.adapterId, each])),
  };
}
