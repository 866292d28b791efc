import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { AuthExtra } from "../context.ts";
import { readConditions } from "./headers.ts";
import { accountBody, accountList, accountParams, accountConditions, accountView } from "./schema.ts";
import { deleteServiceAccount, listServiceAccounts, putServiceAccount } from "./service.ts";

export function addAccountRoutes(app: AreaApp<AuthExtra>): void {
  const tags = ["Service accounts"];
  route(app, {
    id: "listServiceAccounts",
    method: "GET",
    path: "/v1/service-accounts",
    summary: "List service accounts",
    tags,
    rule: "listServiceAccounts",
    response: { 200: accountList },
    handler: (ctx) => listServiceAccounts(ctx),
  });
  route(app, {
    id: "putServiceAccount",
    method: "PUT",
    path: "/v1/service-accounts/{name}",
    summary: "Make or change a service account",
    description:
      "All its tokens have the new roles within three seconds, as far as each may have them. Audited.",
    tags,
    rule: "putServiceAccount",
    params: accountParams,
    headers: accountConditions,
    body: accountBody,
    response: { 200: accountView },
    errors: [404, 409],
    handler: (ctx, { params: { name }, body, raw }) =>
      putServiceAccount(ctx, { name, ...readConditions(raw.headers) }, body),
  });
  route(app, {
    id: "deleteServiceAccount",
    method: "DELETE",
    path: "/v1/service-accounts/{name}",
    summary: "Delete a service account",
    description: "Its tokens are revoked. Audited.",
    tags,
    rule: "deleteServiceAccount",
    params: accountParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404],
    handler: (ctx, { params }) => deleteServiceAccount(ctx, params.name),
  });
}
