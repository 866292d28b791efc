/** Area C, the provisioning coordinator, as one HTTP interface. */
import type { Area } from "../platform/http/operation.ts";
import { accessRoutes } from "./access/routes.ts";
import type { CoordinatorExtra, CoordinatorDeps } from "./context.ts";
import { descriptorRoutes } from "./descriptors/routes.ts";
import { unitListRoutes } from "./deployment-units/list-routes.ts";
import { deploymentUnitRoutes } from "./deployment-units/routes.ts";
import { driftRoutes } from "./drift/routes.ts";
import { errorObject } from "./error-schema.ts";
import { coordinatorErrorBody } from "./errors.ts";
import { legacyRoutes } from "./legacy/routes.ts";
import { operationRoutes } from "./operations/routes.ts";
import { webhookRoutes } from "./outgoing-events/routes.ts";
import { planRoutes } from "./plans/routes.ts";
import { taskGraph, taskGraphStatus } from "./plans/schema.ts";
import { unknownOutcomeRoutes } from "./unknown-outcomes/routes.ts";
import { reverseProvisioningRoutes } from "./reverse-provisioning/routes.ts";
import { resourceRoutes } from "./resources/routes.ts";
import { techAdapterRoutes } from "./tech-adapters/routes.ts";
import { templateRoutes } from "./templates/routes.ts";
import { unitDiffRoutes } from "./unit-diff/routes.ts";
import { validationRoutes } from "./validation/routes.ts";
import { waitingRoutes } from "./waiting/routes.ts";

export interface CoordinatorAreaOptions {
  /** Whether the operations are served at the root of the address too, as their description has them. */
  atRoot?: boolean;
}

export const coordinatorArea = (
  deps: CoordinatorDeps,
  { atRoot = false }: CoordinatorAreaOptions = {},
): Area<CoordinatorExtra> => ({
  name: "coordinator",
  prefix: "/api/coordinator",
  ...(atRoot ? { secondBase: "", aliases: ["/v1", "/v2"] } : {}),
  title: "Plinth provisioning coordinator",
  version: "2.2.0",
  description: "Plans, executes and watches the provisioning of deployment units over tech adapters.",
  errorSchema: errorObject,
  schemas: { TaskGraph: taskGraph, TaskGraphStatus: taskGraphStatus },
  extra: { coordinator: deps },
  register(app) {
    validationRoutes(app);
    deploymentUnitRoutes(app);
    unitListRoutes(app);
    operationRoutes(app);
    planRoutes(app);
    unitDiffRoutes(app);
    resourceRoutes(app);
    descriptorRoutes(app);
    templateRoutes(app);
    legacyRoutes(app);
    techAdapterRoutes(app);
    accessRoutes(app);
    reverseProvisioningRoutes(app);
    unknownOutcomeRoutes(app);
    webhookRoutes(app);
    driftRoutes(app);
    waitingRoutes(app);
  },
  toBody: coordinatorErrorBody,
});
