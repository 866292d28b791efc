/** The documents that lead clients of the MCP server to where they sign in. */
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { AssistantContext, AssistantExtra } from "../../context.ts";
import { assistantFailure } from "../../error-codes.ts";
import { beginSignIn, endSignIn, register, serverMetadata } from "./authorization.ts";
import { allowBrowsers } from "./browsers.ts";
import type { ProviderCache } from "./provider.ts";
import { mcpBase, resourceMetadata, resourceMetadataBase } from "./resource.ts";
import {
  authorizationServer,
  clientToRegister,
  oauthError,
  protectedResource,
  registeredClient,
  signInAnswer,
  signInRequest,
  tokenAnswer,
} from "./schema.ts";
import { exchangeToken, maxFormBytes } from "./token-exchange.ts";

/** Where clients look for the metadata of an authorization server: by OAuth, and by OpenID Connect. */
export const serverMetadataBases = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
] as const;

const tags = ["MCP server"];
const rule = "signInForMcp";

export function addSignInRoutes(app: AreaApp<AssistantExtra>): void {
  allowBrowsers(app, [resourceMetadataBase, ...serverMetadataBases]);
  const cache: ProviderCache = {};
  addServerRoutes(app, cache);
  addPageRoutes(app, cache);
  addClientRoutes(app, cache);
  addResourceRoute(app, { id: "getProtectedResource", path: mcpBase });
  addResourceRoute(app, { id: "getProtectedResourceAtRoot", path: "" });
}

function addResourceRoute(app: AreaApp<AssistantExtra>, place: { id: string; path: string }): void {
  route(app, {
    ...place,
    tags,
    rule,
    method: "GET",
    base: resourceMetadataBase,
    summary: place.path === "" ? "Get the sign-in of the server" : "Get the sign-in of the MCP server",
    description:
      "The metadata of a protected resource (RFC 9728): the address of the MCP server, where its clients sign in, and for " +
      "which scopes. The challenge of a refused call of `/mcp` names its address.",
    response: { 200: protectedResource },
    errors: [404],
    handler: readResource,
  });
}

function readResource({ assistant }: AssistantContext) {
  const metadata = resourceMetadata(assistant.settings);
  if (metadata !== null) return metadata;
  throw assistantFailure("ASSISTANT_NO_SIGN_IN", {
    message: "There is no identity provider here; clients are given a fixed token.",
  });
}

const standsIn =
  " Answered where `signIn.clientId` is set for a provider: this server then stands between clients and that provider.";

function addServerRoutes(app: AreaApp<AssistantExtra>, cache: ProviderCache): void {
  for (const [index, base] of serverMetadataBases.entries()) {
    route(app, {
      id: index === 0 ? "getAuthorizationServer" : "getOpenIdConfiguration",
      method: "GET",
      base,
      path: "",
      summary:
        index === 0 ? "Get the metadata of the sign-in" : "Get the metadata of the sign-in by OpenID Connect",
      description: `Addresses for clients of the MCP server (RFC 8414).${standsIn}`,
      tags,
      rule,
      response: { 200: authorizationServer },
      errors: [404, 503],
      handler: (ctx) => serverMetadata(ctx, cache),
    });
  }
}

/** What a person's browser is sent to. */
function addPageRoutes(app: AreaApp<AssistantExtra>, cache: ProviderCache): void {
  const led = { 302: { description: "The next page of the sign-in.", noBody: true } } as const;
  route(app, {
    id: "beginSignIn",
    method: "GET",
    base: mcpBase,
    path: "/oauth/authorize",
    summary: "Begin a sign-in",
    description: `Sends the person to the provider. Needs PKCE with S256.${standsIn}`,
    tags,
    rule,
    query: signInRequest,
    response: led,
    errors: [404, 503],
    handler: async (ctx, { query, reply }) =>
      void reply.header("location", await beginSignIn(ctx, cache, query)),
  });
  route(app, {
    id: "endSignIn",
    method: "GET",
    base: mcpBase,
    path: "/oauth/callback",
    summary: "End a sign-in",
    description: `Sends the person from the provider back to the client.${standsIn}`,
    tags,
    rule,
    query: signInAnswer,
    response: led,
    errors: [404, 503],
    handler: async (ctx, { query, reply }) =>
      void reply.header("location", await endSignIn(ctx, cache, query)),
  });
}

function addClientRoutes(app: AreaApp<AssistantExtra>, cache: ProviderCache): void {
  app.fastify.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer", bodyLimit: maxFormBytes },
    (_request, body, done) => done(null, body),
  );
  route(app, {
    id: "registerClient",
    method: "POST",
    base: mcpBase,
    path: "/oauth/register",
    summary: "Register a client",
    description: `Answers the client id of the settings (RFC 7591); nothing is stored.${standsIn}`,
    tags,
    rule,
    body: clientToRegister,
    response: { 201: registeredClient, 400: oauthError },
    errors: [404],
    handler(ctx, { body, reply }) {
      const answer = register(ctx, body);
      if ("error" in answer) reply.sendJson(JSON.stringify(answer), 400);
      return answer;
    },
  });
  route(app, {
    id: "getToken",
    method: "POST",
    base: mcpBase,
    path: "/oauth/token",
    summary: "Get or renew a token",
    description:
      "Takes the form of OAuth (`application/x-www-form-urlencoded`) with `grant_type` authorization_code or refresh_token " +
      `to the provider, and answers what it answers.${standsIn}`,
    tags,
    rule,
    response: { 200: tokenAnswer, 400: oauthError },
    errors: [404, 413, 503],
    async handler(ctx, { raw, reply }) {
      const { status, body } = await exchangeToken(ctx, cache, raw.body);
      reply.sendJson(JSON.stringify(body), status);
    },
  });
}
