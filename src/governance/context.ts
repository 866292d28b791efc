import { writeAudit as write, type AreaAuditEntry } from "../platform/db/audit.ts";
import type { Database, Db } from "../platform/db/database.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { PolicyEngines } from "./engines/engine.ts";
import type { DecideOwnership } from "./ownership/decide.ts";
import type { ConfiguredRules } from "./ownership/ownership.ts";
import type { PolicyReader } from "./evaluations/policy-reader.ts";
import type { DeployedUnits, ReadApprovals, ReadGroups, ReadOwners, ReadOwnership } from "./ports.ts";

/** What every service of governance gets besides the request; made once by its module. */
export interface GovernanceDeps {
  /** Governance's own. */
  database: Database;
  engines: PolicyEngines;
  settings: GovernanceSettings;
  policies: PolicyReader;
  deployedUnits: DeployedUnits;
  readApprovals: ReadApprovals;
  readOwners: ReadOwners;
  readGroups: ReadGroups;
  readOwnership: ReadOwnership;
  decideOwnership: DecideOwnership;
}

export interface GovernanceSettings {
  /** Configured environments, highest priority first. */
  environments: readonly string[];
  /** Whether what nobody is known to own counts as everybody's. */
  unownedIsMine: boolean;
  /** Evaluations that one caller may have pending. */
  pendingReports: number;
  /** The rules that are not stored. */
  ownership: ConfiguredRules;
}

export interface GovernanceExtra {
  governance: GovernanceDeps;
}

export type GovernanceContext = RequestContext & GovernanceExtra;

/** Writes an audit row of this area in the transaction of the change that it describes. */
export const writeAudit = (db: Db, ctx: RequestContext, entry: AreaAuditEntry): Promise<void> =>
  write(db, ctx, { ...entry, area: "governance" });
