import type { RetentionRule } from "../platform/jobs/retention.ts";
import type { AuditChain } from "../platform/audit/seal.ts";
import { writeAudit as write, type AreaAuditEntry } from "../platform/db/audit.ts";
import type { Database, Db } from "../platform/db/database.ts";
import type { NoticeKind } from "../platform/config/schema/schema-notices.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Doctor } from "../platform/doctor/doctor.ts";
import type { EventHub } from "../platform/events/events.ts";
import type { Outbound } from "../platform/outbound/outbound.ts";
import type { DriftSchedule } from "./watching/drift/schedule.ts";
import type { AdapterClient } from "./adapters/protocol/client.ts";
import type { TaskPlace } from "./execution/tasks/limits.ts";
import type { UnitKey, UnitView } from "./units/store.ts";
import type {
  CloseApproval,
  OpenApproval,
  People,
  Ownership,
  Policies,
  PolicyGuardians,
  ReadComponentTypes,
  SearchSource,
  WaitingSource,
} from "./ports.ts";

/** Dependencies of the coordinator's services, created once per process. */
export interface CoordinatorDeps {
  database: Database;
  jobs: Jobs;
  hub: EventHub;
  /** Outbound client for tech adapters. */
  outbound: Outbound;
  adapters: AdapterClient;
  readComponentTypes: ReadComponentTypes;
  /** Reads what the status of a unit is computed from. Requests of the same moment share a query. */
  readUnit: (at: UnitKey) => Promise<UnitView | null>;
  /** Undefined where governance is off. */
  policies?: Policies | undefined;
  guardians?: PolicyGuardians | undefined;
  settings: CoordinatorSettings;
  /** Whether callers may touch a unit; undefined where every developer may. */
  ownership?: Ownership | undefined;
  openApproval?: OpenApproval | undefined;
  closeApproval?: CloseApproval | undefined;
  audit?: AuditAccess;
  /** Lists of other areas of what waits for a user's decision. */
  waiting?: readonly WaitingSource[];
  /** What other areas offer to the search over everything. */
  search?: () => readonly SearchSource[];
  /** People of the catalogue. */
  people?: People;
  /** By which rules old rows of all areas are deleted. */
  retentionRules?: () => Promise<RetentionRule[]>;
  /** Makes the checks of all areas. */
  doctor: Doctor;
}

/** The audits of all areas. */
export interface AuditAccess {
  chains: readonly AuditChain[];
  /** Rows that one request verifies. */
  verifiedRows: number;
}

export interface CoordinatorSettings {
  /** Configured environments, highest priority first. */
  environments: readonly string[];
  unitIdPattern: RegExp | undefined;
  /** Whether a unit with an `infrastructureTemplateId` of its own is provisioned itself. */
  rootProvisioning: boolean;
  /** Longest operation in an environment. */
  operationTimeoutMs: (environment: string) => number;
  /** How long a plan waits for its environment to open. */
  longestHoldMs: number;
  reconcile: ReconcileSettings;
  /** When deployed units are checked for drift. */
  driftSchedules: readonly DriftSchedule[];
  /** Waits before each time that an adapter is asked about an unknown outcome; after the last nobody asks it by the clock. */
  outcomeRetryDelaysMs: readonly number[];
  /** Longest call of an adapter, which it or the environment may have of its own. */
  adapterCallTimeoutMs: (place: TaskPlace) => number;
  /** Longest evaluation of the policies for a preview. */
  callTimeoutMs: number;
  /** How long a request waits for the validations of the adapters. */
  validationTimeoutMs: number;
  /** Operations that may wait for their turn on one unit in one environment. */
  queuedOperationsPerUnit: number;
  /** Whether plans fail, or go on with a warning, while the policies can't be evaluated. */
  policiesOnUnavailable: "block" | "warn";
  /** How long an idempotency key is stored. */
  idempotencyKeyMs: number;
  /** How tokens of adapters are polled. */
  polling: { initialMs: number; factor: number; maxMs: number };
  /** Enabled external services that are notified of provisioning. */
  services: readonly ExternalService[];
  /** Address that is notified of changes of access, if any. */
  accessSyncUrl: string | undefined;
  webhooks: readonly WebhookTarget[];
  notices: {
    /** What mails are sent about; null without a mail server. */
    mailKinds: readonly NoticeKind[] | null;
    /** Names of the chats. */
    chats: readonly string[];
  };
}

/** Plans that repair drift. */
export interface ReconcileSettings {
  modeOf: (environment: string) => "off" | "ask" | "auto";
  /** Automatic ones at a time. */
  parallelPlans: number;
  /** After an automatic one of a unit, further drift of it is asked about for this long. */
  perUnitMs: number;
  /** Failures in a row in an environment after which somebody is asked. */
  stopAfterFailures: number;
  /** How long a question waits. */
  askMs: number;
}

export interface ExternalService {
  id: string;
  name: string;
  baseUrl: string;
  /** Whether a failed call fails the plan. */
  isBlocking: boolean;
}

export interface CoordinatorExtra {
  coordinator: CoordinatorDeps;
}

export type CoordinatorContext = RequestContext & CoordinatorExtra;

/** The part of the context that is available to workers too. */
export type WorkerContext = RequestContext & {
  coordinator: Pick<CoordinatorDeps, "database" | "jobs" | "settings">;
};

export interface WebhookTarget {
  name: string;
  url: string;
  /** Null for all. */
  events: readonly string[] | null;
  environments: readonly string[] | null;
}

/** Writes an audit row of this area in the transaction of the change that it describes. */
export const writeAudit = (db: Db, ctx: RequestContext, entry: AreaAuditEntry): Promise<void> =>
  write(db, ctx, { ...entry, area: "coordinator" });
