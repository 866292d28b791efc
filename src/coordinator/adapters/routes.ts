import { route, type AreaApp } from "../../platform/http/operation.ts";
import type { CoordinatorExtra } from "../context.ts";
import {
  adapterParams,
  deploymentBody,
  deploymentParams,
  deploymentResponse,
  listQuery,
  techAdapterBody,
  techAdapterList,
  techAdapterResponse,
} from "./schema.ts";
import {
  createTechAdapter,
  deleteTechAdapter,
  getDeployment,
  getTechAdapter,
  listTechAdapters,
  putDeployment,
  removeDeployment,
} from "./service.ts";

const tags = ["Tech adapters"];
const deploymentPath = "/v1/tech-adapters/{id}/deployments/{environment}";

export function addTechAdapterRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "createTechAdapter",
    method: "POST",
    path: "/v1/tech-adapters",
    summary: "Create tech adapter",
    tags,
    rule: "createTechAdapter",
    body: techAdapterBody,
    response: { 201: techAdapterResponse },
    errors: [409],
    handler: (ctx, { body }) => createTechAdapter(ctx, body),
  });
  route(app, {
    id: "listTechAdapters",
    method: "GET",
    path: "/v1/tech-adapters",
    summary: "List tech adapters",
    tags,
    rule: "listTechAdapters",
    query: listQuery,
    response: { 200: techAdapterList },
    handler: (ctx, { query }) =>
      listTechAdapters(ctx, {
        search: query.search,
        labels: query.labels,
        order: query["sort-order"],
        limit: query.limit,
        offset: query.offset,
      }),
  });
  route(app, {
    id: "getTechAdapter",
    method: "GET",
    path: "/v1/tech-adapters/{id}",
    summary: "Get tech adapter",
    tags,
    rule: "getTechAdapter",
    params: adapterParams,
    response: { 200: techAdapterResponse },
    errors: [404],
    handler: (ctx, { params }) => getTechAdapter(ctx, params.id),
  });
  route(app, {
    id: "deleteTechAdapter",
    method: "DELETE",
    path: "/v1/tech-adapters/{id}",
    summary: "Delete tech adapter",
    tags,
    rule: "deleteTechAdapter",
    params: adapterParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404, 409],
    handler: (ctx, { params }) => deleteTechAdapter(ctx, params.id),
  });
  addDeploymentRoutes(app);
}

function addDeploymentRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "upsertAdapterDeployment",
    method: "PUT",
    path: deploymentPath,
    summary: "Create or update tech adapter deployment in an environment",
    tags,
    rule: "upsertAdapterDeployment",
    params: deploymentParams,
    body: deploymentBody,
    response: { 200: deploymentResponse },
    errors: [404],
    handler: (ctx, { params, body }) => putDeployment(ctx, params, body),
  });
  route(app, {
    id: "getAdapterDeployment",
    method: "GET",
    path: deploymentPath,
    summary: "Get tech adapter deployment",
    tags,
    rule: "getAdapterDeployment",
    params: deploymentParams,
    response: { 200: deploymentResponse },
    errors: [404],
    handler: (ctx, { params }) => getDeployment(ctx, params),
  });
  route(app, {
    id: "deleteAdapterDeployment",
    method: "DELETE",
    path: deploymentPath,
    summary: "Delete tech adapter deployment",
    tags,
    rule: "deleteAdapterDeployment",
    params: deploymentParams,
    response: { 204: { description: "It is deleted.", noBody: true } },
    errors: [404, 409],
    handler: (ctx, { params }) => removeDeployment(ctx, params),
  });
}
