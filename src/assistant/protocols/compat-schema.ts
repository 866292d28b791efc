/** Wire shapes of the requests of other clients; only the fields that are used here. */
import { Type, type Static } from "typebox";

const textPart = Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) });
const content = Type.Union([Type.String(), Type.Array(textPart), Type.Null()]);
const chatMessage = Type.Object({ role: Type.String(), content: Type.Optional(content) });
export type GivenMessage = Static<typeof chatMessage>;

const model = Type.String({ minLength: 1, maxLength: 255, description: "Name of an agent." });
const messages = Type.Array(chatMessage, { minItems: 1, maxItems: 1_000 });

export const chatBody = Type.Object({
  model,
  messages,
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  stream_options: Type.Optional(
    Type.Union([
      Type.Object({
        include_usage: Type.Optional(
          Type.Union([Type.Boolean(), Type.Null()], {
            description: "Whether a last chunk without choices has the usage.",
          }),
        ),
      }),
      Type.Null(),
    ]),
  ),
});

/** The answer to an approval, or the request for one that the client sends back with its history. */
const approvalInput = Type.Object({
  type: Type.Enum(["mcp_approval_response", "mcp_approval_request"]),
  approval_request_id: Type.Optional(Type.String({ maxLength: 256 })),
  approve: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
export type GivenInput = GivenMessage | Static<typeof approvalInput>;

export const responsesBody = Type.Object({
  model,
  input: Type.Union([
    Type.String(),
    Type.Array(Type.Union([chatMessage, approvalInput]), { minItems: 1, maxItems: 1_000 }),
  ]),
  instructions: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  previous_response_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  stream: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});

export const aguiBody = Type.Object({
  threadId: Type.String({ minLength: 1, maxLength: 512 }),
  runId: Type.String({ minLength: 1, maxLength: 512 }),
  messages,
  context: Type.Optional(
    Type.Array(Type.Object({ description: Type.String(), value: Type.String() }), { maxItems: 100 }),
  ),
});

const uiPart = Type.Object({
  type: Type.String(),
  text: Type.Optional(Type.String()),
  state: Type.Optional(Type.String()),
  approval: Type.Optional(
    Type.Object({
      id: Type.String({ maxLength: 256 }),
      approved: Type.Optional(Type.Boolean()),
      reason: Type.Optional(Type.String()),
    }),
  ),
});
export type GivenPart = Static<typeof uiPart>;

const uiMessage = Type.Object({
  role: Type.String(),
  parts: Type.Optional(Type.Array(uiPart, { maxItems: 10_000 })),
});

export const uiBody = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 512,
    description: "Of the chat; each has a session of its own.",
  }),
  messages: Type.Array(uiMessage, { minItems: 1, maxItems: 1_000 }),
});

export const resumeQuery = Type.Object({
  resume: Type.Boolean({
    default: false,
    description: "Whether the run goes on when the client disconnects. Otherwise that cancels it.",
  }),
});

export const chatParams = Type.Object({ chat_id: Type.String({ minLength: 1, maxLength: 512 }) });

export const modelParams = Type.Object({ model: Type.String({ minLength: 1, maxLength: 255 }) });
export const responseParams = Type.Object({ response_id: Type.String({ minLength: 1, maxLength: 255 }) });
export const responseQuery = Type.Object({
  stream: Type.Boolean({ default: false, description: "Whether it is answered as a stream of its events." }),
  starting_after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: "With `stream`: the `sequence_number` of the last event that the client has.",
    }),
  ),
});

const anything = Type.Record(Type.String(), Type.Unknown());
export const anyObject = anything;

export const modelEntry = Type.Object({
  id: Type.String(),
  object: Type.String(),
  created: Type.Integer(),
  owned_by: Type.String(),
});

export const modelList = Type.Object({
  object: Type.String(),
  data: Type.Array(modelEntry),
});
