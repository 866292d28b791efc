/** Wire shapes of approvals. */
import { Type } from "typebox";
import { Nullable } from "../../../platform/http/schema.ts";
import { pageQuery, pagination } from "../../record-schema.ts";

const time = Type.String({ format: "date-time" });
const id = Type.String({ minLength: 1, maxLength: 256 });
const givenArguments = Type.Record(Type.String(), Type.Unknown());

/** Longest reason of a refusal, wherever it comes in. */
export const longestReason = 2_000;

export const approvalParams = Type.Object({ run_id: id, approval_id: id });

export const approvalBody = Type.Object({
  approved: Type.Boolean({ description: "Whether the tool may be called." }),
  reason: Type.Optional(
    Nullable(Type.String({ maxLength: longestReason, description: "Of a refusal; the model reads it." })),
  ),
  arguments: Type.Optional(
    Nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "All arguments, to call the tool with in place of those of the model. A mask keeps the value that it stands for.",
      }),
    ),
  ),
});

export const approvalAnswer = Type.Object({
  id: Type.String({ format: "uuid" }),
  status: Type.Enum(["approved", "denied"]),
});

const approvalFields = {
  agents: Type.Array(Type.String(), { description: "From the first agent to the one that calls." }),
  server: Type.String(),
  tool: Type.String(),
};

const argumentsSchema = Nullable(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "JSON Schema of the tool's arguments, which edited ones have to fit. null while its server is not connected, and for one beyond 64 KiB.",
    },
  ),
);

/** An approval of a run, decided or not. */
export const runApproval = Type.Object({
  id: Type.String({ format: "uuid" }),
  tool_call_id: Type.String(),
  ...approvalFields,
  arguments: givenArguments,
  status: Type.Enum(["pending", "approved", "denied", "expired"]),
  reason: Nullable(Type.String({ description: "What the user said." })),
  edited_arguments: Nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: "What the user approved in their place." }),
  ),
  created_at: time,
  expires_at: time,
  arguments_schema: Type.Optional(argumentsSchema),
});

export const approvalsQuery = Type.Object(pageQuery);

export const approvalList = Type.Object({
  data: Type.Array(
    Type.Object({
      approval_id: Type.String({ format: "uuid" }),
      run_id: Type.String({ format: "uuid" }),
      session_id: Type.String({ format: "uuid" }),
      tool_call_id: Type.String(),
      ...approvalFields,
      arguments: Type.Record(Type.String(), Type.Unknown(), { description: "Secrets are masked." }),
      arguments_schema: argumentsSchema,
      since: time,
      expires_at: time,
      how_to_decide: Type.String(),
    }),
  ),
  meta: Type.Object({ pagination }),
});
