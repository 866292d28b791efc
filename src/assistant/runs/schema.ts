/** Wire shapes of the runs. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../platform/http/schema.ts";
import { runApproval } from "./approvals/schema.ts";

/** Longest message of a user, wherever it comes in. */
export const longestMessage = 10_000;

const id = Type.String({ minLength: 1, maxLength: 256 });

const part = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }));

const pageContext = Type.Object(
  {
    page: Type.String({ minLength: 1, maxLength: 200, description: "The page's name, as people know it." }),
    path: part(2_048, "Its address below that of the server."),
    unit: part(512, "Id of the deployment unit that it shows."),
    environment: part(128, "The environment that it shows."),
    plan: part(256, "Token of the execution plan that it shows."),
    selection: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
        maxItems: 100,
        description: "Ids of what the user has selected there.",
      }),
    ),
  },
  { additionalProperties: false },
);
export type PageContext = Static<typeof pageContext>;

export const taskBody = Type.Object({
  message: Type.String({ minLength: 1, maxLength: longestMessage }),
  session_id: Type.Optional(Nullable(Type.String({ description: "A session of yours; a new one without." }))),
  request_id: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 512,
        description: "Chosen by the caller: the same request under the same id joins the run that there is.",
      }),
    ),
  ),
  agent_id: Type.Optional(
    Nullable(Type.String({ description: "The agent to ask; that of the session without." })),
  ),
  page_context: Type.Optional(
    Type.Union([Type.String(), pageContext, Type.Null()], {
      description: "What the user looks at, as a text or in parts. Data for the model, never instructions.",
    }),
  ),
});

export const syncAnswer = Type.Object({
  message: Type.String(),
  title: Type.String(),
  session_id: Type.String(),
  request_id: Type.String(),
});

export const runParams = Type.Object({ run_id: id });

const runStatus = Type.Enum([
  "queued",
  "running",
  "waiting",
  "completed",
  "failed",
  "cancelled",
  "interrupted",
]);

export const runStatusAnswer = Type.Object({ id: Type.String({ format: "uuid" }), status: runStatus });

export const runAnswer = Type.Object({
  id: Type.String({ format: "uuid" }),
  session_id: Type.String({ format: "uuid" }),
  request_id: Type.String(),
  status: runStatus,
  waiting: Nullable(Type.String({ description: "Why it does not progress at the moment." })),
  approvals: Type.Array(runApproval),
});

const usageGroups = ["agent", "model", "run", "session", "user"] as const;

export const usageQuery = Type.Object({
  by: Type.Enum(usageGroups, { default: "agent" }),
  owner: Type.Enum(["me", "all"], {
    default: "me",
    description: "`all` is for operators; others are refused.",
  }),
  from: Type.Optional(Type.String({ format: "date-time" })),
  until: Type.Optional(Type.String({ format: "date-time" })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0 }),
});

const sums = {
  calls: Type.Integer(),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cached_tokens: Type.Integer(),
  cost: Type.Number({ description: "At the configured prices, with nine digits after the point." }),
};

export const usageAnswer = Type.Object({
  data: Type.Array(Type.Object({ key: Type.String(), ...sums })),
  meta: Type.Object({
    pagination: Type.Object({ total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }),
    total: Type.Object(sums),
  }),
});

/** Counts characters as a schema does: whole ones, not the halves of surrogate pairs. */
export function isTooLong(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= longestMessage; count += 1)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count > longestMessage;
}
