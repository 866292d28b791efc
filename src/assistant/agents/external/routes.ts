import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { AssistantExtra } from "../../context.ts";
import { plainUuid } from "../../record-schema.ts";
import {
  externalAgent,
  externalAgentBody,
  externalAgentList,
  externalAgentParams,
  externalAgentPatch,
  externalAgentQuery,
  tokenKeys,
} from "./schema.ts";
import {
  changeExternalAgent,
  findExternalAgents,
  getExternalAgent,
  registerExternalAgent,
  removeExternalAgent,
} from "./service.ts";

const tags = ["External agents"];
const path = "/agent-catalog/{agent_id}";

export function addExternalAgentRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "registerAgent",
    method: "POST",
    path: "/agent-catalog",
    summary: "Register agent",
    tags,
    rule: "writeExternalAgents",
    body: externalAgentBody,
    response: { 201: externalAgent },
    handler: (ctx, { body }) => registerExternalAgent(ctx, body),
  });
  route(app, {
    id: "getRegisteredAgents",
    method: "GET",
    path: "/agent-catalog",
    summary: "Get the external agents",
    tags,
    rule: "readAssistant",
    query: externalAgentQuery,
    response: { 200: externalAgentList },
    handler: (ctx, { query: { search, active, limit, offset } }) =>
      findExternalAgents(ctx, { search, active, limit, offset }),
  });
  route(app, {
    id: "getRegisteredAgent",
    method: "GET",
    path,
    summary: "Get an external agent",
    tags,
    rule: "readAssistant",
    params: externalAgentParams,
    response: { 200: externalAgent },
    errors: [404],
    handler: (ctx, { params }) => getExternalAgent(ctx, plainUuid(params.agent_id)),
  });
  route(app, {
    id: "patchAgent",
    method: "PATCH",
    path,
    summary: "Patch agent",
    description:
      "Fields that are null or left out stay as they are, and so does what a mask stands for. With another address the secrets " +
      "in it and in the payload have to be given again.",
    tags,
    rule: "writeExternalAgents",
    params: externalAgentParams,
    body: externalAgentPatch,
    response: { 200: externalAgent },
    errors: [404],
    handler: (ctx, { params, body }) => changeExternalAgent(ctx, plainUuid(params.agent_id), body),
  });
  route(app, {
    id: "deleteRegisteredAgent",
    method: "DELETE",
    path,
    summary: "Delete an external agent",
    tags,
    rule: "writeExternalAgents",
    params: externalAgentParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404],
    handler: (ctx, { params }) => removeExternalAgent(ctx, plainUuid(params.agent_id)),
  });
  route(app, {
    id: "getTokenKeys",
    method: "GET",
    path: "/keys",
    summary: "Get the keys of tokens",
    description: "As a JSON Web Key Set. With it agents verify the tokens that name the user.",
    tags,
    rule: "readTokenKeys",
    response: { 200: tokenKeys },
    handler: (ctx) => ctx.assistant.signer.keys(),
  });
}
