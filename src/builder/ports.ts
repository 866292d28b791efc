import type { Problem } from "../platform/errors/failure.ts";
import type { Db } from "../platform/db/database.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { DeploymentDiff } from "./approvals/schema.ts";
import type { Taxonomy } from "./catalogue/entities/taxonomy.ts";

/** What the builder needs from other areas; `src/areas.ts` passes the owner's service or a client of it. */

export interface ApprovalDecision {
  actionId: string;
  status: "APPROVED" | "REJECTED" | "EXPIRED";
  reason: string | null;
}

/** Tells a plan how the approval ended that it waits for, in the transaction that ends it. */
export type DecideApproval = (ctx: RequestContext, tx: Db, decision: ApprovalDecision) => Promise<void>;

/** What the descriptor of a waiting plan changes of what is deployed; null for a plan that is not known any more. */
export type ReadPlanDiff = (planId: string) => Promise<DeploymentDiff | null>;

/** A registration as passed to the coordinator: the adapter's identity and its address in one environment. */
export interface TechAdapterRegistration {
  id: string;
  name: string;
  description: string;
  version: string;
  url: string;
  environment: string;
  properties: Record<string, unknown>;
}

/**
 * The coordinator's catalogue of tech adapters. Registering is an upsert of identity and address together.
 */
export interface TechAdapterCatalogue {
  register: (ctx: RequestContext, registration: TechAdapterRegistration) => Promise<void>;
}

/** The coordinator's units of which something is deployed, page by page. */
export interface ListDeployedUnits {
  list: (query: { environment: string; after: string | null; limit: number }) => Promise<{
    units: { unitId: string; descriptor: Record<string, unknown>; deployedIds: string[] }[];
    next: string | null;
  }>;
}

/** Checks an address against the outbound policy, without connecting. */
export type CheckUrl = (url: string) => Problem | null;

/** Whether something answers at an address; undefined when that cannot be determined. */
export type ProbeUrl = (url: string, signal: AbortSignal) => Promise<boolean | undefined>;

/** The types of the catalogue's taxonomy. */
export type ReadTaxonomy = () => Promise<Taxonomy>;

export interface AccessTarget {
  unitId: string;
  environment: string;
  outputPortUrns: readonly string[];
}

export interface KnownPort {
  /** The descriptor of the port when it was deployed. */
  urn: string;
  name: string | null;
  /** DEPLOYED, or why not. */
  status: string;
  isConsumable: boolean;
}

export interface AccessChange {
  /** The same change under the same id is carried out once. */
  requestId: string;
  unitId: string;
  environment: string;
  outputPortUrn: string;
  /** Database id of the port. */
  outputPortId: number;
  operation: "GRANT" | "REVOKE";
  identities: readonly string[];
  accessControlFields: Record<string, unknown> | null;
}

/** The coordinator's state of deployed units, and its changes of access. */
export interface AccessCoordinator {
  /** The unit's last descriptor, and each port with its state; null when the unit is unknown. */
  describe: (
    ctx: RequestContext,
    target: AccessTarget,
  ) => Promise<{ descriptor: object; ports: readonly (KnownPort | null)[] } | null>;
  /** The id of the plan that changes access, or what must end before there can be one. */
  change: (ctx: RequestContext, change: AccessChange) => Promise<{ planId: string } | { waitsFor: string }>;
  /** How the plan has ended; null while it is running. */
  readEnd: (
    ctx: RequestContext,
    planId: string,
  ) => Promise<{ isCompleted: boolean; message: string | null } | null>;
}

export interface ReverseRequest {
  useCaseTemplateId: string;
  infrastructureTemplateIds: string[];
  environment: string;
  params: Record<string, unknown>;
  catalogInfo: Record<string, unknown>;
}

/** The coordinator's reverse provisioning: an adapter reads what exists and returns updates of an entity. */
export interface ReverseProvisioner {
  /** The id of the plan. Rejects with a Failure when there is no adapter to ask. */
  start: (ctx: RequestContext, request: ReverseRequest) => Promise<string>;
  /** How the plan has ended; null while it is running. `message` says why it is not completed. */
  readEnd: (
    ctx: RequestContext,
    planId: string,
  ) => Promise<{ isCompleted: boolean; message: string | null; updates: Record<string, unknown> } | null>;
}
