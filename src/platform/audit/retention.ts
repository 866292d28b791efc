/** Old rows of the audit are deleted from the front of its chain. */
import type { RetentionRule } from "../jobs/retention.ts";
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
  chains.map((chain) => ({
    name: `audit-${chain.name}`,
    setting: "retention.auditDays",
    keepDays,
    async deleteBatch({ before, limit }) {
      const { rows, hasMore } = await pruneAudit(chain, { before, at: now(), limit });
      return { deleted: rows, position: null, isDone: !hasMore };
    },
    count: ({ before, most }) => countOldLinks(chain.database.db, before, most),
  }));
