import { route, type AreaApp } from "../../../platform/http/operation.ts";
import type { GovernanceExtra } from "../../context.ts";
import { dataProductApprovals, dataProductParams, dataProductPolicies, dataProductQuery } from "./schema.ts";
import { readApprovalsOf, readPoliciesOf } from "./service.ts";

/** Where clients of earlier products look. */
export const olderBase = "/api/governance";

const tags = ["Earlier clients"];

export function addOlderClientRoutes(app: AreaApp<GovernanceExtra>): void {
  route(app, {
    id: "listDataProductPolicies",
    method: "GET",
    base: olderBase,
    path: "/policies/{dataProduct}",
    summary: "List what the policies say of a data product",
    description: "For clients of earlier products; others read the compliance of the unit.",
    tags,
    rule: "listDataProductPolicies",
    params: dataProductParams,
    query: dataProductQuery,
    response: { 200: dataProductPolicies },
    errors: [404],
    handler: (ctx, { params, query }) => readPoliciesOf(ctx, params.dataProduct, query),
  });
  route(app, {
    id: "listDataProductApprovals",
    method: "GET",
    base: olderBase,
    path: "/approvals/{dataProduct}",
    summary: "List the approvals of a data product's deployments",
    description: "For clients of earlier products.",
    tags,
    rule: "listDataProductApprovals",
    params: dataProductParams,
    response: { 200: dataProductApprovals },
    handler: (ctx, { params }) => readApprovalsOf(ctx, params.dataProduct),
  });
}
