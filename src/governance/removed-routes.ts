import { Type } from "typebox";
import { route, type AreaApp } from "../platform/http/operation.ts";
import type { GovernanceExtra } from "./context.ts";
import { governanceFailure } from "./errors.ts";

/** Removed in 2.2.0, with what replaces each. */
export const removedOperations = [
  ["listEvaluationReportsRemoved", "/evaluation-reports", "/results"],
  ["listViolationsRemoved", "/resources/{resource}/policy-violations", "/results"],
  ["countViolationsRemoved", "/resources/policy-violations/count", "/results/count"],
  ["listMetricResultsRemoved", "/resources/{resource}/metric-results", "/results"],
] as const;

const resource = Type.Object({ resource: Type.String({ maxLength: 512 }) });

/** The operations of older releases that are gone: 410 with the name of what replaces each. */
export function addRemovedRoutes(app: AreaApp<GovernanceExtra>): void {
  for (const [id, path, replacement] of removedOperations)
    route(app, {
      id,
      method: "GET",
      path,
      summary: `Removed in 2.2.0: use ${replacement}`,
      tags: ["Removed"],
      rule: id,
      ...(path.includes("{") ? { params: resource } : {}),
      response: { 204: { description: "Never answered.", noBody: true } },
      errors: [410],
      handler: () => {
        throw governanceFailure("CGP_REMOVED", {
          message: "This operation was removed in version 2.2.0.",
          solutions: [`Use ${app.area.prefix}${replacement}.`],
        });
      },
    });
}
