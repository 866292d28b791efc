/** Which rows of the coordinator are deleted when they are old. */
import type { Config } from "../../../platform/config/schema/schema.ts";
import type { Database } from "../../../platform/db/database.ts";
import { simpleRule, type RetentionRule } from "../../../platform/jobs/retention.ts";
import { countOldNotices, pruneNotices } from "../notices/collecting/prune-store.ts";
import { countReconciles, pruneReconciles } from "../reconcile/store.ts";
import { countOutgoing, pruneOutgoing } from "../webhooks/source-store.ts";
import { countOldEvents, deleteEvents } from "./event-store.ts";
import { countOldPlans, deletePlans, type PlanPosition } from "./plan-store.ts";

const dayMs = 24 * 3_600_000;

export function coordinatorRetention(config: Config, database: Database): RetentionRule[] {
  const { plansDays, validationsDays, logsDays, deliveriesDays, reconcilesDays, noticesDays } =
    config.retention;
  const areEventsRead = config.coordinator.webhooks.length > 0;
  const { db } = database;
  return [
    planRule("plans", plansDays, config, database),
    planRule("validations", validationsDays, config, database),
    {
      name: "logs",
      setting: "retention.logsDays",
      keepDays: logsDays,
      deleteBatch: ({ before, limit, position }) =>
        deleteEvents(db, { before, areEventsRead }, { after: Number(position?.[0] ?? 0), limit }).then(
          ({ position: last, ...end }) => ({ ...end, position: [last] }),
        ),
      count: ({ before, most }) => countOldEvents(db, { before, areEventsRead }, most),
    },
    simpleRule(
      { name: "deliveries", setting: "retention.deliveriesDays", keepDays: deliveriesDays },
      {
        prune: (before, limit) => pruneOutgoing(db, before, limit),
        count: (before, most) => countOutgoing(db, before, most),
      },
    ),
    simpleRule(
      { name: "reconciles", setting: "retention.reconcilesDays", keepDays: reconcilesDays },
      {
        prune: (before, limit) => pruneReconciles(db, before, limit),
        count: (before, most) => countReconciles(db, before, most),
      },
    ),
    simpleRule(
      { name: "notices", setting: "retention.noticesDays", keepDays: noticesDays },
      {
        prune: (before, limit) => pruneNotices(db, before, limit),
        count: (before, most) => countOldNotices(db, before, most),
      },
    ),
  ];
}

function planRule(
  name: "plans" | "validations",
  keepDays: number,
  { retention, coordinator }: Config,
  database: Database,
): RetentionRule {
  const old = {
    validations: name === "validations",
    perUnit: retention.plansPerUnit,
    areEventsRead: coordinator.webhooks.length > 0,
  };
  return {
    name,
    setting: `retention.${name}Days`,
    keepDays,
    // Those that stay are looked at again in each pass.
    restMs: dayMs,
    deleteBatch: ({ before, limit, position }) =>
      deletePlans(database, { ...old, before }, { after: planPosition(position), limit }),
    count: ({ before, most }) => countOldPlans(database.db, { ...old, before }, most),
  };
}

const planPosition = (position: readonly (string | number)[] | null): PlanPosition | null =>
  position === null ? null : [String(position[0]), String(position[1])];
