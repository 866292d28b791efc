import type { NoticeKind } from "../platform/config/schema/schema-notices.ts";
import type { PolicyId } from "../platform/auth/policy.ts";
import type { Db } from "../platform/db/database.ts";
import type { TimePosition } from "../platform/db/time-position.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";

/** Interfaces of other areas that the coordinator uses; `src/areas.ts` passes the implementations. */

export const waitingKinds = [
  "HOOK",
  "APPROVAL",
  "EXCEPTION",
  "FAILED_OPERATION",
  "HELD_PLAN",
  "RECONCILE",
  "UNKNOWN_OUTCOME",
] as const;
export type WaitingKind = (typeof waitingKinds)[number];

/** Something that waits for a user's decision or attention. */
export interface WaitingItem {
  kind: WaitingKind;
  /** Unique together with the kind. */
  id: string;
  /** What a hook decides about; otherwise the kind. */
  subject: WaitingKind | "ACCESS_REQUEST" | "DEPLOYMENT_APPROVAL" | "DATA_REMOVAL_APPROVAL";
  /** One sentence for people. */
  title: string;
  /** Why it waits, in one sentence. */
  reason: string;
  since: Date;
  /** When it expires without a decision; null when it never does. */
  expiresAt: Date | null;
  /** What happens then; null where it never expires. */
  atDeadline: string | null;
  environment: string | null;
  deploymentUnitId: string | null;
  /** Who asked for it or started it; null where nobody did. */
  requester: string | null;
  whoMayAct: {
    /** References of users and groups. */
    refs: readonly string[];
    operators: boolean;
    /** By which rule, where there is one. */
    rule: string | null;
  };
  /** What a link to it is made of. */
  link: {
    hookId?: string;
    accessRequestId?: string;
    planId?: string;
    taskId?: string;
    runId?: string;
    sessionId?: string;
    approvalId?: string;
    exceptionId?: string;
    policyId?: string;
    reconcileId?: string;
  };
  /** Path on this server that shows the details. */
  path: string;
}

export interface WaitingPage {
  limit: number;
  /** What comes after it is listed; null for the oldest. */
  after: TimePosition | null;
}

/** What waits for the caller in one area: the oldest first, and by id where they are of the same millisecond. */
export interface WaitingSource {
  kind: WaitingKind;
  /** Entry of the policy table: who may read things of this kind. */
  rule: PolicyId;
  list(ctx: RequestContext, page: WaitingPage): Promise<WaitingItem[]>;
}

export const searchKinds = [
  "UNIT",
  "PLAN",
  "ADAPTER",
  "ENTITY",
  "TEMPLATE",
  "POLICY",
  "AGENT",
  "PAGE",
] as const;
export type SearchKind = (typeof searchKinds)[number];

/** Something that a search has found. */
export interface SearchHit {
  /** Unique within its kind. */
  id: string;
  title: string;
  subtitle: string | null;
  /** The only one that it is in; null where it is in several, or in none. */
  environment: string | null;
  /** What a link to it is made of. */
  link: {
    unitId?: string;
    planId?: string;
    adapterId?: string;
    entityRef?: string;
    policyId?: string;
    agentId?: string;
    page?: string;
  };
  /** From 0 to 1; absent where titles and ids say enough about how well it fits. */
  score?: number;
}

/** What one area finds of one kind. */
export interface SearchSource {
  kind: SearchKind;
  /** Entry of the policy table: who may read things of this kind. */
  rule: PolicyId;
  find(ctx: RequestContext, query: { text: string; limit: number }): Promise<SearchHit[]>;
}

/** Something that people are told about by mail or in a chat. */
export interface NoticeItem {
  kind: NoticeKind;
  /** Unique together with the kind, for good: what has ended does not come back under it. */
  id: string;
  /** One sentence for people. */
  title: string;
  environment: string | null;
  since: Date;
  expiresAt: Date | null;
  /** Path on this server that shows the details. */
  path: string;
  /** References of those who may decide about it; asked once, when it is found. */
  deciders: () => Promise<readonly string[]>;
  /** Whoever has requested it is not asked; null where that does not count. */
  notTo: string | null;
  /** Whether operators may see it and decide about it too. */
  operatorsDecide: boolean;
  /** References of those who may see it, in lower case; null for every reader. */
  visibleTo: readonly string[] | null;
}

/** What waits for people in one area. */
export interface NoticeSource {
  /** The kinds of its items. One of them that it no longer lists waits no more. */
  kinds: readonly NoticeKind[];
  /** The oldest first, at most `limit`. */
  list(limit: number): Promise<NoticeItem[]>;
}

/** A person or a group, as the catalogue has it. */
export interface Contact {
  ref: string;
  /** Its address; null where it has none. */
  email: string | null;
  /** References of all who belong to a group, also by groups within it; empty for a person. */
  members: readonly string[];
}

export interface People {
  /** By the reference as it is given; those that the catalogue has. */
  contacts(refs: readonly string[]): Promise<ReadonlyMap<string, Contact>>;
  /** The groups of a person, in lower case. */
  groupsOf(ref: string): Promise<readonly string[]>;
}

/** A component type of the taxonomy. */
export interface ComponentType {
  /** Whether access to its components can be granted. */
  consumable?: boolean;
}

/** By `namespace/name`, name and resource type, all in lower case. */
export type ComponentTypes = Readonly<Record<string, ComponentType>>;

export type ReadComponentTypes = () => Promise<ComponentTypes>;

/** What of a unit is to be checked by policies, in one environment. */
export interface PolicyRequest {
  unitId: string;
  environment: string;
  /** The whole descriptor as sent. */
  descriptor: object;
  /** The one that is deployed there; null before the first deployment. */
  previous: object | null;
  /** Ids of the components to be deployed; the unit itself is always evaluated. */
  componentIds: readonly string[];
  scope: "validation" | "preview" | "plan";
  /** How long the answer is waited for. Policies that have none by a part of it count as late, whatever the others say. */
  withinMs: number;
}

/** What one policy says about the unit or one of its components. */
export interface PolicyResult {
  policyId: string;
  policyVersion: number;
  policyName: string;
  resourceId: string;
  outcome: "ok" | "warning" | "error" | "failed";
  /** It stops a deployment. */
  blocking: boolean;
  errors: readonly { path?: string; message: string }[];
  /** What to do about a violation. */
  advice: string | null;
}

export interface PolicyVerdict {
  /** Text of the versions of all policies that apply. */
  fingerprint: string;
  results: PolicyResult[];
  /** The results in the wire form of governance, for people and other programs. */
  report: object;
}

/** A policy of an adapter that guards data contracts of components of one type. */
export interface GuardianPolicy {
  id: string;
  resourceType: string | undefined;
  name: string | undefined;
  description: string | undefined;
}

export interface PolicyGuardians {
  /** Makes them passive policies; what is there already is brought up to date. */
  register(ctx: RequestContext, policies: readonly GuardianPolicy[]): Promise<void>;
}

/** Policies of governance. Both methods reject while governance is unavailable. */
export interface Policies {
  evaluate(ctx: RequestContext, request: PolicyRequest): Promise<PolicyVerdict>;
  /**
   * Changes whenever a policy that may apply to deployments in the environment, or an exception of one, does;
   * empty when there is none, and then nothing is evaluated.
   */
  fingerprint(ctx: RequestContext, environment: string): Promise<string>;
}

export type OwnedOperation = "start" | "undeploy" | "removeData" | "rollBack" | "resume";

export interface OwnershipQuestion {
  /** All that the request does to the unit. */
  operations: readonly OwnedOperation[];
  environment: string;
  domain: string | null;
  /** References in lower case; empty where nobody is known. */
  owners: readonly string[];
}

export type OwnershipAnswer =
  /** `isOfRole`: whoever has the role may touch every unit. */
  | { verdict: "allow"; isOfRole?: boolean }
  | { verdict: "deny"; rule: string; whoMay: readonly string[] }
  /** `further`: what other rules ask of other people, after this one. */
  | ({ verdict: "approval"; further?: readonly AskedApproval[] } & AskedApproval);

export interface AskedApproval {
  /** The names of the rules that ask these people. */
  rule: string;
  /** References in lower case; operators where there are none. */
  approvers: readonly string[];
}

/** Whether the caller may touch a unit. */
export type Ownership = (ctx: RequestContext, question: OwnershipQuestion) => Promise<OwnershipAnswer>;

export interface WantedApproval {
  approvers: readonly string[];
  /** What the deciders are shown. */
  fields: object;
}

/** Opens approvals of deployments in the transaction of the plan; how they end is told by `ApprovalDecision`. */
export type OpenApproval = (
  ctx: RequestContext,
  tx: Db,
  wanted: WantedApproval,
) => Promise<{ actionId: string; isApproved: boolean; expiresAt: Date | null }>;

/** Ends an approval that nobody has decided yet, in the transaction of what makes it needless. */
export type CloseApproval = (ctx: RequestContext, tx: Db, actionId: string, reason: string) => Promise<void>;

export interface ApprovalDecision {
  actionId: string;
  status: "APPROVED" | "REJECTED" | "EXPIRED";
  reason: string | null;
}
