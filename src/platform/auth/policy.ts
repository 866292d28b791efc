import type { Actor, Role } from "../lib/actor.ts";
import { authFailure } from "./errors.ts";

/**
 * Who may do what: every operation of every area has one entry, and a route cannot be declared without naming
 * it. A role stands for exactly what is written here; there is no inheritance besides these lists.
 */
export type Rule = "public" | { readonly roles: readonly Role[] };

const admins = { roles: ["admin"] } as const satisfies Rule;
/** Needs a person: services cannot act for an operator here. */
const people = { roles: ["operator", ...admins.roles] } as const satisfies Rule;
/** The control plane (`service`) calls the platform on behalf of people and may do what an operator may. */
const operators = { roles: ["operator", "service", ...admins.roles] } as const satisfies Rule;
const developers = { roles: ["developer", ...operators.roles] } as const satisfies Rule;
const viewers = { roles: ["viewer", ...developers.roles] } as const satisfies Rule;

export const policy = {
  // Coordinator: reading.
  getValidationStatus: viewers,
  getUnitStatus: viewers,
  getComponentStatus: viewers,
  listUnits: viewers,
  listEnvironments: viewers,
  listMaintenanceWindows: viewers,
  // Every reader may ask what waits for them; the services check whose it is.
  listWaiting: viewers,
  listOperations: viewers,
  getPlanLogs: viewers,
  getPlan: viewers,
  getPlanStatus: viewers,
  streamPlanEvents: viewers,
  listPlans: viewers,
  listResources: viewers,
  listPreDeployedDescriptors: viewers,
  getUnitDiff: viewers,
  listTechAdapters: viewers,
  getTechAdapter: viewers,
  getAdapterDeployment: viewers,
  listUnknownOutcomes: viewers,
  listDriftChecks: viewers,
  getDriftCheck: viewers,
  listReconciles: viewers,
  getReconcile: viewers,
  // Coordinator: bringing a unit to life.
  startValidation: developers,
  validateDescriptor: developers,
  previewProvisioning: developers,
  startProvisioning: developers,
  startDriftCheck: developers,
  // Whose unit it is decides the rest: coordinator/watching/reconcile/service.ts.
  approveReconcile: developers,
  refuseReconcile: developers,
  startReverseProvisioning: developers,
  provisionDescriptor: developers,
  unprovisionDescriptor: developers,
  previewRollback: developers,
  rollBack: developers,
  resumePlan: developers,
  // Coordinator: stopping the work of others, and the catalogue that everybody depends on.
  terminateUnitProvisioning: operators,
  terminatePlan: operators,
  // Who may read data is decided in the platform; it comes to us from the control plane.
  sendAccessRequest: operators,
  listWebhookDeliveries: operators,
  replayWebhookDeliveries: operators,
  settleUnknownOutcome: people,
  pollUnknownOutcome: people,
  // Whoever may set them may let an operation begin whatever they say.
  putMaintenanceWindows: operators,
  // The deprecated status shows what adapters return for the platform only.
  getProvisionStatus: operators,
  registerTemplate: operators,
  createTechAdapter: operators,
  deleteTechAdapter: operators,
  upsertAdapterDeployment: operators,
  deleteAdapterDeployment: operators,
  // Governance.
  getOwnershipRules: viewers,
  putOwnershipRules: operators,
  getWhoMay: viewers,
  listPolicies: viewers,
  listResults: viewers,
  countResults: viewers,
  getCompliance: viewers,
  listDataProductPolicies: viewers,
  listDataProductApprovals: viewers,
  getEvaluationReport: viewers,
  testPolicy: developers,
  startEvaluation: developers,
  pushResult: operators,
  getPolicy: viewers,
  listPolicyVersions: viewers,
  createPolicy: operators,
  changePolicy: operators,
  deletePolicy: operators,
  setPolicyStatus: operators,
  listExceptions: viewers,
  requestException: developers,
  // Of developers the owners of what is excused; the service decides.
  decideException: developers,
  // Requesters revoke their own; the service checks whose it is.
  revokeException: developers,
  listEvaluationReportsRemoved: viewers,
  listViolationsRemoved: viewers,
  countViolationsRemoved: viewers,
  listMetricResultsRemoved: viewers,
  // Builder.
  registerTechAdapter: operators,
  buildDescriptor: developers,
  // The id in its path is the credential: a third party has no other.
  updateHook: "public",
  getCustomView: viewers,
  // How the pages of everybody look.
  putCustomView: operators,
  listDataContracts: viewers,
  listHooks: viewers,
  getHook: viewers,
  // Every reader may ask, and owners may decide: the services check whose it is.
  answerHook: viewers,
  requestAccess: viewers,
  listAccessRequests: viewers,
  getAccessRequest: viewers,
  retryAccessRequest: viewers,
  withdrawAccessRequest: viewers,
  cloneRepository: viewers,
  readCatalogue: viewers,
  registerLocation: developers,
  updateLocation: operators,
  refreshEntity: developers,
  unregisterLocation: operators,
  // Whose task it is decides the rest: builder/instantiations/service.ts.
  instantiateTemplate: developers,
  dryRunTemplate: developers,
  // Whose entity it is decides the rest: builder/edits/start-edit.ts.
  listEntityForms: viewers,
  getEntityForm: developers,
  acceptEdit: developers,
  getInstantiation: viewers,
  cancelInstantiation: developers,
  // Data layer. Rows are filtered by the caller's token.
  queryDataLayer: viewers,
  getDataLayerMetadata: operators,
  manageDataLayer: operators,
  // Assistant. What agents know and may use is set for everybody, so operators set it.
  readAssistant: viewers,
  writeSkills: operators,
  writeAgents: operators,
  writeAssistantConfig: operators,
  writeModels: operators,
  writeExternalAgents: operators,
  importAssistantRecords: operators,
  approveMcpTools: people,
  // Assistant. Sessions and runs belong to who began them, and tools are called with the rights of that user.
  useAssistant: viewers,
  // Whoever may read may connect; each tool calls an operation, which has a rule of its own.
  useMcpServer: viewers,
  // Keys that anybody checks tokens by.
  readTokenKeys: "public",
  // Says where to sign in, and helps with it, so nobody is known yet.
  signInForMcp: "public",
  // Platform. A metrics scraper has a token with the role viewer.
  healthz: "public",
  readyz: "public",
  openapiDocument: "public",
  metrics: viewers,
} as const satisfies Record<string, Rule>;

/** Names an entry of the table; a route with any other name does not compile. */
export type PolicyId = keyof typeof policy;

export const isPolicyId = (id: string): id is PolicyId => Object.hasOwn(policy, id);

const rolesOf = new Map<string, ReadonlySet<Role>>(
  Object.entries(policy).flatMap(([id, rule]: [string, Rule]) =>
    rule === "public" ? [] : [[id, new Set(rule.roles)] as const],
  ),
);

/** Public operations are answered without looking at credentials, good or bad. */
export const isPublic = (id: PolicyId): boolean => policy[id] === "public";

export const isAllowed = (actor: Actor, id: PolicyId): boolean => {
  if (isPolicyId(id) && isPublic(id)) return true;
  const allowed = rolesOf.get(id);
  return allowed !== undefined && actor.roles.some((role) => allowed.has(role));
};

/** The roles that a rule takes. */
export const rolesFor = (id: PolicyId): Role[] => [...(rolesOf.get(id) ?? [])];

/** Throws a Failure `forbidden` that names the roles that would do. An id that is not in the table is refused. */
export function authorize(actor: Actor, id: PolicyId): void {
  if (isAllowed(actor, id)) return;
  const allowed = rolesOf.get(id);
  const needed = allowed ? [...allowed].join(", ") : "none that exists";
  throw authFailure("PLATFORM_FORBIDDEN", `${id} needs one of these roles: ${needed}.`);
}

const operatorRoles: ReadonlySet<Role> = new Set(operators.roles);

/** Whether the actor sees and does for others what people otherwise do for themselves. */
export const isOperator = ({ roles }: Actor): boolean => roles.some((role) => operatorRoles.has(role));
