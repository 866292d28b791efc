/** What is done for all areas alike: old rows are deleted, and the audit's chain is continued. */
import { auditRetention } from "../audit/retention.ts";
import type { AuditChain } from "../audit/seal.ts";
import { startAuditSealer } from "../audit/sealer.ts";
import { startRetention, type RetentionRule } from "../jobs/retention.ts";
import type { AreaModule, Platform } from "./platform.ts";

export interface UpkeepParts {
  modules: readonly AreaModule[];
  /** Who did what, in each database that has an audit. */
  audits: readonly AuditChain[];
}

/** Which rows of which age are deleted, in the whole installation. */
export async function allRetentionRules(
  { config, now }: Pick<Platform, "config" | "now">,
  { modules, audits }: UpkeepParts,
): Promise<RetentionRule[]> {
  const ofAreas = await Promise.all(modules.map((module) => module.retentionRules()));
  return [...ofAreas.flat(), ...auditRetention(audits, { keepDays: config.retention.auditDays, now })];
}

/** Starts the retention job; of all processes with workers, one at a time runs it. */
export async function openRetention(platform: Platform, parts: UpkeepParts): Promise<void> {
  const { config, database, jobs, log, now, opened } = platform;
  const rules = await allRetentionRules(platform, parts);
  const { batchRows, busyPercent } = config.retention;
  await opened.open(
    "the deletion of old rows",
    () => startRetention({ database, jobs, log, now, rules, batchRows, busyPercent }),
    (started) => started.close(),
    { isAtWork: true },
  );
}

/** Until the process stops. */
export function startSealer({ config, log, now, opened }: Platform, { audits }: UpkeepParts): void {
  const sealer = startAuditSealer({ chains: audits, log, now, everyMs: config.audit.sealEveryMs });
  opened.add("the audit's chain", () => sealer.close(), { isAtWork: true });
}
