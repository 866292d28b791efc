/** Wire shapes of the list of what waits for the caller. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";

export const waitingQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, default: 20, description: "A page has at most 100." }),
});

const time = Type.String({ format: "date-time" });

export const waitingList = Type.Object({
  data: Type.Array(
    Type.Object({
      kind: Type.Enum(["HOOK", "APPROVAL", "EXCEPTION", "FAILED_OPERATION", "HELD_PLAN", "RECONCILE"]),
      id: Type.String(),
      title: Type.String(),
      since: time,
      expiresAt: Nullable(time),
      path: Type.String({ description: "Path of the operation with its details, on this server." }),
    }),
    { description: "The oldest first." },
  ),
  meta: Type.Object({
    pagination: Type.Object({
      limit: Type.Integer(),
      more: Type.Boolean({ description: "Whether there are more than the list contains." }),
    }),
  }),
});
export type WaitingList = Static<typeof waitingList>;
