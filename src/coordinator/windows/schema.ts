/** Wire shapes of maintenance windows. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";

const time = Type.String({ format: "date-time" });

export const windowsParams = Type.Object({
  environment: Type.String({ minLength: 1, maxLength: 128 }),
});

const maintenanceWindow = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "What refusals call it." }),
  kind: Type.Enum(["freeze", "window"] as const, {
    description:
      "In a freeze nothing begins. Where an environment has windows, operations begin only within one.",
  }),
  timeZone: Type.String({
    default: "UTC",
    minLength: 1,
    maxLength: 64,
    description: "Of the cron expression, such as Europe/Rome.",
  }),
  cron: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "When it begins, as five fields: minute, hour, day, month, day of the week.",
    }),
  ),
  durationMinutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 366 * 24 * 60,
      description: "How long it lasts by the clocks there, when it begins by a cron expression.",
    }),
  ),
  from: Type.Optional({ ...time, description: "When it begins, once." }),
  until: Type.Optional({ ...time, description: "When it ends, once." }),
});

export const windowsBody = Type.Object({
  version: Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description: "The version that was read; 0 before the first.",
  }),
  windows: Type.Array(maintenanceWindow, { maxItems: 100 }),
});
export type WindowsBody = Static<typeof windowsBody>;

export const windowsView = Type.Object({
  environment: Type.String(),
  version: Type.Integer({ description: "Raised by each change." }),
  windows: Type.Array(maintenanceWindow),
  isOpen: Type.Boolean({ description: "Whether operations may begin now." }),
  reason: Nullable(Type.String({ description: "Why they may not." })),
  opensAt: Nullable({ ...time, description: "From when they may; null where that is not within a year." }),
  waitingPlans: Type.Integer({ description: "Plans that begin when it opens." }),
  updatedAt: Nullable(time),
  updatedBy: Nullable(Type.String()),
});
export type WindowsView = Static<typeof windowsView>;

export const windowsList = Type.Object({ data: Type.Array(windowsView) });
export type WindowsList = Static<typeof windowsList>;

/** Query parameters of starts. */
export const closedQuery = {
  "when-closed": Type.Enum(["refuse", "wait", "override"] as const, {
    default: "refuse",
    description:
      "While the environment's maintenance windows let nothing begin: refuse the start with 409, let its plan wait until they do, or begin all the same, which operators may.",
  }),
  "override-reason": Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: "\\S",
      description: "Why it begins all the same; needed for `override`, and stored in the audit.",
    }),
  ),
};

export const closedEnvironment = Type.Object({
  reason: Type.String(),
  freeze: Nullable(Type.String({ description: "Name of the freeze; null outside of all windows." })),
  opensAt: Nullable(time),
});
export type ClosedEnvironment = Static<typeof closedEnvironment>;
