/** Wire shapes of policies and metrics. */
import { Type, type Static, type TObject, type TSchema } from "typebox";
import { statuses } from "./transitions.ts";

const name = Type.String({ minLength: 1, maxLength: 255, pattern: "\\S" });
const longText = Type.String({ maxLength: 8_192 });
const list = <T extends TSchema>(items: T, maxItems: number, description: string) =>
  Type.Array(items, { default: [], maxItems, description });

export const policyId = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$",
  description: "Letters, digits, dots, colons, hyphens and underscores.",
});

export const engineNames = ["cel", "json-schema", "remote", "cue", "model"] as const;
export type EngineName = (typeof engineNames)[number];

const kinds = ["policy", "metric"] as const;
const triggers = ["active", "passive"] as const;

/** Longest expression or script. */
const scriptLength = 65_536;
const script = (description: string) => Type.String({ minLength: 1, maxLength: scriptLength, description });

/** What each engine is given. */
export const specs = {
  cel: Type.Object(
    {
      assert: script("True where the resource is right, or a list of what is wrong. Of a metric: its value."),
      message: Type.Optional(longText),
    },
    { additionalProperties: false },
  ),
  "json-schema": Type.Object(
    { schema: Type.Union([Type.Boolean(), Type.Record(Type.String(), Type.Unknown())]) },
    { additionalProperties: false },
  ),
  remote: Type.Object(
    {
      url: Type.String({ minLength: 1, maxLength: 4_096 }),
      timeoutMs: Type.Optional(
        Type.Integer({
          minimum: 100,
          maximum: 60_000,
          description: "Of one call. A plan or preview waits no longer than its evaluation may take.",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  cue: Type.Object({ script: script("A script in CUE.") }, { additionalProperties: false }),
  model: Type.Object(
    { agentId: Type.String({ minLength: 1, maxLength: 255 }), prompt: script("What the agent is asked.") },
    { additionalProperties: false },
  ),
} satisfies Record<EngineName, TObject>;

export const threshold = Type.Object(
  {
    label: name,
    from: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    to: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    colour: Type.Optional(Type.String({ maxLength: 64 })),
  },
  {
    additionalProperties: false,
    description: "A range of values, from its start up to but without its end.",
  },
);

const content = {
  kind: Type.Enum(kinds, { default: "policy" }),
  name,
  description: Type.Optional(longText),
  tags: list(Type.String({ minLength: 1, maxLength: 128 }), 64, "For finding it."),
  advice: Type.Optional(longText),
  severity: Type.Enum(["info", "warning", "error"] as const, { default: "error" }),
  context: Type.Enum(["local", "global"] as const, {
    default: "local",
    description: "`local` sees the resource, `global` also the unit that it belongs to.",
  }),
  resourceType: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  environments: list(Type.String({ minLength: 1, maxLength: 63 }), 64, "Empty for every environment."),
  select: Type.Optional(script("An expression over the resource; the policy applies where it is true.")),
  engine: Type.Enum(engineNames),
  spec: Type.Record(Type.String(), Type.Unknown(), { description: "As the engine takes it." }),
  strategy: Type.Enum(["default", "previous_vs_current", "none"] as const, {
    default: "default",
    description: "`previous_vs_current` compares with what is deployed; `none` is for passive ones.",
  }),
  timing: Type.Enum(["deployment", "runtime"] as const, { default: "deployment" }),
  trigger: Type.Enum(triggers, {
    default: "active",
    description: "Results of passive ones are pushed.",
  }),
  schedule: Type.Optional(
    Type.String({
      maxLength: 128,
      description: "When runtime ones are evaluated: five fields of cron, UTC.",
    }),
  ),
  thresholds: list(threshold, 32, "Of a metric."),
  onError: Type.Enum(["warn", "block"] as const, {
    default: "warn",
    description: "What a policy does that breaks, overruns or cannot be reached.",
  }),
  cueScript: Type.Optional(script("The same in CUE, for clients that evaluate it themselves.")),
};

/** What clients of older releases read; ignored in requests. */
const olderFields = {
  environment: Type.Union([Type.String(), Type.Null()], { readOnly: true }),
  interactionType: Type.String({ readOnly: true }),
  externalUrl: Type.Union([Type.String(), Type.Null()], { readOnly: true }),
  governanceAgentSpec: Type.Union([Type.Object({ prompt: Type.String() }), Type.Null()], { readOnly: true }),
};

export const policyContent = Type.Object(content);
/** What a version of a policy says. */
export type PolicyContent = Static<typeof policyContent>;

const contentFields = Object.keys(policyContent.properties);
/** The content alone: callers send back what they have read, with the id, the status and the fields for older clients. */
export const contentOf = (given: PolicyContent): PolicyContent =>
  Object.fromEntries(
    Object.entries(given).filter(([field]) => contentFields.includes(field)),
  ) as PolicyContent;

export const newPolicyBody = Type.Object({ id: Type.Optional(policyId), ...content });
export type NewPolicyBody = Static<typeof newPolicyBody>;

export const changedPolicyBody = Type.Object({
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "The version that is changed." }),
  ...content,
});
export type ChangedPolicyBody = Static<typeof changedPolicyBody>;

const time = Type.String({ format: "date-time" });

export const statusBody = Type.Object({
  status: Type.Enum(statuses),
  graceUntil: Type.Optional(time),
  reason: Type.String({ minLength: 1, maxLength: 2_048, pattern: "\\S" }),
});
export type StatusBody = Static<typeof statusBody>;

export const policyView = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  status: Type.Enum(statuses),
  graceUntil: Type.Optional(time),
  ...content,
  ...olderFields,
  createdAt: time,
  createdBy: Type.String(),
  updatedAt: time,
  updatedBy: Type.String(),
});
export type PolicyView = Static<typeof policyView>;

export const policyVersion = Type.Object({
  version: Type.Integer(),
  createdAt: time,
  createdBy: Type.String(),
  policy: policyContent,
});
export const policyVersions = Type.Object({ data: Type.Array(policyVersion) });
export type PolicyVersions = Static<typeof policyVersions>;

export const pagination = Type.Object({
  pagination: Type.Object({ offset: Type.Integer(), limit: Type.Integer(), total: Type.Integer() }),
});

export const policyList = Type.Object({ data: Type.Array(policyView), meta: pagination });

const commaList = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    default: [],
    maxItems: 1_000,
    description: `${description} Comma-separated; any may match.`,
  });

const anyOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Array(Type.Enum(values), {
    default: [],
    maxItems: 1_000,
    description: `${description} Comma-separated; any may match.`,
  });

export const policyQuery = Type.Object({
  status: anyOf(statuses, "Statuses."),
  trigger: anyOf(triggers, "Who evaluates them."),
  kind: anyOf(kinds, "Kinds."),
  engine: anyOf(engineNames, "Names of engines."),
  "resource-type": commaList("Types of resources."),
  env: commaList("Environments that they are evaluated in."),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: "Part of the name, description or a tag." }),
  ),
  "id-in": commaList("Ids."),
  limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 25 }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  "sort-by": Type.Enum(["name", "status", "updatedAt"] as const, { default: "name" }),
  "sort-order": Type.Enum(["asc", "desc"] as const, { default: "asc" }),
});
export type PolicyQuery = Static<typeof policyQuery>;

export const policyParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 128 }) });
