import { describe, expect, test } from "vitest";
import { systemActor, type Actor, type Role } from "../lib/actor.ts";
import { Failure } from "../errors/failure.ts";
import { challengeOf } from "./errors.ts";
import { authorize, isPolicyId, isPublic, policy, type PolicyId } from "./policy.ts";

/** `person` is an operator or admin, but no program. */
type Least = Role | "public" | "person";

/** Written out, not computed from the table, so that a change of the table shows here. */
const leastRole: Record<PolicyId, Least> = {
  getValidationStatus: "viewer",
  getUnitStatus: "viewer",
  getComponentStatus: "viewer",
  listUnits: "viewer",
  getUnitEnvironments: "viewer",
  getUnitFacets: "viewer",
  listUnitAccess: "viewer",
  listEnvironments: "viewer",
  listMaintenanceWindows: "viewer",
  listWaiting: "viewer",
  searchEverything: "viewer",
  listOperations: "viewer",
  getPlanLogs: "viewer",
  getPlan: "viewer",
  getPlanStatus: "viewer",
  getPlanTiming: "viewer",
  getTerminationPreview: "viewer",
  getUnitTerminationPreview: "viewer",
  streamPlanEvents: "viewer",
  listPlans: "viewer",
  listResources: "viewer",
  listPreDeployedDescriptors: "viewer",
  getUnitDiff: "viewer",
  listTechAdapters: "viewer",
  listAdapterCalls: "viewer",
  listAdapterHealth: "viewer",
  getTechAdapter: "viewer",
  getAdapterDeployment: "viewer",
  listUnknownOutcomes: "viewer",
  listDriftChecks: "viewer",
  listDriftSchedules: "viewer",
  getDriftCheck: "viewer",
  listReconciles: "viewer",
  getReconcile: "viewer",
  startDriftCheck: "developer",
  approveReconcile: "developer",
  refuseReconcile: "developer",
  listNoticeChannels: "operator",
  listNotices: "operator",
  getNotice: "operator",
  sendNoticeAgain: "operator",
  sendTestNotice: "operator",
  getNoticeChoices: "viewer",
  putNoticeChoices: "viewer",
  listWebhooks: "operator",
  listWebhookDeliveries: "operator",
  readRetention: "operator",
  checkInstallation: "admin",
  listAudit: "person",
  getAuditExport: "person",
  listAuditChains: "person",
  getAuditVerification: "person",
  replayWebhookDeliveries: "operator",
  settleUnknownOutcome: "person",
  pollUnknownOutcome: "person",
  startValidation: "developer",
  validateDescriptor: "developer",
  previewProvisioning: "developer",
  startProvisioning: "developer",
  startReverseProvisioning: "developer",
  previewRollback: "developer",
  rollBack: "developer",
  resumePlan: "developer",
  terminateUnitProvisioning: "operator",
  terminatePlan: "operator",
  sendAccessRequest: "operator",
  provisionDescriptor: "developer",
  unprovisionDescriptor: "developer",
  getProvisionStatus: "operator",
  registerTemplate: "operator",
  createTechAdapter: "operator",
  deleteTechAdapter: "operator",
  upsertAdapterDeployment: "operator",
  putMaintenanceWindows: "operator",
  deleteAdapterDeployment: "operator",
  getOwnershipRules: "viewer",
  getWhoMay: "viewer",
  putOwnershipRules: "operator",
  listResults: "viewer",
  countResults: "viewer",
  getCompliance: "viewer",
  listDataProductPolicies: "viewer",
  listDataProductApprovals: "viewer",
  getEvaluationReport: "viewer",
  testPolicy: "developer",
  startEvaluation: "developer",
  pushResult: "operator",
  listPolicies: "viewer",
  getPolicy: "viewer",
  listPolicyVersions: "viewer",
  createPolicy: "operator",
  changePolicy: "operator",
  deletePolicy: "operator",
  setPolicyStatus: "operator",
  listExceptions: "viewer",
  requestException: "developer",
  decideException: "developer",
  revokeException: "developer",
  listEvaluationReportsRemoved: "viewer",
  listViolationsRemoved: "viewer",
  countViolationsRemoved: "viewer",
  listMetricResultsRemoved: "viewer",
  registerTechAdapter: "operator",
  buildDescriptor: "developer",
  updateHook: "public",
  getCustomView: "viewer",
  putCustomView: "operator",
  listDataContracts: "viewer",
  listHooks: "viewer",
  getHook: "viewer",
  answerHook: "viewer",
  requestAccess: "viewer",
  listAccessRequests: "viewer",
  getAccessRequest: "viewer",
  retryAccessRequest: "viewer",
  withdrawAccessRequest: "viewer",
  cloneRepository: "viewer",
  readCatalogue: "viewer",
  registerLocation: "developer",
  updateLocation: "operator",
  refreshEntity: "developer",
  unregisterLocation: "operator",
  instantiateTemplate: "developer",
  dryRunTemplate: "developer",
  listEntityForms: "viewer",
  getEntityForm: "developer",
  acceptEdit: "developer",
  getInstantiation: "viewer",
  cancelInstantiation: "developer",
  queryDataLayer: "viewer",
  getDataLayerMetadata: "operator",
  manageDataLayer: "operator",
  readAssistant: "viewer",
  writeSkills: "operator",
  writeAgents: "operator",
  writeAssistantConfig: "operator",
  writeModels: "operator",
  writeExternalAgents: "operator",
  importAssistantRecords: "operator",
  approveMcpTools: "person",
  exchangeAccessToken: "public",
  exchangeSessionToken: "viewer",
  getUserInfo: "viewer",
  getCaller: "viewer",
  getSignIn: "public",
  getBrowserSession: "public",
  beginBrowserSignIn: "public",
  endBrowserSignIn: "public",
  signOut: "public",
  createToken: "viewer",
  listTokens: "viewer",
  revokeToken: "viewer",
  listServiceAccounts: "operator",
  putServiceAccount: "admin",
  deleteServiceAccount: "admin",
  healthz: "public",
  readyz: "public",
  openapiDocument: "public",
  useAssistant: "viewer",
  useMcpServer: "viewer",
  readTokenKeys: "public",
  signInForMcp: "public",
  metrics: "viewer",
};

const mayAct: Record<Least, Role[]> = {
  person: ["operator", "admin"],
  viewer: ["viewer", "developer", "operator", "admin", "service"],
  developer: ["developer", "operator", "admin", "service"],
  operator: ["operator", "admin", "service"],
  admin: ["admin"],
  service: ["service", "admin"],
  public: ["viewer", "developer", "operator", "admin", "service"],
};

const allRoles: Role[] = ["viewer", "developer", "operator", "admin", "service"];
const actorWith = (...roles: Role[]): Actor => ({ ref: "user:default/ada", roles, provider: "oidc" });
const allows = (actor: Actor, id: PolicyId): boolean => {
  try {
    authorize(actor, id);
    return true;
  } catch (error) {
    if (error instanceof Failure && error.kind === "forbidden") return false;
    throw error;
  }
};

describe.each(Object.entries(leastRole))("%s needs %s", (id, least) => {
  test.each(allRoles)("asked by %s", (role) => {
    expect(isPolicyId(id) && allows(actorWith(role), id)).toBe(mayAct[least].includes(role));
  });

  test("asked by nobody in particular", () => {
    expect(isPolicyId(id) && allows(actorWith(), id)).toBe(least === "public");
    expect(isPolicyId(id) && isPublic(id)).toBe(least === "public");
  });
});

test("the table has exactly these operations", () => {
  expect(Object.keys(policy).toSorted()).toEqual(Object.keys(leastRole).toSorted());
});

test("the system itself may do everything", () => {
  for (const id of Object.keys(policy)) expect(isPolicyId(id) && allows(systemActor, id)).toBe(true);
});

test("a refusal names the roles and makes a challenge", () => {
  try {
    authorize(actorWith("viewer"), "terminatePlan");
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({
      kind: "forbidden",
      code: "PLATFORM_FORBIDDEN",
      message: "terminatePlan needs one of these roles: operator, service, admin.",
    });
    expect(error instanceof Failure && challengeOf(error)).toBe(
      'Bearer realm="plinth", error="insufficient_scope", error_description="terminatePlan needs one of these roles: operator, service, admin."',
    );
  }
});

test("an unknown operation is refused, and does not compile", () => {
  // @ts-expect-error the table has no such entry
  expect(allows(actorWith("admin"), "dropEverything")).toBe(false);
  // @ts-expect-error names of the object prototype are no entries
  expect(allows(actorWith("admin"), "toString")).toBe(false);
  expect(isPolicyId("constructor")).toBe(false);
});
