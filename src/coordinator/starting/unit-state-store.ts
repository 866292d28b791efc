/** All that a start depends on, in one query: a start takes as long as its round trips. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import {
  activePlan,
  componentRows,
  enabledAdapterRows,
  type ComponentRow,
  type EnabledAdapter,
  type UnitKey,
} from "../deployment-units/store.ts";
import { waitingPlans, type Line } from "./queue-store.ts";

export interface UnitState extends Line {
  /** In the order in which they were last changed. */
  components: ComponentRow[];
  /** Those of the environment, by the infrastructure template id that leads to them. */
  adapters: Map<string, EnabledAdapter>;
  /** The last that was accepted, as far as it was carried out; null too when it was not asked for. */
  descriptor: object | null;
}

interface StateRow extends Line {
  components: (Omit<ComponentRow, "updatedAt"> & { updatedAt: string })[];
  adapters: EnabledAdapter[];
  descriptor: object | null;
}

/** In a transaction it holds as long as the lock of the unit's row. */
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
      ${descriptor} as descriptor`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("The state of a unit has no row.");
  return {
    ...row,
    components: row.components.map((each) => ({ ...each, updatedAt: new Date(each.updatedAt) })),
    adapters: new Map(row.adapters.map((each) => [each.adapterId, each])),
  };
}
