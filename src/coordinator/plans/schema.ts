/** Wire shapes of the execution plan operations. */
import { Type, type TSchema } from "typebox";

export const terminateMode = Type.Enum(["safe", "forced"], {
  default: "safe",
  description: "safe lets running tasks finish; forced also asks the adapters to stop them.",
});

export const tokenParams = Type.Object({ token: Type.String({ minLength: 1, maxLength: 256 }) });

const status = Type.Enum([
  "WAITING",
  "RUNNING",
  "COMPLETED",
  "FAILED",
  "SKIPPED",
  "TERMINATING",
  "TERMINATED",
]);
const time = Type.Union([Type.String(), Type.Null()]);

const waiting = Type.Object(
  {
    reason: Type.String(),
    since: Type.String(),
    nextAttemptAt: Type.Optional(Type.String()),
    attempts: Type.Optional(Type.Integer()),
    next: Type.Optional(Type.String({ description: "What comes next." })),
    position: Type.Optional(Type.Integer({ description: "Position in its queue, from 1." })),
    waitsForPlan: Type.Optional(Type.String({ description: "The plan at the head of that queue." })),
    blockedBy: Type.Optional(
      Type.Array(Type.String(), { description: "Ids of tasks that have to end first; of many, some." }),
    ),
    limit: Type.Optional(Type.String({ description: "The setting whose limit is reached." })),
  },
  { description: "Why the task does not progress at the moment." },
);

const nodeCommon = {
  id: Type.String(),
  displayName: Type.String(),
  name: Type.String(),
  status,
  startTime: time,
  stopTime: time,
  waiting: Type.Optional(waiting),
};

const nestedTasks = (name: string): TSchema =>
  Type.Array(Type.Ref(name), {
    description:
      "Each task is written out with its dependencies where it is first met; met again, it has none. Join by id.",
  });

export const taskGraph = Type.Object({
  ...nodeCommon,
  componentName: Type.String(),
  descriptor: Type.String({ description: "YAML; empty when descriptors are not included." }),
  version: Type.String(),
  action: Type.String(),
  result: Type.String(),
  subPlanId: Type.String(),
  dependsOnTasks: nestedTasks("TaskGraph"),
});

export const taskGraphStatus = Type.Object({
  ...nodeCommon,
  result: Type.Object({ message: Type.String() }, { additionalProperties: true }),
  dependsOnTasks: nestedTasks("TaskGraphStatus"),
});

const originPlan = Type.Optional(Type.String({ description: "The plan that this one resumes." }));

export const executionPlan = Type.Object({
  environment: Type.String(),
  originatorUri: Type.String(),
  originPlan,
  dag: Type.Ref("TaskGraph"),
});

export const executionPlanStatus = Type.Object({
  environment: Type.String(),
  originatorUri: Type.String(),
  originPlan,
  dag: Type.Ref("TaskGraphStatus"),
});

/** Maximum page size. */
export const maxPlans = 50;

const planActions = [
  "PROVISION",
  "UNPROVISION",
  "VALIDATE_COMPONENT",
  "POLICY_VALIDATE_COMPONENT",
  "PUBLISH",
  "UNPUBLISH",
  "UPDATE_ACL",
  "REVERSE_PROVISION",
] as const;

export const plansQuery = Type.Object({
  "data-product-id": Type.String({ minLength: 1, maxLength: 512, description: "Id of the deployment unit." }),
  environments: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
    minItems: 1,
    maxItems: 16,
    description: "Comma-separated.",
  }),
  version: Type.Optional(Type.String({ maxLength: 512, description: "Of the descriptor, exactly." })),
  operations: Type.Array(Type.Enum([...planActions]), {
    default: ["PROVISION", "UNPROVISION"],
    maxItems: 16,
    description: "Comma-separated actions of the plans.",
  }),
  "include-descriptors": Type.Boolean({ default: true }),
  "include-snapshot": Type.Boolean({
    default: true,
    description: "False leaves out plans of versions with a SNAPSHOT part, such as 1.2.0-SNAPSHOT-3.",
  }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  limit: Type.Integer({
    minimum: 1,
    default: 20,
    description: `A page has at most ${maxPlans}; \`page.limit\` says how many.`,
  }),
  ordering: Type.Enum(["asc", "desc"], { default: "desc", description: "By the time of acceptance." }),
});

export const planList = Type.Object({
  provisioningPlans: Type.Array(executionPlan, {
    description: "Very long ones make a page shorter: go on at offset + the number given.",
  }),
  page: Type.Object({
    offset: Type.Integer(),
    limit: Type.Integer(),
    count: Type.Integer({ description: "How many there are in all." }),
  }),
});

/** Maximum number of log lines in one answer. */
const maxLogLines = 10_000;

export const logsQuery = Type.Object({
  level: Type.Enum(["DEBUG", "INFO", "WARNING", "ERROR"], {
    default: "DEBUG",
    description: "Lines of this severity and above.",
  }),
  task_id: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  after: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "Position at which an earlier answer ended, from its Link header.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: maxLogLines, default: maxLogLines }),
});

export const logEntries = Type.Array(
  Type.Object({
    timestamp: Type.String(),
    severity: Type.Enum(["DEBUG", "INFO", "WARNING", "ERROR"]),
    task: Type.Union([Type.String(), Type.Null()]),
    message: Type.String(),
    phase: Type.String(),
    adapterTimestamp: Type.Optional(
      Type.String({ description: "When the adapter wrote the line, by its own clock." }),
    ),
    adapterPhase: Type.Optional(
      Type.String({ description: "Part of the adapter's work, in the adapter's words." }),
    ),
  }),
);
