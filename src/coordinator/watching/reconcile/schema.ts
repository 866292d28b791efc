/** Wire shapes of reconciles: plans that repair drift, and the questions about them. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../../platform/http/schema.ts";

export const reconcileParams = Type.Object({
  "reconcile-id": Type.String({ minLength: 1, maxLength: 256 }),
});

const status = Type.Enum(
  ["FOUND", "ASKED", "DUE", "STARTED", "SUCCEEDED", "FAILED", "REFUSED", "EXPIRED", "DROPPED"] as const,
  {
    description:
      "FOUND: what a plan would do is not known yet. ASKED: waits for a person. DUE: starts by itself when it may. DROPPED: the unit has changed, or no plan can repair it.",
  },
);

export const reconcileListQuery = Type.Object({
  environment: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  "deployment-unit-id": Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  status: Type.Optional(status),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: "`meta.pagination.next` of the page before." }),
  ),
});

const time = Type.String({ format: "date-time" });

const summary = {
  id: Type.String(),
  deploymentUnitId: Type.String(),
  environment: Type.String(),
  driftCheckId: Type.String(),
  components: Type.Array(Type.String(), { description: "Ids of what has drifted." }),
  status,
  automatic: Type.Boolean({ description: "Whether its plan was started by itself." }),
  planId: Nullable(Type.String()),
  reason: Nullable(
    Type.String({ description: "Why it waits, why somebody is asked about it, or why it has ended so." }),
  ),
  decidedBy: Nullable(Type.String()),
  createdAt: time,
  expiresAt: time,
  startedAt: Nullable(time),
  endedAt: Nullable(time),
};

export const reconcile = Type.Object({
  ...summary,
  planHash: Nullable(Type.String({ description: "Of the preview; exactly that plan is started." })),
  changes: Type.Array(
    Type.Object({ componentId: Type.String(), action: Type.String(), reason: Type.String() }),
    { description: "What the plan does, the first 200 components." },
  ),
  changeCount: Type.Integer(),
});
export type Reconcile = Static<typeof reconcile>;

export const reconcileList = Type.Object({
  data: Type.Array(Type.Object(summary)),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Type.Union([Type.String(), Type.Null()]) }),
  }),
});
export type ReconcileList = Static<typeof reconcileList>;

export const refuseBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 2000, pattern: "\\S", description: "Stored in the audit." }),
});
