/** What must hold of every plan, however it was disturbed: read from its events, its rows and the journal. */
import { expect } from "vitest";
import type { JournalEntry } from "../../src/adapters/mock/journal.ts";
import type { Db } from "../../src/platform/db/database.ts";
import { sql } from "../../src/platform/db/sql.ts";
import type { StoredEvent } from "../../src/platform/events/events.ts";
import { illegalMoves, storedEvents, unfaithfulRepeats, type EventRecord } from "./record.ts";

export interface EndState {
  plan: { status: string; failure: string | null; operation: string | null };
  tasks: Record<string, string>;
  components: Record<string, { status: string }>;
  unit: object | null;
  /** Who has access to what, and what the audit says of this plan. */
  access: string[];
  audit: string[];
}

/** Everything that a plan leaves behind, but for times, ids and tokens. */
export async function endState(db: Db, planId: string): Promise<EndState> {
  const plans = await sql<
    EndState["plan"] & { unitKey: string | null; unit: object | null }
  >`select p.status, p.failure,
      o.status as operation, p.unit_key as "unitKey",
      case when u.unit_key is not null then json_build_object('lastPlan', u.last_plan_status, 'version', u.descriptor_version,
        'parts', json_array_length(u.descriptor -> 'components')) end as unit
    from execution_plans p left join operations o on o.plan_id = p.id
      left join units u on u.unit_key = p.unit_key and u.environment = p.environment
        and (o.id is null or u.last_plan_id = p.id)
    where p.id = ${planId}`.execute(db);
  const row = plans.rows[0];
  if (!row || (row.operation !== null && row.unit === null))
    throw new Error(`There is no plan ${planId}, or it is not its unit's last.`);
  const { unitKey, unit, ...plan } = row;
  const { rows } = await sql<{ id: string; status: string }>`select task_id as id, status from plan_tasks
    where plan_id = ${planId} order by position`.execute(db);
  return {
    plan,
    unit,
    tasks: Object.fromEntries(rows.map((task) => [task.id.replace(unitKey ?? "none", "unit"), task.status])),
    components: unitKey === null ? {} : await componentsOf(db, unitKey),
    access: await textsOf(
      sql`select component_key || ' ' || identity as text from acls
      where unit_key = ${unitKey} order by 1`.execute(db),
    ),
    audit: await textsOf(
      sql`select operation || ' ' || (detail ->> 'identity') as text from audit
      where detail ->> 'planId' = ${planId} and operation in ('grantAccess', 'revokeAccess')
      order by 1`.execute(db),
    ),
  };
}

const textsOf = async (found: Promise<{ rows: unknown[] }>): Promise<string[]> =>
  (await found).rows.map((row) => (row as { text: string }).text);

export async function componentsOf(db: Db, unitKey: string): Promise<Record<string, { status: string }>> {
  const { rows } = await sql<{ key: string; state: { status: string } }>`select component_key as key,
      json_build_object('status', status, 'version', descriptor_version, 'dependsOn', depends_on,
        'info', info -> 'publicInfo' -> 'mock' ->> 'label', 'lastOperation', last_operation,
        'specific', descriptor -> 'specific') as state
    from unit_components where unit_key = ${unitKey} order by component_key`.execute(db);
  return Object.fromEntries(
    rows.map((component) => [component.key.replace(unitKey, "unit"), component.state]),
  );
}

/** Holds a plan that has ended against all of it; `seen` is what a reader of the stream was given. */
export async function expectFaithful(
  db: Db,
  planId: string,
  { seen, calls }: { seen: readonly StoredEvent[]; calls: readonly JournalEntry[] },
): Promise<void> {
  const stored = await storedEvents(db, planId);
  expect(illegalMoves(stored)).toEqual([]);
  expect(unfaithfulRepeats(calls)).toEqual([]);
  expect(seen.map((event) => event.id)).toEqual(stored.map((event) => event.id));
  const shown = lastStatuses(stored);
  const { rows } = await sql<{ id: string; status: string }>`select task_id as id, status from plan_tasks
    where plan_id = ${planId}`.execute(db);
  expect(Object.fromEntries(rows.map((task) => [task.id, shown.get(task.id)]))).toEqual(
    Object.fromEntries(rows.map((task) => [task.id, task.status])),
  );
}

function lastStatuses(events: readonly EventRecord[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const { type, data } of events) {
    if (type !== "task") continue;
    const { id, status } = JSON.parse(data) as { id: string; status: string };
    last.set(id, status);
  }
  return last;
}
