import type { Actor, Role } from "../lib/actor.ts";
import { authFailure } from "./errors.ts";
import { covers, scopesFor, type ScopedOperation } from "./scopes.ts";

/**
 * Who may do what: every operation of every area has one entry, and a route cannot be declared without naming
 * it. A role stands for exactly what is written here; there is no inheritance besides these lists.
 */
export type Rule = "public" | RoleRule;

interface RoleRule {
  readonly roles: readonly Role[];
  /** Whether it changes nothing: tokens may be limited to such operations. */
  readonly reads?: boolean;
  /** Whether it is about the caller's own credentials only, so that a token needs no scope for it. */
  readonly needsNoScope?: boolean;
}

const admins = { roles: ["admin"] } as const satisfies Rule;
/** Needs a person: services cannot act for an operator here. */
const people = { roles: ["operator", ...admins.roles] } as const satisfies Rule;
/** The control plane (`service`) calls the platform on behalf of people and may do what an operator may. */
const operators = { roles: ["operator", "service", ...admins.roles] } as const satisfies Rule;
const developers = { roles: ["developer", ...operators.roles] } as const satisfies Rule;
const viewers = { roles: ["viewer", ...developers.roles] } as const satisfies Rule;
const reading = <R extends RoleRule>(rule: R): R & { reads: true } => ({ ...rule, reads: true });
const readers = reading(viewers);

const coordinator = {
  // Reading.
  getValidationStatus: readers,
  getUnitStatus: readers,
  getComponentStatus: readers,
  listUnits: readers,
  getUnitEnvironments: readers,
  getUnitFacets: readers,
  // Owners and operators see everybody, others themselves: coordinator/starts/adapter-requests/granted-access.ts.
  listUnitAccess: readers,
  listEnvironments: readers,
  listMaintenanceWindows: readers,
  // Every reader may ask what waits for them; the services check whose it is.
  listWaiting: readers,
  // What it finds needs the rule of its kind.
  searchEverything: readers,
  listOperations: readers,
  getPlanLogs: readers,
  getPlan: readers,
  getPlanStatus: readers,
  getPlanTiming: readers,
  getTerminationPreview: readers,
  getUnitTerminationPreview: readers,
  streamPlanEvents: readers,
  listPlans: readers,
  listResources: readers,
  listPreDeployedDescriptors: readers,
  getUnitDiff: readers,
  listTechAdapters: readers,
  getTechAdapter: readers,
  getAdapterDeployment: readers,
  listAdapterCalls: readers,
  listAdapterHealth: readers,
  listUnknownOutcomes: readers,
  listDriftChecks: readers,
  getDriftCheck: readers,
  listDriftSchedules: readers,
  listReconciles: readers,
  getReconcile: readers,
  // Bringing a unit to life.
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
  // Stopping the work of others, and the catalogue that everybody depends on.
  terminateUnitProvisioning: operators,
  terminatePlan: operators,
  // Who may read data is decided in the platform; it comes to us from the control plane.
  sendAccessRequest: operators,
  listNoticeChannels: reading(operators),
  listNotices: reading(operators),
  getNotice: reading(operators),
  sendNoticeAgain: operators,
  sendTestNotice: operators,
  // Everybody chooses for themselves.
  getNoticeChoices: readers,
  putNoticeChoices: viewers,
  listWebhooks: reading(operators),
  listWebhookDeliveries: reading(operators),
  readRetention: reading(operators),
  // It says where an installation is weak.
  checkInstallation: reading(admins),
  // Who did what is nothing for programs that act for others.
  listAudit: reading(people),
  getAuditExport: reading(people),
  listAuditChains: reading(people),
  getAuditVerification: reading(people),
  replayWebhookDeliveries: operators,
  settleUnknownOutcome: people,
  pollUnknownOutcome: people,
  // Whoever may set them may let an operation begin whatever they say.
  putMaintenanceWindows: operators,
  // The deprecated status shows what adapters return for the platform only.
  getProvisionStatus: reading(operators),
  registerTemplate: operators,
  createTechAdapter: operators,
  deleteTechAdapter: operators,
  upsertAdapterDeployment: operators,
  deleteAdapterDeployment: operators,
} as const satisfies Record<string, Rule>;

const governance = {
  getOwnershipRules: readers,
  putOwnershipRules: operators,
  getWhoMay: readers,
  listPolicies: readers,
  listResults: readers,
  countResults: readers,
  getCompliance: readers,
  listDataProductPolicies: readers,
  listDataProductApprovals: readers,
  getEvaluationReport: readers,
  testPolicy: developers,
  startEvaluation: developers,
  pushResult: operators,
  getPolicy: readers,
  listPolicyVersions: readers,
  createPolicy: operators,
  changePolicy: operators,
  deletePolicy: operators,
  setPolicyStatus: operators,
  listExceptions: readers,
  requestException: developers,
  // Of developers the owners of what is excused; the service decides.
  decideException: developers,
  // Requesters revoke their own; the service checks whose it is.
  revokeException: developers,
  listEvaluationReportsRemoved: readers,
  listViolationsRemoved: readers,
  countViolationsRemoved: readers,
  listMetricResultsRemoved: readers,
} as const satisfies Record<string, Rule>;

const builder = {
  registerTechAdapter: operators,
  buildDescriptor: developers,
  // The id in its path is the credential: a third party has no other.
  updateHook: "public",
  getCustomView: readers,
  // How the pages of everybody look.
  putCustomView: operators,
  listDataContracts: readers,
  listHooks: readers,
  getHook: readers,
  // Every reader may ask, and owners may decide: the services check whose it is.
  answerHook: viewers,
  requestAccess: viewers,
  listAccessRequests: readers,
  getAccessRequest: readers,
  retryAccessRequest: viewers,
  withdrawAccessRequest: viewers,
  cloneRepository: readers,
  readCatalogue: readers,
  registerLocation: developers,
  updateLocation: operators,
  refreshEntity: developers,
  unregisterLocation: operators,
  // Whose task it is decides the rest: builder/instantiations/service.ts.
  instantiateTemplate: developers,
  dryRunTemplate: developers,
  // Whose entity it is decides the rest: builder/edits/start-edit.ts.
  listEntityForms: readers,
  getEntityForm: reading(developers),
  acceptEdit: developers,
  getInstantiation: readers,
  cancelInstantiation: developers,
} as const satisfies Record<string, Rule>;

/** Rows are filtered by the caller's token. */
const dataLayer = {
  queryDataLayer: readers,
  getDataLayerMetadata: reading(operators),
  manageDataLayer: operators,
} as const satisfies Record<string, Rule>;

const assistant = {
  // What agents know and may use is set for everybody, so operators set it.
  readAssistant: readers,
  writeSkills: operators,
  writeAgents: operators,
  writeAssistantConfig: operators,
  writeModels: operators,
  writeExternalAgents: operators,
  importAssistantRecords: operators,
  approveMcpTools: people,
  // Sessions and runs belong to who began them, and tools are called with the rights of that user.
  useAssistant: viewers,
  // Whoever may read may connect; each tool calls an operation, which has a rule of its own.
  useMcpServer: viewers,
  // Keys that anybody checks tokens by.
  readTokenKeys: "public",
  // Says where to sign in, and helps with it, so nobody is known yet.
  signInForMcp: "public",
} as const satisfies Record<string, Rule>;

const auth = {
  // The token in the body is the credential.
  exchangeAccessToken: "public",
  exchangeSessionToken: { ...viewers, needsNoScope: true },
  getUserInfo: { ...readers, needsNoScope: true },
  getCaller: { ...readers, needsNoScope: true },
  // Says where to sign in, so nobody is known yet.
  getSignIn: "public",
  // Whoever asks is not known yet, or is about to be unknown; where credentials are looked at all the same, the operation says so.
  getBrowserSession: "public",
  beginBrowserSignIn: "public",
  endBrowserSignIn: "public",
  signOut: "public",
  // Of people and programs for themselves; the service asks for an administrator where it is for a service account.
  createToken: viewers,
  listTokens: readers,
  revokeToken: viewers,
  listServiceAccounts: reading(operators),
  putServiceAccount: admins,
  deleteServiceAccount: admins,
} as const satisfies Record<string, Rule>;

const platform = {
  healthz: "public",
  readyz: "public",
  openapiDocument: "public",
  // A scraper has a token with the role viewer.
  metrics: readers,
} as const satisfies Record<string, Rule>;

/** The table, by what the operations belong to. Scopes of tokens use these names. */
export const policyAreas = {
  builder,
  coordinator,
  governance,
  assistant,
  "data-layer": dataLayer,
  auth,
  platform,
} as const;

export const policy = {
  ...builder,
  ...coordinator,
  ...governance,
  ...assistant,
  ...dataLayer,
  ...auth,
  ...platform,
} as const satisfies Record<string, Rule>;

/** Names an entry of the table; a route with any other name does not compile. */
export type PolicyId = keyof typeof policy;

export const isPolicyId = (id: string): id is PolicyId => Object.hasOwn(policy, id);

const rolesOf = new Map<string, ReadonlySet<Role>>(
  Object.entries(policy).flatMap(([id, rule]: [string, Rule]) =>
    rule === "public" ? [] : [[id, new Set(rule.roles)] as const],
  ),
);

/** What scopes of tokens are compared with; nothing for operations that need none. */
export const scopedOperations: ReadonlyMap<string, ScopedOperation> = new Map(
  Object.entries(policyAreas).flatMap(([area, rules]) =>
    Object.entries(rules).flatMap(([id, rule]: [string, Rule]) =>
      rule === "public" || rule.needsNoScope ? [] : [[id, { id, area, reads: rule.reads === true }] as const],
    ),
  ),
);

/** Public operations are answered without looking at credentials, good or bad. */
export const isPublic = (id: PolicyId): boolean => policy[id] === "public";

export const isAllowed = (actor: Actor, id: PolicyId): boolean =>
  (hasRole(actor, id) && hasScope(actor, id)) || (isPolicyId(id) && isPublic(id));

/** Without the scopes that tokens may be limited to. */
export const rolesThatMay = (id: PolicyId): Role[] => [...(rolesOf.get(id) ?? [])];

function hasRole(actor: Actor, id: PolicyId): boolean {
  const allowed = rolesOf.get(id);
  return allowed !== undefined && actor.roles.some((role) => allowed.has(role));
}

/** Only some tokens have scopes; what comes without any is limited by its roles alone. */
function hasScope({ scopes }: Actor, id: PolicyId): boolean {
  if (scopes === undefined) return true;
  const operation = scopedOperations.get(id);
  return operation === undefined || covers(scopes, operation);
}

/** The scopes of which a token needs one; none where it needs no scope. */
export function scopesOf(id: PolicyId): string[] {
  const operation = scopedOperations.get(id);
  return operation === undefined ? [] : scopesFor(operation);
}

interface Refusal {
  code: "PLATFORM_FORBIDDEN" | "PLATFORM_SCOPE_MISSING";
  message: string;
}

/** Why the actor may not do it, with the roles or scopes that would do; null where it may. */
export function refusalOf(actor: Actor, id: PolicyId): Refusal | null {
  if (isAllowed(actor, id)) return null;
  if (hasRole(actor, id)) {
    const message = `${id} needs one of these scopes, and the token has none of them: ${scopesOf(id).join(", ")}.`;
    return { code: "PLATFORM_SCOPE_MISSING", message };
  }
  const allowed = rolesOf.get(id);
  const needed = allowed ? [...allowed].join(", ") : "none that exists";
  return { code: "PLATFORM_FORBIDDEN", message: `${id} needs one of these roles: ${needed}.` };
}

/** Throws a Failure `forbidden` with that reason. An id that is not in the table is refused. */
export function authorize(actor: Actor, id: PolicyId): void {
  const refusal = refusalOf(actor, id);
  if (refusal !== null) throw authFailure(refusal.code, refusal.message);
}

const operatorRoles: ReadonlySet<Role> = new Set(operators.roles);

/** Whether the actor sees and does for others what people otherwise do for themselves. */
export const isOperator = ({ roles }: Actor): boolean => roles.some((role) => operatorRoles.has(role));

/** Operators and the control plane answer for all units, and so does a guest of development mode. */
export const answersForAllUnits = (actor: Actor): boolean => isOperator(actor) || actor.provider === "guest";
