import { count, section } from "./schema-parts.ts";

const days = (fallback: number, what: string) =>
  count(fallback, `${what} 0 keeps them for ever.`, { minimum: 0, maximum: 36_500 });

export const retention = section(
  {
    plansDays: days(
      365,
      "Days for which ended plans are kept, with their tasks, operations, settled unknown outcomes and events.",
    ),
    plansPerUnit: count(
      10,
      "The latest plans of a unit in an environment that are kept, however old they are.",
      {
        maximum: 10_000,
      },
    ),
    validationsDays: days(30, "Days for which ended validations are kept."),
    logsDays: days(90, "Days for which log lines of ended plans and events of units are kept."),
    deliveriesDays: days(30, "Days for which outgoing events and their ended deliveries are kept."),
    reconcilesDays: days(90, "Days for which ended reconciles are kept."),
    noticesDays: days(30, "Days for which notices that were sent or given up are kept."),
    hooksDays: days(90, "Days for which ended actions and their hooks are kept."),
    accessRequestsDays: days(
      365,
      "Days for which ended access requests are kept; access that was given stays.",
    ),
    auditDays: days(
      1_095,
      "Days for which rows of the audit are kept; the chain of the rest can still be verified.",
    ),
    sessionsDays: days(730, "Days for which sessions of the assistant are kept, from their last change."),
    usageDays: days(730, "Days for which the usage of models is kept."),
    tokensDays: days(90, "Days for which tokens are listed that have expired or were revoked."),
    batchRows: count(1_000, "Rows that one batch deletes, about.", { minimum: 10, maximum: 100_000 }),
    busyPercent: count(
      20,
      "Part of the time in which batches run while there is something to delete; the rest are pauses.",
      {
        maximum: 100,
      },
    ),
  },
  "When old rows are deleted. Some areas have a setting of their own: see the guide.",
);
