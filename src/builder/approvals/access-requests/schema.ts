/** Wire shapes of the operations on access requests. */
import { Type, type Static } from "typebox";
import { anyObject, optionalText } from "../schema.ts";

const statuses = [
  "PENDING",
  "APPROVED",
  "APPLYING",
  "GRANTED",
  "REVOKED",
  "REJECTED",
  "EXPIRED",
  "WITHDRAWN",
  "FAILED",
] as const;
const status = Type.Enum(statuses);
const operation = Type.Enum(["GRANT", "REVOKE"]);
const identifier = (description: string) => Type.String({ minLength: 1, maxLength: 512, description });

export const accessRequestBody = Type.Object({
  operation: Type.Enum(["GRANT", "REVOKE"], {
    default: "GRANT",
    description: "Whether the identities get access or lose it; nobody else's access changes.",
  }),
  deploymentUnitId: identifier("Id of the unit that has the output ports."),
  environment: Type.String({ minLength: 1, maxLength: 128, description: "A configured environment." }),
  outputPortUrns: Type.Array(identifier("Id of a component or subcomponent."), {
    minItems: 1,
    maxItems: 50,
    uniqueItems: true,
    description: "Each has to be deployed and consumable.",
  }),
  identities: Type.Array(Type.String({ minLength: 1, maxLength: 400 }), {
    minItems: 1,
    maxItems: 1000,
    uniqueItems: true,
    description: "As user:… and group:….",
  }),
  reason: Type.String({ maxLength: 2000, default: "", description: "For those who decide." }),
  templateRef: Type.Optional(
    identifier("Entity reference of an AccessControlRequestTemplate; accessControlFields have to fit it."),
  ),
  accessControlFields: Type.Optional(anyObject("Shown to those who decide, and passed on to the adapter.")),
});
export type AccessRequestBody = Static<typeof accessRequestBody>;

const hook = Type.Object({
  hookId: Type.String(),
  hookName: Type.String(),
  kind: Type.Enum(["notification", "remote"]),
  status: Type.Enum(["pending", "OK", "KO"]),
  expiresAt: Type.String(),
  endedBy: optionalText("Who answered it."),
  reason: optionalText("Why it ended, when somebody said so."),
  waiting: optionalText("What it waits for at the moment."),
});

const port = Type.Object({
  urn: Type.String(),
  name: optionalText("As deployed."),
  status: Type.Enum(["WAITING", "APPLYING", "DONE", "FAILED"]),
  executionPlanId: optionalText("The coordinator's plan."),
  message: optionalText("Why it failed."),
  waiting: optionalText("What it waits for at the moment."),
  waitingSince: optionalText("Since when."),
});

const fields = {
  id: Type.String(),
  operation,
  status,
  deploymentUnitId: Type.String(),
  environment: Type.String(),
  outputPorts: Type.Array(port),
  identities: Type.Array(Type.String()),
  reason: Type.String(),
  templateRef: optionalText("The template that was named."),
  accessControlFields: Type.Union([anyObject("As given."), Type.Null()]),
  requester: Type.String(),
  owners: Type.Array(Type.String(), { description: "Who may answer notifications about it." }),
  message: optionalText("Further information about its status."),
  waiting: Type.Union([Type.Object({ reason: Type.String(), since: Type.String() }), Type.Null()], {
    description: "What it waits for at the moment.",
  }),
  attempt: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  endedAt: optionalText("When it ended."),
};

export const accessRequestSummary = Type.Object(fields);
export type AccessRequestSummary = Static<typeof accessRequestSummary>;

export const accessRequest = Type.Object({
  ...fields,
  hooks: Type.Array(hook),
  history: Type.Array(
    Type.Object({
      at: Type.String(),
      status,
      by: Type.String(),
      message: optionalText("Further information."),
    }),
    { description: "Every status that it has had, in order." },
  ),
});
export type AccessRequest = Static<typeof accessRequest>;

export const accessRequestQuery = Type.Object({
  status: Type.Optional(status),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: "`meta.pagination.next` of the page before." }),
  ),
});

export const accessRequestList = Type.Object({
  data: Type.Array(accessRequestSummary),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Type.Union([Type.String(), Type.Null()]) }),
  }),
});
export type AccessRequestList = Static<typeof accessRequestList>;
