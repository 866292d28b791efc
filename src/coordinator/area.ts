/** Area C, the provisioning coordinator, as one HTTP interface. */
import type { Area } from "../platform/http/operation.ts";
import type { CoordinatorExtra, CoordinatorDeps } from "./context.ts";
import { addDriftRoutes } from "./watching/drift/routes.ts";
import { errorObject } from "../platform/http/responses/error-object.ts";
import { coordinatorErrorBody } from "./errors.ts";
import {
  addAccessRoutes,
  addReverseProvisioningRoutes,
  addUnitAccessRoutes,
  addValidationRoutes,
} from "./starts/adapter-routes.ts";
import {
  addDescriptorRoutes,
  addResourceRoutes,
  addUnitDiffRoutes,
  addUnitStatusRoutes,
} from "./units/routes.ts";
import { addUnitListRoutes } from "./units/lists/routes.ts";
import { addLogRoute, addPlanRoutes, addUnitTerminationRoute } from "./plans/routes.ts";
import { addResumeRoute, addRollbackRoutes, addStartRoutes } from "./starts/routes.ts";
import { addLegacyRoutes } from "./starts/legacy-routes.ts";
import { addTerminationPreviewRoutes, addTimingRoute } from "./plans/progress/routes.ts";
import { addOperationRoutes } from "./plans/operation-routes.ts";
import { addNoticeChoiceRoutes, addNoticeRoutes } from "./watching/notices/routes.ts";
import { addWebhookRoutes } from "./watching/webhooks/routes.ts";
import { taskGraph, taskGraphStatus } from "./plans/schema.ts";
import { addUnknownOutcomeRoutes } from "./watching/outcomes/routes.ts";
import { addAdapterCallRoutes } from "./watching/calls/routes.ts";
import { addTechAdapterRoutes } from "./adapters/routes.ts";
import { addTemplateRoutes } from "./adapters/template-routes.ts";
import { addReconcileRoutes } from "./watching/reconcile/routes.ts";
import { addWindowRoutes } from "./windows/routes.ts";
import { addAuditRoutes } from "./watching/audit/routes.ts";
import { addDoctorRoutes } from "./watching/doctor-routes.ts";
import { addRetentionRoutes } from "./watching/retention/routes.ts";
import { addSearchRoutes } from "./search/routes.ts";
import { addWaitingRoutes } from "./watching/waiting-routes.ts";

export interface CoordinatorAreaOptions {
  /** Whether the operations are also served without the prefix, at `/v1` and `/v2`. */
  atRoot?: boolean;
}

export const coordinatorArea = (
  deps: CoordinatorDeps,
  { atRoot = false }: CoordinatorAreaOptions = {},
): Area<CoordinatorExtra> => ({
  name: "coordinator",
  prefix: "/api/coordinator",
  ...(atRoot ? { secondBases: [""], aliases: ["/v1", "/v2"] } : {}),
  title: "Plinth provisioning coordinator",
  version: "2.2.0",
  description: "Plans, executes and watches the provisioning of deployment units over tech adapters.",
  errorSchema: errorObject,
  schemas: { TaskGraph: taskGraph, TaskGraphStatus: taskGraphStatus },
  extra: { coordinator: deps },
  register(app) {
    addValidationRoutes(app);
    addUnitStatusRoutes(app);
    addStartRoutes(app);
    addRollbackRoutes(app);
    addUnitTerminationRoute(app);
    addTerminationPreviewRoutes(app);
    addUnitListRoutes(app);
    addUnitAccessRoutes(app);
    addOperationRoutes(app);
    addPlanRoutes(app);
    addTimingRoute(app);
    addResumeRoute(app);
    addLogRoute(app);
    addUnitDiffRoutes(app);
    addResourceRoutes(app);
    addDescriptorRoutes(app);
    addTemplateRoutes(app);
    addLegacyRoutes(app);
    addTechAdapterRoutes(app);
    addAdapterCallRoutes(app);
    addAccessRoutes(app);
    addReverseProvisioningRoutes(app);
    addUnknownOutcomeRoutes(app);
    addWebhookRoutes(app);
    addNoticeRoutes(app);
    addNoticeChoiceRoutes(app);
    addDriftRoutes(app);
    addReconcileRoutes(app);
    addWindowRoutes(app);
    addWaitingRoutes(app);
    addSearchRoutes(app);
    addRetentionRoutes(app);
    addDoctorRoutes(app);
    addAuditRoutes(app);
  },
  toBody: coordinatorErrorBody,
});
