/** Wire shapes of the instantiations. */
import { Type } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";

const anything = Type.Unknown();
const values = Type.Record(Type.String(), anything);
const secrets = Type.Record(Type.String(), Type.String({ maxLength: 65_536 }), {
  description:
    "Known to the template as `secrets.<name>`. Stored encrypted while the task goes on, and never shown. All secrets of a request, in `values` too, have 131,072 characters together at most.",
});
const overrides = Type.Record(Type.String(), values, {
  description:
    "By environment: values that replace some of `values` there. Templates know them as `environment.<name>`.",
});

export const instantiateBody = Type.Object({
  templateRef: Type.String({
    minLength: 1,
    maxLength: 512,
    description:
      "Reference of the template: `[template:][<namespace>/]<name>`. With `entityRef` it is an EditTemplate or a ReverseProvisioningTemplate, named with its kind.",
  }),
  entityRef: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        "The system or component that is changed: `values` are then fields of it that get a new value; null takes one away, and fields that are left out stay.",
    }),
  ),
  revision: Type.Optional(
    Type.String({
      minLength: 7,
      maxLength: 64,
      description:
        "`revision` of the form that was filled in; when the branch has moved on, the answer is 409.",
    }),
  ),
  environment: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: "Of a reverse provisioning: the environment that the adapter is asked about.",
    }),
  ),
  values: Type.Record(Type.String(), anything, { description: "Values of the template's parameters." }),
  environmentOverrides: Type.Optional(overrides),
  secrets: Type.Optional(secrets),
});

export const retryBody = Type.Object({
  secrets: Type.Optional(secrets),
  secretValues: Type.Optional(
    Type.Record(Type.String(), anything, {
      description:
        "Values of the template's secret fields by their pointer in the first request, e.g. `/values/password`.",
    }),
  ),
});

export const taskParams = Type.Object({ taskId: Type.String({ minLength: 1, maxLength: 256 }) });

const status = Type.Enum(["open", "processing", "completed", "failed", "cancelled"]);
const time = Type.String({ format: "date-time" });

export const taskId = Type.Object({ id: Type.String() });
export const taskStatus = Type.Object({ status });

const taskHead = {
  id: Type.String(),
  templateRef: Type.String(),
  title: Type.String({ description: "Title of the template." }),
  status,
  createdBy: Type.String({ description: "Entity reference of who started it." }),
  createdAt: time,
  startedAt: Nullable(time),
  endedAt: Nullable(time),
  error: Nullable(Type.String()),
};

export const taskList = Type.Object({
  data: Type.Array(Type.Object(taskHead)),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Nullable(Type.String()) }),
  }),
});

export const tasksQuery = Type.Object({
  owner: Type.Enum(["me", "all"], { default: "me", description: "`all` is for operators." }),
  status: Type.Array(status, { default: [], maxItems: 5, description: "Comma-separated." }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: "`meta.pagination.next` of the page before." }),
  ),
});

export const taskDetail = Type.Object({
  ...taskHead,
  entityRef: Nullable(
    Type.String({ description: "The entity that an edit or a reverse provisioning changes." }),
  ),
  parameters: Type.Record(Type.String(), anything, { description: "Secret values are masked." }),
  environmentOverrides: Type.Record(Type.String(), anything),
  steps: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      action: Type.String(),
      status: Type.Enum(["open", "processing", "completed", "failed", "skipped"]),
      output: Type.Record(Type.String(), anything),
      error: Nullable(Type.String()),
      startedAt: Nullable(time),
      endedAt: Nullable(time),
    }),
  ),
  output: Type.Record(Type.String(), anything),
  waiting: Nullable(Type.String({ description: "Why it does not progress at the moment." })),
});

const file = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 1_000 }),
  base64Content: Type.String({ maxLength: 4 * 1024 * 1024 }),
});

export const dryRunBody = Type.Object({
  templateRef: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  template: Type.Optional(
    Type.Record(Type.String(), anything, { description: "A Template entity, instead of `templateRef`." }),
  ),
  values: Type.Record(Type.String(), anything),
  environmentOverrides: Type.Optional(overrides),
  secrets: Type.Optional(secrets),
  directoryContents: Type.Array(file, {
    default: [],
    maxItems: 1_000,
    description: "Files next to the template; its relative paths begin there.",
  }),
});

export const templateBody = Type.Object({
  template: Type.Record(Type.String(), anything, { description: "A Template entity." }),
});

export const templateVerdict = Type.Object({
  problems: Type.Array(
    Type.Object({
      where: Type.String({
        description: "JSON pointer into the entity; in an expression with line and column.",
      }),
      message: Type.String(),
    }),
  ),
});

export const dryRunAnswer = Type.Object({
  status: Type.Enum(["completed", "failed"]),
  log: Type.Array(
    Type.Object({
      body: Type.Object({
        message: Type.String(),
        stepId: Type.Optional(Type.String()),
        status: Type.Optional(Type.String()),
      }),
      createdAt: time,
    }),
  ),
  steps: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), action: Type.String() })),
  output: Type.Record(Type.String(), anything),
  error: Nullable(Type.String()),
  directoryContents: Type.Array(
    Type.Object({ path: Type.String(), base64Content: Type.String(), executable: Type.Boolean() }),
  ),
});
