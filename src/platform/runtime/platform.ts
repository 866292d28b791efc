/** What a process opens once and every area works with. */
import type { BrowserSessions } from "../auth/browser/sessions.ts";
import type { StoredTokens } from "../auth/tokens/stored-tokens.ts";
import type { Config } from "../config/schema/schema.ts";
import type { Database } from "../db/database.ts";
import type { EventHub } from "../events/events.ts";
import type { Area } from "../http/operation.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { RetentionRule } from "../jobs/retention.ts";
import type { Check } from "../lib/check.ts";
import type { Logger } from "../lib/logger.ts";
import type { Opened } from "../lib/opened.ts";
import type { SharedLimits } from "../shared-limits/shared-limits.ts";
import type { SecretBox } from "../lib/secrets/secret-box.ts";
import type { AddNumbers } from "../telemetry/database-numbers.ts";
import type { Instruments } from "../telemetry/instruments.ts";
import type { OutboundClients } from "../outbound/outbound-clients.ts";
import type { Reloads } from "./reloads.ts";

/** What is there before the job queue: the plan worker starts with it. */
export interface PlatformBase {
  /** As the process was started with. */
  config: Config;
  /** What of it changes while the process works. */
  reloads: Reloads;
  log: Logger;
  now: () => Date;
  /** Where parts are registered as they are opened, so that they are closed when the process stops. */
  opened: Opened;
  database: Database;
  /** Number of the newest migration that this program knows. */
  schemaVersion: number;
  outbound: OutboundClients;
  /** Limits that hold for all processes together. */
  limits: SharedLimits;
  /** What this process counts. */
  instruments: Instruments;
  /** Seals and opens with the key of the installation. */
  secrets: SecretBox;
  /** Tokens that the platform has made. */
  tokens: StoredTokens;
  /** Of browsers. */
  sessions: BrowserSessions;
}

export interface Platform extends PlatformBase {
  jobs: Jobs;
  hub: EventHub;
}

/** What an area offers to the process that runs it. */
export interface AreaModule {
  /** The area's HTTP interface. Loads the routes, which a process with workers only does not need. */
  area(): Promise<Area>;
  /** Adds what it reads from databases at a scrape. */
  registerMetrics(numbers: AddNumbers): Promise<void>;
  /** Which of its old rows are deleted when. */
  retentionRules(): Promise<RetentionRule[]>;
  /** What of it can be wrong, for one pass over the installation. */
  checks(): Promise<Check[]>;
  /** Starts its background work under the id of this process's worker; a start that fails ends what it has begun. */
  start(workerId: string): Promise<void>;
  /** Ends that work. What it cannot finish within its grace is handed over or cut off. */
  close(): Promise<void>;
}
