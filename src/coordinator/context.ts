import type { Database } from "../platform/db/database.ts";
import type { RequestContext } from "../platform/lib/request-context.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { EventHub } from "../platform/events/events.ts";
import type { Outbound } from "../platform/outbound/outbound.ts";
import type { Target } from "./outgoing-events/delivery-store.ts";
import type { AdapterClient } from "./adapter-protocol/client.ts";
import type { ReadComponentTypes, WaitingSource } from "./ports.ts";

/** What every service of the coordinator gets: the request, and what its module made once. */
export interface CoordinatorDeps {
  database: Database;
  jobs: Jobs;
  hub: EventHub;
  /** The outbound client for tech adapters. */
  outbound: Outbound;
  adapters: AdapterClient;
  readComponentTypes: ReadComponentTypes;
  settings: CoordinatorSettings;
  /** What waits for people in other areas. */
  waiting?: readonly WaitingSource[];
}

export interface CoordinatorSettings {
  /** Configured environments, the one of highest priority first. */
  environments: readonly string[];
  unitIdPattern: RegExp | undefined;
  /** Whether a unit with an `infrastructureTemplateId` of its own is provisioned itself. */
  rootProvisioning: boolean;
  /** Longest operation in an environment. */
  operationTimeoutMs: (environment: string) => number;
  /** Longest call of an adapter. */
  callTimeoutMs: number;
  /** How long a request waits for the validations of the adapters. */
  validationTimeoutMs: number;
  /** Operations that may wait for their turn on one unit in one environment. */
  queuedOperationsPerUnit: number;
  /** How long an idempotency key is kept. */
  idempotencyKeyMs: number;
  /** How tokens of adapters are polled. */
  polling: { initialMs: number; factor: number; maxMs: number };
  /** Enabled external services that are told of provisioning. */
  services: readonly ExternalService[];
  /** Where changes of access are told, if anywhere. */
  accessSyncUrl: string | undefined;
  webhooks: readonly Target[];
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

/** What services need that workers call too. */
export type WorkerContext = RequestContext & {
  coordinator: Pick<CoordinatorDeps, "database" | "jobs" | "settings">;
};
