/** Wire shapes of the operations on hooks. */
import { Type, type Static } from "typebox";

const kind = Type.Enum(["notification", "remote"]);
const status = Type.Enum(["pending", "OK", "KO"]);
export const anyObject = (description: string) =>
  Type.Object({}, { additionalProperties: true, description });
export const optionalText = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });
const optionalObject = (description: string) => Type.Union([anyObject(description), Type.Null()]);

export const hookUpdateBody = Type.Object({
  status: Type.Enum(["OK", "KO"], { description: "The decision of the third party." }),
  hookInfo: Type.Optional(
    anyObject(
      "Kept as the response data of the hook. Its `reason`, `message` or `comment` is shown to the requester.",
    ),
  ),
});
export type HookUpdate = Static<typeof hookUpdateBody>;

export const hookAnswerBody = Type.Object({
  status: Type.Enum(["OK", "KO"]),
  reason: Type.String({ maxLength: 2000, default: "", description: "For the requester." }),
});
export type HookAnswer = Static<typeof hookAnswerBody>;

const recordFields = {
  hookId: Type.String(),
  hookName: Type.String(),
  actionId: Type.String(),
  actionName: Type.String(),
  creationAt: Type.String(),
  updateAt: Type.String(),
};

export const hookRecord = Type.Object({ ...recordFields, status });
export type HookRecord = Static<typeof hookRecord>;

const statusOfSide = Type.Union([Type.String(), Type.Null()]);

const deploymentDiff = Type.Object(
  {
    identical: Type.Boolean(),
    components: Type.Array(
      Type.Object({
        componentId: Type.String(),
        result: Type.Enum(["IDENTICAL", "DIFFERENT", "ONLY_IN_ENVIRONMENT", "ONLY_IN_OTHER_ENVIRONMENT"]),
        differences: Type.Array(Type.Enum(["STATUS", "DESCRIPTOR_VERSION", "FIELDS"])),
        status: Type.Object({ environment: statusOfSide, otherEnvironment: statusOfSide }),
        descriptorVersion: Type.Object({ environment: Type.String(), otherEnvironment: Type.String() }),
        changedFields: Type.Array(
          Type.Object({
            field: Type.String({ description: "JSON pointer into the component's descriptor." }),
            environment: Type.Optional(Type.Unknown()),
            otherEnvironment: Type.Optional(Type.Unknown()),
          }),
        ),
        hasMoreChangedFields: Type.Boolean(),
      }),
    ),
  },
  {
    description:
      "What the plan's descriptor changes, as in `getUnitDiff`: `environment` is what is deployed now, `otherEnvironment` what the " +
      "plan is to deploy. Only while the decision waits.",
  },
);
export type DeploymentDiff = Static<typeof deploymentDiff>;

const askedDeployment = Type.Object(
  {
    deploymentUnitId: Type.String(),
    environment: Type.String(),
    planId: Type.String({ description: "The plan that waits for the decision." }),
    planHash: Type.String({ description: "As in its preview; empty for a resumption." }),
    removeData: Type.Boolean(),
    rule: Type.String({ description: "The rule by which somebody else decides." }),
    changes: Type.Array(
      Type.Object({ componentId: Type.String(), action: Type.String(), reason: Type.String() }),
      { description: "At most 200 of them." },
    ),
    changeCount: Type.Integer(),
    approvers: Type.Optional(
      Type.Array(Type.String(), {
        description: "Entity references of those who may decide; operators may too, the requester never.",
      }),
    ),
    diff: Type.Optional(deploymentDiff),
    policyResults: Type.Optional(
      Type.Array(
        Type.Object({
          componentId: Type.String(),
          status: Type.Enum(["COMPLETED", "FAILED"], { description: "FAILED: they would stop the plan." }),
          problems: Type.Array(Type.String()),
        }),
        {
          description:
            "What the policies said when the plan was started; absent where they could not be asked. They are asked again when it begins.",
        },
      ),
    ),
  },
  { description: "Only of the action deployment, and of a single hook." },
);

const askedAbout = Type.Object(
  {
    deploymentUnitId: optionalText("The unit that it is about."),
    environment: optionalText("Where."),
    accessRequestId: optionalText("Of the action accessRequest."),
    planId: optionalText("Of the action deployment: the plan that waits."),
    removeData: Type.Boolean({ description: "Whether data is to be removed." }),
  },
  { description: "What is asked for." },
);

export const hookDetails = Type.Object({
  ...recordFields,
  status,
  kind,
  requester: Type.String(),
  owners: Type.Array(Type.String(), {
    description: "Who may answer a notification; operators may answer every hook.",
  }),
  about: askedAbout,
  expiresAt: Type.String(),
  attempts: Type.Integer({ description: "Calls of the third party that were begun." }),
  sentAt: optionalText("When the third party accepted the request."),
  sentInfo: optionalObject("The hookInfo of its 202."),
  lastError: optionalText("Why the last call failed, or what was unexpected in its answer."),
  response: optionalObject(
    "The response data: the hookInfo of the answer, or the error that ended the hook.",
  ),
  endedBy: optionalText("Who answered it."),
  reason: optionalText("Why it ended, when somebody said so."),
  waiting: optionalText("What it waits for at the moment."),
  deployment: Type.Optional(askedDeployment),
});
export type HookDetails = Static<typeof hookDetails>;
export type AskedAbout = Static<typeof askedAbout>;
export type AskedDeployment = Static<typeof askedDeployment>;

export const hookListQuery = Type.Object({
  status: Type.Optional(status),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: "`meta.pagination.next` of the page before." }),
  ),
});

export const hookList = Type.Object({
  data: Type.Array(hookDetails),
  meta: Type.Object({
    pagination: Type.Object({ limit: Type.Integer(), next: Type.Union([Type.String(), Type.Null()]) }),
  }),
});
export type HookList = Static<typeof hookList>;
