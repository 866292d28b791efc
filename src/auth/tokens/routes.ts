import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AuthExtra } from "../context.ts";
import { madeToken, newTokenBody, tokenList, tokenParams, tokenQuery } from "./schema.ts";
import { createToken, listTokens, revokeToken } from "./service.ts";

export function addTokenRoutes(app: AreaApp<AuthExtra>): void {
  const tags = ["Tokens"];
  route(app, {
    id: "createToken",
    method: "POST",
    path: "/v1/tokens",
    summary: "Make a token",
    description:
      "For the caller, or by an administrator for a service account. The answer has the token this once; only its hash is stored. " +
      "It is never allowed more than its owner at the time of use. Audited.",
    tags,
    rule: "createToken",
    body: newTokenBody,
    response: { 201: madeToken },
    errors: [403, 404, 409],
    handler: (ctx, { body, raw }) => createToken(ctx, body, raw.headers),
  });
  route(app, {
    id: "listTokens",
    method: "GET",
    path: "/v1/tokens",
    summary: "List tokens, the newest first",
    description: "Those of the caller; operators and administrators may ask for those of others.",
    tags,
    rule: "listTokens",
    query: tokenQuery,
    response: { 200: tokenList },
    errors: [403],
    handler: (ctx, { query }) => listTokens(ctx, query),
  });
  route(app, {
    id: "revokeToken",
    method: "DELETE",
    path: "/v1/tokens/{tokenId}",
    summary: "Revoke a token",
    description:
      "Every process refuses it, and the JWTs that stand for it, within three seconds. To revoke it again changes nothing. " +
      "Operators and administrators revoke those of others, too. Audited.",
    tags,
    rule: "revokeToken",
    params: tokenParams,
    response: { 204: { description: "It is revoked.", noBody: true } },
    errors: [404],
    handler: (ctx, { params }) => revokeToken(ctx, params.tokenId),
  });
}
