/** Old rows of the audit are deleted from the front of its chain. */
import { simpleRule, type RetentionRule } from "../jobs/retention.ts";
import { pruneAudit } from "./prune.ts";
import type { AuditChain } from "./seal.ts";
import { countOldLinks } from "./store.ts";

interface AuditRetention {
  keepDays: number;
  now: () => Date;
}

/** A rule for each chain. */
export const auditRetention = (
  chains: readonly AuditChain[],
  { keepDays, now }: AuditRetention,
): RetentionRule[] =>
  chains.map((chain) =>
    simpleRule(
      { name: `audit-${chain.name}`, setting: "retention.auditDays", keepDays },
      {
        prune: async (before, limit) => (await pruneAudit(chain, { before, at: now(), limit })).rows,
        count: (before, most) => countOldLinks(chain.database.db, before, most),
      },
    ),
  );
