/** Wire shapes of the Backstage scaffolder. */
import { Type } from "typebox";
import { dryRunAnswer } from "./schema.ts";

const anything = Type.Record(Type.String(), Type.Unknown());
const status = Type.Enum(["open", "processing", "completed", "failed", "cancelled"]);
const time = Type.String({ format: "date-time" });

export const taskBody = Type.Object({
  templateRef: Type.String({ minLength: 1, maxLength: 512 }),
  values: anything,
  secrets: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
});

export const dryRunBody = Type.Object({
  template: anything,
  values: anything,
  secrets: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 65_536 }))),
  directoryContents: Type.Array(
    Type.Object({
      path: Type.String({ minLength: 1, maxLength: 1_000 }),
      base64Content: Type.String({ maxLength: 4 * 1024 * 1024 }),
    }),
    { default: [], maxItems: 1_000 },
  ),
});

export const dryRunResult = dryRunAnswer;

export const task = Type.Object({
  id: Type.String(),
  spec: anything,
  status,
  createdAt: time,
  createdBy: Type.String(),
  lastHeartbeatAt: Type.Optional(time),
});

export const taskPage = Type.Object({ tasks: Type.Array(task), totalTasks: Type.Integer() });

export const taskQuery = Type.Object({
  createdBy: Type.Array(Type.String({ maxLength: 512 }), {
    default: [],
    maxItems: 1,
    description: "Tasks of that user; without it all that the caller may see.",
  }),
  status: Type.Array(status, { default: [], maxItems: 5 }),
  order: Type.Array(Type.Enum(["desc:created_at", "-created_at"]), {
    default: [],
    maxItems: 1,
    description: "The newest come first in any case.",
  }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  offset: Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }),
});

export const eventList = Type.Array(
  Type.Object({
    id: Type.Integer(),
    taskId: Type.String(),
    type: Type.Enum(["log", "recovered", "cancelled", "completion"]),
    body: anything,
    isTaskRecoverable: Type.Boolean(),
    createdAt: time,
  }),
);

export const actionList = Type.Array(
  Type.Object({
    id: Type.String(),
    description: Type.String(),
    schema: Type.Object({ input: anything, output: Type.Optional(anything) }),
    examples: Type.Array(anything),
  }),
);

const namePart = Type.String({ minLength: 1, maxLength: 256 });

export const templateParams = Type.Object({ namespace: namePart, kind: namePart, name: namePart });

export const parameterSchema = Type.Object({
  title: Type.String(),
  description: Type.Optional(Type.String()),
  steps: Type.Array(
    Type.Object({
      title: Type.String(),
      description: Type.Optional(Type.String()),
      schema: anything,
    }),
  ),
});

export const completionParams = Type.Object({ provider: namePart, resource: namePart });

export const completionBody = Type.Object({
  token: Type.String({
    minLength: 1,
    maxLength: 65_536,
    description: "Of the caller, for the host that is asked.",
  }),
  context: Type.Record(Type.String(), Type.String({ maxLength: 1_000 }), { default: {} }),
});

export const completions = Type.Object({
  results: Type.Array(Type.Object({ id: Type.String(), title: Type.Optional(Type.String()) })),
});

const examples = Type.Array(
  Type.Object({
    description: Type.Optional(Type.String()),
    example: Type.String(),
    notes: Type.Optional(Type.String()),
  }),
);

export const extensionList = Type.Object({
  filters: Type.Record(
    Type.String(),
    Type.Object({ description: Type.String(), schema: anything, examples }),
  ),
  globals: Type.Object({
    functions: Type.Record(
      Type.String(),
      Type.Object({ description: Type.String(), schema: anything, examples }),
    ),
    values: Type.Record(
      Type.String(),
      Type.Object({ description: Type.Optional(Type.String()), value: Type.Unknown() }),
    ),
  }),
});
