/** The documents that lead clients of the MCP server to where they sign in. */
import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { AssistantContext, AssistantExtra } from "../../context.ts";
import { assistantFailure } from "../../error-codes.ts";
import { mcpBase, resourceMetadata, resourceMetadataBase } from "./resource.ts";
import { protectedResource } from "./schema.ts";

const tags = ["MCP server"];
const rule = "signInForMcp";

export function addSignInRoutes(app: AreaApp<AssistantExtra>): void {
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
