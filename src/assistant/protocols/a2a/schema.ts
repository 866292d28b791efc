/** Wire shapes of A2A: JSON-RPC messages, the parameters of the methods in both versions, and the card of an agent. */
import { Type, type Static, type TSchema } from "typebox";
import { Nullable, OneOf } from "../../../platform/http/schema.ts";
import { taskStates } from "./fold-task.ts";
import { stateNameV1 } from "./dialects.ts";

const rpcId = Type.Unsafe<string | number | null>({
  type: ["string", "integer", "null"],
  maxLength: 512,
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
});

export const rpcRequest = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Optional(rpcId),
  method: Type.String({ minLength: 1, maxLength: 256 }),
  params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
export type RpcRequest = Static<typeof rpcRequest>;

export const rpcAnswer = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: rpcId,
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(
    Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});
export type RpcAnswer = Static<typeof rpcAnswer>;

/** Optional fields may also be null, as in the JSON of protocol buffers. */
const optional = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema));

const id = Type.String({ minLength: 1, maxLength: 512 });
const someId = optional(Type.String({ maxLength: 512 }));
const historyLength = optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }));
const anything = Type.Optional(Type.Unknown());
const maxParts = 1_000;

const partsOf = <T extends TSchema>(part: T) => Type.Array(part, { minItems: 1, maxItems: maxParts });

export const sendParamsV1 = Type.Object({
  message: Type.Object({
    messageId: id,
    contextId: someId,
    taskId: someId,
    role: Type.Literal("ROLE_USER"),
    parts: partsOf(
      Type.Object({
        text: optional(Type.String()),
        data: anything,
        raw: optional(Type.String()),
        url: optional(Type.String()),
      }),
    ),
  }),
  configuration: optional(
    Type.Object({
      historyLength,
      returnImmediately: optional(Type.Boolean()),
      taskPushNotificationConfig: anything,
    }),
  ),
});

export const sendParamsV03 = Type.Object({
  message: Type.Object({
    messageId: id,
    contextId: someId,
    taskId: someId,
    role: Type.Literal("user"),
    parts: partsOf(
      Type.Object({
        kind: OneOf(["text", "data", "file"]),
        text: optional(Type.String()),
        data: anything,
      }),
    ),
  }),
  configuration: optional(
    Type.Object({ historyLength, blocking: optional(Type.Boolean()), pushNotificationConfig: anything }),
  ),
});

export const taskParams = Type.Object({ id, historyLength });

/** States that no task of this server is ever in; clients may still filter by them. */
const otherStates = ["TASK_STATE_UNSPECIFIED", "TASK_STATE_REJECTED", "TASK_STATE_AUTH_REQUIRED"];

export const listParams = Type.Object({
  contextId: someId,
  status: optional(OneOf([...taskStates.map(stateNameV1), ...otherStates])),
  pageSize: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  pageToken: optional(Type.String({ maxLength: 1_000 })),
  historyLength,
  statusTimestampAfter: optional(Type.String({ format: "date-time" })),
  includeArtifacts: optional(Type.Boolean()),
});

export const noParams = Type.Object({});

export const versionQuery = Type.Object({
  "A2A-Version": Type.Optional(
    Type.String({ maxLength: 64, description: "In place of the header of that name." }),
  ),
});
export const versionHeader = Type.Object({
  "a2a-version": Type.Optional(Type.String({ description: "1.0 or 0.3; 0.3 when it is missing." })),
});

export const agentParams = Type.Object({
  agent_name: Type.String({ minLength: 1, maxLength: 255, description: "Name or id of an agent." }),
});

const texts = Type.Array(Type.String());

/** Has the fields that clients of both versions look for. */
export const agentCard = Type.Object({
  name: Type.String(),
  description: Type.String(),
  version: Type.String(),
  protocolVersion: Type.String(),
  url: Type.String(),
  preferredTransport: Type.String(),
  supportedInterfaces: Type.Array(
    Type.Object({ url: Type.String(), protocolBinding: Type.String(), protocolVersion: Type.String() }),
  ),
  provider: Type.Object({ organization: Type.String(), url: Type.String() }),
  capabilities: Type.Object({
    streaming: Type.Boolean(),
    pushNotifications: Type.Boolean(),
    stateTransitionHistory: Type.Boolean(),
    extendedAgentCard: Type.Boolean(),
  }),
  supportsAuthenticatedExtendedCard: Type.Boolean(),
  securitySchemes: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown())),
  securityRequirements: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  security: Type.Array(Type.Record(Type.String(), texts)),
  defaultInputModes: texts,
  defaultOutputModes: texts,
  skills: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), description: Type.String(), tags: texts }),
  ),
});
export type AgentCard = Static<typeof agentCard>;
