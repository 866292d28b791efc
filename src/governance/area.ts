/** Computational governance as one HTTP interface. */
import type { Area } from "../platform/http/operation.ts";
import { errorObject } from "../platform/http/responses/error-object.ts";
import type { GovernanceDeps, GovernanceExtra } from "./context.ts";
import { governanceErrorBody } from "./errors.ts";
import { addExceptionRoutes } from "./exceptions/routes.ts";
import { addOlderClientRoutes, olderBase } from "./results/older-clients/routes.ts";
import { addOwnershipRoutes } from "./ownership/routes.ts";
import { addPolicyRoutes } from "./policies/routes.ts";
import { addRemovedRoutes } from "./removed-routes.ts";
import { addReportRoutes, addTrialRoutes } from "./reports/routes.ts";
import { addResultRoutes } from "./results/routes.ts";

const prefix = "/v1/computational-governance";
const legacyBases = ["/governance-platform", "/datamesh.provisioningcoordinator"].map(
  (base) => base + prefix,
);

export interface GovernanceAreaOptions {
  /** Whether the operations are also served where older clients look for them. */
  legacyPaths?: boolean;
}

export const governanceArea = (
  deps: GovernanceDeps,
  { legacyPaths = false }: GovernanceAreaOptions = {},
): Area<GovernanceExtra> => ({
  name: "governance",
  prefix,
  aliases: [olderBase, ...(legacyPaths ? legacyBases : [])],
  secondBases: legacyPaths ? legacyBases : [],
  title: "Plinth computational governance",
  version: "2.2.0",
  description: "Policies and metrics, what they find, and exceptions from them.",
  errorSchema: errorObject,
  extra: { governance: deps },
  register(app) {
    addPolicyRoutes(app);
    addExceptionRoutes(app);
    addTrialRoutes(app);
    addReportRoutes(app);
    addResultRoutes(app);
    addOwnershipRoutes(app);
    addOlderClientRoutes(app);
    addRemovedRoutes(app);
  },
  toBody: governanceErrorBody,
});
