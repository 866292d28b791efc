/** Wire shapes of the list of what waits for the caller. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import { waitingKinds } from "../ports.ts";

export const waitingQuery = Type.Object({
  kind: Type.Array(Type.Enum(waitingKinds), {
    default: [],
    maxItems: waitingKinds.length,
    description: "Only these kinds; all unless given.",
  }),
  limit: Type.Integer({ minimum: 1, default: 20, description: "A page has at most 100." }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 4096, description: "`meta.pagination.next` of the page before." }),
  ),
});
export type WaitingQuery = Static<typeof waitingQuery>;

const time = Type.String({ format: "date-time" });
const text = Nullable(Type.String());
const id = Type.Optional(Type.String());

export const waitingList = Type.Object({
  data: Type.Array(
    Type.Object({
      kind: Type.Enum(waitingKinds),
      id: Type.String({ description: "Unique together with the kind." }),
      subject: Type.Enum(
        [...waitingKinds, "ACCESS_REQUEST", "DEPLOYMENT_APPROVAL", "DATA_REMOVAL_APPROVAL"],
        { description: "What a hook decides about; otherwise the kind." },
      ),
      title: Type.String(),
      reason: Type.String({ description: "Why it waits." }),
      since: time,
      expiresAt: Nullable(time),
      atDeadline: Nullable(Type.String({ description: "What happens when it expires." })),
      environment: text,
      deploymentUnitId: text,
      requester: Nullable(Type.String({ description: "Who asked for it or started it." })),
      whoMayAct: Type.Object({
        refs: Type.Array(Type.String(), { description: "References of users and groups." }),
        operators: Type.Boolean({ description: "Whether operators may." }),
        rule: Nullable(Type.String({ description: "The rule of ownership by which they may." })),
      }),
      link: Type.Object(
        {
          hookId: id,
          accessRequestId: id,
          planId: id,
          taskId: id,
          runId: id,
          sessionId: id,
          approvalId: id,
          exceptionId: id,
          policyId: id,
          reconcileId: id,
        },
        { description: "What a link to it is made of." },
      ),
      path: Type.String({ description: "Path of the operation with its details, on this server." }),
    }),
    { description: "The oldest first." },
  ),
  meta: Type.Object({
    pagination: Type.Object({
      limit: Type.Integer(),
      more: Type.Boolean({ description: "Whether there are more than the list contains." }),
      next: Nullable(Type.String({ description: "The cursor of the next page." })),
    }),
    unavailable: Type.Array(Type.Object({ kind: Type.Enum(waitingKinds), reason: Type.String() }), {
      description: "Kinds that could not be listed, and why.",
    }),
  }),
});
export type WaitingList = Static<typeof waitingList>;
