/** Interfaces of other areas that the governance uses; `src/areas.ts` passes the implementations. */

import type { RequestContext } from "../platform/lib/request-context.ts";

/** A unit of which something is deployed, or was. */
export interface DeployedUnit {
  unitId: string;
  /** The descriptor of the last plan that changed its components. */
  descriptor: Record<string, unknown>;
  /** Ids of its deployed components, subcomponents too. */
  deployedIds: string[];
}

/** What is deployed, in one environment. */
export interface DeployedUnits {
  /** A page of units of which something is deployed, by id; the next one begins after `next`, null after the last. */
  list(query: {
    environment: string;
    after: string | null;
    limit: number;
  }): Promise<{ units: DeployedUnit[]; next: string | null }>;
  /** The unit with this id, in any case, or with such a deployed component. */
  find(query: { id: string; environment: string }): Promise<DeployedUnit | null>;
}

/**
 * References in lower case of those who own a unit with this id, or with such a deployed component: of each unit for itself.
 * Empty when nothing of it is deployed in the environment.
 */
export type ReadOwners = (query: {
  id: string;
  environment: string;
}) => Promise<readonly (readonly string[])[]>;

/** The owners and the domain of the last descriptor of a unit, also while nothing of it is deployed; null for none. */
export type ReadOwnership = (query: {
  id: string;
  environment: string;
}) => Promise<{ owners: readonly string[]; domain: string | null } | null>;

/** Agents of the assistant, for policies that one of them judges. */
export interface AskAgent {
  /** Why the agent can't be asked; null when it can. */
  problemOf(agentId: string): Promise<string | null>;
  /** Its answer, without tools. Rejects with a Failure that says why there is none. */
  ask(question: {
    agentId: string;
    contract: string;
    text: string;
    maxAnswerChars: number;
    signal: AbortSignal;
  }): Promise<string>;
}

/** The groups of a person and the groups above those, in lower case. */
export type ReadGroups = (ref: string) => Promise<readonly string[]>;

/** What somebody has decided, or has still to decide, about a deployment of a unit. */
export interface UnitApproval {
  approver: string;
  status: "pending" | "approved" | "rejected";
  at: Date;
  comment: string;
}

/** The latest first. */
export type ReadApprovals = (ctx: RequestContext, unitId: string) => Promise<UnitApproval[]>;
