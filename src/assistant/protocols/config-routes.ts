import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AssistantExtra } from "../context.ts";
import { getConfig, setConfig } from "./config-service.ts";
import { Type } from "typebox";

const tags = ["Configuration"];

export function addConfigRoutes(app: AreaApp<AssistantExtra>): void {
  route(app, {
    id: "setConfig",
    method: "PUT",
    path: "/config/{key}",
    summary: "Set config",
    description:
      "Runs that begin or go on afterwards read the keys `budgets` and `approvals`, which may only tighten what the settings of the server allow; null takes the settings again. Any other key is kept for clients. A mask in the value keeps what is stored at its place. Values under names of secrets are shown to who may set keys only.",
    tags,
    rule: "writeAssistantConfig",
    params: configParams,
    body: configBody,
    response: { 200: configEntry },
    handler: (ctx, { params, body }) => setConfig(ctx, { key: params.key, value: body.value }),
  });
  route(app, {
    id: "getConfig",
    method: "GET",
    path: "/config/{key}",
    summary: "Get the value of a key",
    description: "`budgets` and `approvals` show what the settings of the server say while they are not set.",
    tags,
    rule: "readAssistant",
    params: configParams,
    response: { 200: configEntry },
    errors: [404],
    handler: (ctx, { params }) => getConfig(ctx, params.key),
  });
}

export const configParams = Type.Object({ key: Type.String({ minLength: 1, maxLength: 255 }) });

export const configBody = Type.Object({
  value: Type.Unknown({ description: "Any JSON value, null among them." }),
});

export const configEntry = Type.Object({ key: Type.String(), value: Type.Unknown() });
