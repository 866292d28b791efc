/** Wire shapes of the list of provisioning operations. */
import { Type } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";

/** Maximum number of entries of a page and of each filter. */
export const operationLimits = { page: 100, environments: 16, statuses: 16 } as const;

const status = Type.Enum(["SCHEDULED", "RUNNING", "SUCCEEDED", "FAILED", "TERMINATING", "TERMINATED"]);
const cursor = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

export const operationsQuery = Type.Object({
  environment: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    default: [],
    maxItems: operationLimits.environments,
    description: "Comma-separated; operations in any of these environments.",
  }),
  status: Type.Array(status, {
    default: [],
    maxItems: operationLimits.statuses,
    description: "Comma-separated; operations in any of these states.",
  }),
  "deployment-unit-id": Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "Operations of this unit." }),
  ),
  "execution-plan-id": Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: "The operation of this plan alone." }),
  ),
  "include-descriptors": Type.Boolean({ default: false }),
  "include-progress": Type.Boolean({
    default: false,
    description: "Whether each has `progress`, `failure` and `waitsFor`, for a list of what is at work.",
  }),
  "sort-order": Type.Enum(["asc", "desc"], { default: "desc", description: "By start time." }),
  "start-time-after": cursor("Later than this; maxStartTime of a page leads to newer ones."),
  "start-time-before": cursor("Earlier than this; minStartTime of a page leads to older ones."),
  limit: Type.Integer({
    minimum: 1,
    default: 20,
    description:
      `Operations in a page, at most ${operationLimits.page}: \`meta.pagination.limit\` says how many. ` +
      "Those that began in the same millisecond as the last one come with it, so that times " +
      "are cursors that lose nothing. Long descriptors make a page shorter; the list ends with an empty page.",
  }),
});

const time = Type.String({ format: "date-time" });

const waiting = Type.Object(
  {
    reason: Type.String(),
    since: time,
    position: Type.Integer({ minimum: 1, description: "Position in the queue of its unit." }),
    next: Type.String({ description: "What comes next." }),
  },
  { description: "Why an operation that is queued does not begin; null for one that is not." },
);

const operation = Type.Object({
  operationId: Type.String(),
  provisioningAction: Type.Enum(["DEPLOY", "UNDEPLOY"]),
  deploymentUnitId: Type.String(),
  environment: Type.String(),
  descriptorVersion: Type.String(),
  status,
  executionPlanId: Type.String({ description: "Token of the execution plan." }),
  originatorUri: Type.String({ description: "Entity reference of the user who started it." }),
  startTime: time,
  stopTime: Nullable(time),
  waiting: Nullable(waiting),
});

const componentEntry = Type.Object({
  componentId: Type.String(),
  provisioningAction: Type.Enum(["DEPLOY", "REDEPLOY", "UNDEPLOY", "NONE"]),
  operationStatus: status,
});

const waitsFor = Type.Object(
  {
    kind: Type.Enum(["QUEUE", "APPROVAL", "WINDOW", "WORKER", "ADAPTER"], {
      description:
        "Its turn on the unit; a person; its environment, to open; a worker; or an adapter that is called again.",
    }),
    reason: Type.String(),
    since: time,
    who: Type.Array(Type.String(), {
      description: "Entity references of those who can act; operators can in any case.",
    }),
    until: Nullable(Type.String({ description: "When the waiting ends by itself, if that is known." })),
    next: Type.String({ description: "What comes next." }),
  },
  { description: "Why it does not go on; null while its tasks are at work, and for one that has ended." },
);

const taskCounts = Type.Object(
  {
    total: Type.Integer(),
    completed: Type.Integer(),
    failed: Type.Integer({ description: "Failed, skipped or terminated." }),
    running: Type.Integer(),
    waiting: Type.Integer(),
  },
  { description: "Tasks of the plan; 0 in all of one that is queued, which is planned at its turn." },
);

export const operationList = Type.Object({
  data: Type.Array(
    Type.Object({
      operation,
      descriptor: Type.Optional(
        Type.Object({}, { additionalProperties: true, description: "Present when asked for." }),
      ),
      components: Type.Array(componentEntry),
      progress: Type.Optional(taskCounts),
      failure: Type.Optional(Nullable(Type.String({ description: "Why the plan did not complete." }))),
      waitsFor: Type.Optional(Nullable(waitsFor)),
    }),
  ),
  meta: Type.Object({
    pagination: Type.Object({
      limit: Type.Integer(),
      minStartTime: Nullable(time),
      maxStartTime: Nullable(time),
    }),
  }),
});
