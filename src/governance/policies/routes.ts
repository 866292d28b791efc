import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { GovernanceExtra } from "../context.ts";
import {
  changedPolicyBody,
  newPolicyBody,
  policyList,
  policyParams,
  policyQuery,
  policyVersions,
  policyView,
  statusBody,
} from "./schema.ts";
import * as service from "./service.ts";

const tags = ["Policies"];

export function addPolicyRoutes(app: AreaApp<GovernanceExtra>): void {
  addPolicyReads(app);
  route(app, {
    id: "createPolicy",
    method: "POST",
    path: "/policies",
    summary: "Create a policy or metric, as a draft",
    tags,
    rule: "createPolicy",
    body: newPolicyBody,
    response: { 201: policyView },
    errors: [409],
    handler: (ctx, { body }) => service.createPolicy(ctx, body),
  });
  route(app, {
    id: "changePolicy",
    method: "PUT",
    path: "/policies/{id}",
    summary: "Change a policy or metric: a new version of it",
    tags,
    rule: "changePolicy",
    params: policyParams,
    body: changedPolicyBody,
    response: { 200: policyView },
    errors: [404, 409],
    handler: (ctx, { params, body }) => service.changePolicy(ctx, params.id, body),
  });
  route(app, {
    id: "deletePolicy",
    method: "DELETE",
    path: "/policies/{id}",
    summary: "Delete a draft",
    tags,
    rule: "deletePolicy",
    params: policyParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404, 409],
    handler: (ctx, { params }) => service.deletePolicy(ctx, params.id),
  });
  route(app, {
    id: "setPolicyStatus",
    method: "POST",
    path: "/policies/{id}/status",
    summary: "Enable, disable or give grace to a policy",
    tags,
    rule: "setPolicyStatus",
    params: policyParams,
    body: statusBody,
    response: { 200: policyView },
    errors: [404, 409],
    handler: (ctx, { params, body }) => service.setStatus(ctx, params.id, body),
  });
}

function addPolicyReads(app: AreaApp<GovernanceExtra>): void {
  route(app, {
    id: "listPolicies",
    method: "GET",
    path: "/policies",
    summary: "List policies and metrics",
    tags,
    rule: "listPolicies",
    query: policyQuery,
    response: { 200: policyList },
    handler: (ctx, { query }) => service.listPolicies(ctx, query),
  });
  route(app, {
    id: "getPolicy",
    method: "GET",
    path: "/policies/{id}",
    summary: "Get a policy or metric",
    tags,
    rule: "getPolicy",
    params: policyParams,
    response: { 200: policyView },
    errors: [404],
    handler: (ctx, { params }) => service.getPolicy(ctx, params.id),
  });
  route(app, {
    id: "listPolicyVersions",
    method: "GET",
    path: "/policies/{id}/versions",
    summary: "List the versions of a policy or metric, the newest first",
    tags,
    rule: "listPolicyVersions",
    params: policyParams,
    response: { 200: policyVersions },
    errors: [404],
    handler: (ctx, { params }) => service.getVersions(ctx, params.id),
  });
}
