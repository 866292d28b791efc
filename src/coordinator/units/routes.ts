import { route, type AreaApp } from "../../platform/http/operation.ts";
import { Type } from "typebox";
import type { CoordinatorExtra } from "../context.ts";
import { listPreDeployedDescriptors, listResources } from "./deployed.ts";
import {
  descriptorsQuery,
  diffQuery,
  preDeployedDescriptors,
  resourceList,
  resourcesQuery,
  unitDiff,
} from "./deployed-schema.ts";
import { getUnitDiff } from "./diff.ts";
import {
  componentParams,
  componentStatusResponse,
  environmentQuery,
  unitParams,
  unitStatusResponse,
} from "./schema.ts";
import { getComponentStatus, getUnitStatus } from "./status.ts";

const statusQuery = Type.Object({
  environment: environmentQuery,
  "include-descriptor": Type.Boolean({ default: false }),
});

export function addUnitStatusRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getUnitStatus",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/provisioning-status",
    summary: "Get deployment unit status",
    tags: ["Deployment units"],
    rule: "getUnitStatus",
    params: unitParams,
    query: statusQuery,
    response: { 200: unitStatusResponse },
    handler: (ctx, { params, query }) =>
      getUnitStatus(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        includeDescriptor: query["include-descriptor"],
      }),
  });
  route(app, {
    id: "getComponentStatus",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/components/{component-id}/provisioning-status",
    summary: "Get component status",
    tags: ["Deployment units"],
    rule: "getComponentStatus",
    params: componentParams,
    query: statusQuery,
    response: { 200: componentStatusResponse },
    handler: (ctx, { params, query }) =>
      getComponentStatus(ctx, {
        unitId: params["deployment-unit-id"],
        componentId: params["component-id"],
        environment: query.environment,
        includeDescriptor: query["include-descriptor"],
      }),
  });
}

export function addUnitDiffRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "getUnitDiff",
    method: "GET",
    path: "/v1/deployment-units/{deployment-unit-id}/diff",
    summary: "Compare a deployment unit between two environments or versions",
    description:
      "Says of each component what differs in what is deployed, or in what plans were to deploy: a plan is a version " +
      "of the unit in its environment. Values of secrets are masked.",
    tags: ["Deployment units"],
    rule: "getUnitDiff",
    params: unitParams,
    query: diffQuery,
    response: { 200: unitDiff },
    errors: [404],
    handler: (ctx, { params, query }) =>
      getUnitDiff(ctx, {
        unitId: params["deployment-unit-id"],
        environment: query.environment,
        otherEnvironment: query["other-environment"],
        plan: query.plan,
        otherPlan: query["other-plan"],
      }),
  });
}

export function addResourceRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listResources",
    method: "GET",
    path: "/v1/resources",
    summary: "List resources",
    description: "Descriptors of the units of which something is deployed in the environment.",
    tags: ["Resources"],
    rule: "listResources",
    query: resourcesQuery,
    response: { 200: resourceList },
    handler: (ctx, { query }) => listResources(ctx, query),
  });
}

export function addDescriptorRoutes(app: AreaApp<CoordinatorExtra>): void {
  route(app, {
    id: "listPreDeployedDescriptors",
    method: "GET",
    path: "/v1/descriptors",
    summary: "Get pre-deployed descriptors",
    description: "Descriptors whose plans were accepted after a time, oldest first.",
    tags: ["Resources"],
    rule: "listPreDeployedDescriptors",
    query: descriptorsQuery,
    response: { 200: preDeployedDescriptors },
    handler: (ctx, { query }) => listPreDeployedDescriptors(ctx, query),
  });
}
