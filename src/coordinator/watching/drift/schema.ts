/** Wire shapes of drift checks. */
import { Type, type Static } from "typebox";
import { environmentQuery } from "../../units/schema.ts";

export const driftParams = Type.Object({
  "drift-check-id": Type.String({ minLength: 1, maxLength: 256 }),
});

export const driftListQuery = Type.Object({
  environment: environmentQuery,
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: "`meta.pagination.next` of the page before." }),
  ),
});

const result = Type.Enum(["NO_DRIFT", "DRIFTED", "UNKNOWN"]);
const optionalTime = Type.Union([Type.String(), Type.Null()]);

export const componentDrift = Type.Object({
  componentId: Type.String(),
  result,
  why: Type.String({ description: "In one sentence." }),
  pointers: Type.Array(Type.String(), {
    description: "JSON pointers into the deployed component descriptor where the live state differs.",
  }),
  problems: Type.Array(Type.String(), { description: "What the adapter's validation found." }),
  checkedBy: Type.Array(Type.Enum(["VALIDATION", "REVERSE_PROVISIONING"])),
});
export type ComponentDrift = Static<typeof componentDrift>;

const summary = {
  id: Type.String(),
  deploymentUnitId: Type.String(),
  environment: Type.String(),
  status: Type.Enum(["SCHEDULED", "RUNNING", "COMPLETED"]),
  trigger: Type.Enum(["REQUESTED", "SCHEDULED"], { description: "Started by a request or by the schedule." }),
  requestedBy: Type.String(),
  result: Type.Union([result, Type.Null()], {
    description: "DRIFTED when any component is, else UNKNOWN when any is, else NO_DRIFT.",
  }),
  waiting: Type.Union([Type.Object({ reason: Type.String(), since: Type.String() }), Type.Null()], {
    description:
      "Why it has not been made: an operation is active on the unit, or an attempt has failed. It stays where the check has ended for that.",
  }),
  createdAt: Type.String(),
  startedAt: optionalTime,
  stoppedAt: optionalTime,
};

export const driftCheck = Type.Object({ ...summary, components: Type.Array(componentDrift) });
export type DriftCheck = Static<typeof driftCheck>;

export const driftCheckList = Type.Object({
  data: Type.Array(Type.Object(summary)),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Type.Union([Type.String(), Type.Null()]) }),
  }),
});
export type DriftCheckList = Static<typeof driftCheckList>;

export const driftScheduleList = Type.Object({
  data: Type.Array(
    Type.Object({
      environment: Type.String(),
      everyMinutes: Type.Union([Type.Integer(), Type.Null()], {
        description: "How often each deployed unit is checked; null by `cron`.",
      }),
      cron: optionalTime,
      timeZone: Type.String({ description: "Of the cron expression." }),
      deploymentUnits: Type.Integer({ description: "Units with something deployed there." }),
      due: Type.Integer({ description: "Of those, how many are to be checked now; 20 begin in a round." }),
      drifted: Type.Integer({ description: "Of those, how many had drifted at their last check." }),
      lastRunAt: Type.Union([Type.String(), Type.Null()], {
        description: "When the schedule last began a check.",
      }),
      nextRunAt: Type.Union([Type.String(), Type.Null()], {
        description: "When it has something to check next; null while nothing is deployed there.",
      }),
      reconcile: Type.Enum(["off", "ask", "auto"], { description: "What is done about drift." }),
    }),
    { description: "In the order of the configuration; environments without a schedule are not in it." },
  ),
});
export type DriftScheduleList = Static<typeof driftScheduleList>;
