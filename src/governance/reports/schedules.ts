/**
 * Begins the evaluations that the schedules of runtime policies name. What was missed while no process ran is made up for
 * once, and each minute is begun once, whatever processes run.
 */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import { systemActor } from "../../platform/lib/actor.ts";
import { newId } from "../../platform/lib/ids.ts";
import { lastTick, parseCron } from "../../platform/lib/cron.ts";
import { beginTick, hasPendingTick, insertReport } from "./store.ts";

export interface ScheduledPolicy {
  id: string;
  /** A cron expression, in UTC. */
  schedule: string;
  /** Empty for all. */
  environments: readonly string[];
  /** When its present version or status came to be: what its schedule named before is not made up for. */
  since: Date;
}

export interface ScheduleDeps {
  database: Database;
  now: () => Date;
  /** Active runtime policies in force that have a schedule. */
  readScheduled: () => Promise<readonly ScheduledPolicy[]>;
  /** Configured environments. */
  environments: readonly string[];
}

/** Returns the work of one round: begins what is due. */
export function createTicks(deps: ScheduleDeps): () => Promise<void> {
  /** The last tick of each policy that some process has begun, as far as this one knows. */
  const begun = new Map<string, number>();
  return async () => {
    for (const policy of await deps.readScheduled()) {
      const tick = dueTick(policy, deps.now());
      if (tick === null || tick.getTime() <= (begun.get(policy.id) ?? 0)) continue;
      await beginReports(deps, policy, tick);
      begun.set(policy.id, tick.getTime());
    }
  };
}

const beginReports = (
  { database, now, environments }: ScheduleDeps,
  policy: ScheduledPolicy,
  tick: Date,
): Promise<void> =>
  inTransaction(database, async (tx) => {
    if (!(await beginTick(tx, policy.id, tick))) return;
    for (const environment of environments) {
      if (policy.environments.length > 0 && !policy.environments.includes(environment)) continue;
      // A report that waits or runs is of what is deployed now: another one behind it would only be later.
      if (await hasPendingTick(tx, { policyId: policy.id, environment })) continue;
      const by = { requestedBy: systemActor.ref, request: { policyId: policy.id }, at: now() };
      await insertReport(tx, {
        ...by,
        id: newId(),
        kind: "schedule",
        environment,
        policyId: policy.id,
        tick,
      });
    }
  });

/** The latest minute that the schedule has named since the policy is as it is; null when there is none. */
function dueTick({ schedule, since }: Pick<ScheduledPolicy, "schedule" | "since">, now: Date): Date | null {
  const cron = parseCron(schedule);
  const tick = cron && lastTick(cron, now);
  return tick && tick > since ? tick : null;
}
