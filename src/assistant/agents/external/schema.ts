/** Wire shapes of agents that run elsewhere. */
import { Type, type Static } from "typebox";
import { Nullable } from "../../../platform/http/schema.ts";
import { pageQuery, pagination, searchQuery, uuid, visibleText } from "../../record-schema.ts";

const name = visibleText({ maxLength: 255 });
const description = Type.String({ maxLength: 1_024 });
const endpoint = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: "Where the agent is reached. Values of its query are masked for all but who may edit it.",
});
const payload = {
  additionalProperties: true,
  description:
    "How it is spoken to: `protocol` is a2a, agui, openai or http; with `destructive` true the user is asked before each " +
    "call; the rest is for that protocol. Its texts are masked for all but who may edit it.",
};
const needAuthentication = {
  description: "Whether it receives a token of the run that names the user; otherwise it gets none.",
};
const active = { description: "Whether it is offered to agents." };

export const externalAgentBody = Type.Object({
  name,
  description,
  endpoint,
  payload: Type.Object({}, { ...payload, default: {} }),
  need_authentication: Type.Boolean({ ...needAuthentication, default: true }),
  active: Type.Boolean({ ...active, default: true }),
});
export type ExternalAgentBody = Static<typeof externalAgentBody>;

export const externalAgentPatch = Type.Object({
  name: Type.Optional(Nullable(name)),
  description: Type.Optional(Nullable(description)),
  endpoint: Type.Optional(Nullable(endpoint)),
  payload: Type.Optional(Nullable(Type.Object({}, payload))),
  need_authentication: Type.Optional(Nullable(Type.Boolean(needAuthentication))),
  active: Type.Optional(Nullable(Type.Boolean(active))),
  title: Type.Optional(
    Type.Unsafe<never>({ not: {}, description: "Follows from the name, so it is not taken." }),
  ),
});
export type ExternalAgentPatch = Static<typeof externalAgentPatch>;

export const externalAgent = Type.Object({
  id: uuid(),
  name: Type.String(),
  title: Type.String({ description: "The name as people read it." }),
  description: Type.String(),
  endpoint: Type.String(),
  payload: Type.Object({}, { additionalProperties: true }),
  need_authentication: Type.Boolean(),
  active: Type.Boolean(),
});
export type ExternalAgent = Static<typeof externalAgent>;

export const externalAgentList = Type.Object({
  data: Type.Array(externalAgent),
  meta: Type.Object({ pagination }),
});
export type ExternalAgentList = Static<typeof externalAgentList>;

export const externalAgentQuery = Type.Object({
  ...searchQuery,
  active: Type.Optional(Type.Boolean()),
  ...pageQuery,
});

export const externalAgentParams = Type.Object({ agent_id: uuid() });

export const tokenKeys = Type.Object({
  keys: Type.Array(Type.Object({}, { additionalProperties: Type.String() })),
});
