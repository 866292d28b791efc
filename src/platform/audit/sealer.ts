/**
 * Seals rows of audits in the background of a process with workers. Writers notify nobody, because PostgreSQL commits
 * transactions that notify one after the other; so the rows are looked for by the clock.
 */
import { startRounds } from "../jobs/rounds.ts";
import type { Logger } from "../lib/logger.ts";
import { sealAudit, type AuditChain } from "./seal.ts";
import { advanceSettled, nothingSettled, type Settled } from "./settled.ts";
import { readTops, readWriters } from "./store.ts";

export interface AuditSealerOptions {
  chains: readonly AuditChain[];
  log: Logger;
  now: () => Date;
  /** Longest wait between two looks. */
  everyMs: number;
}

export interface AuditSealer {
  close(): Promise<void>;
}

interface Watched {
  chain: AuditChain;
  settled: Settled;
  isFailing: boolean;
  /** When its end was logged last. */
  loggedAt: number;
}

/** While rows wait for writers to end. */
const settleMs = 50;
/** The end of a chain is logged as often: a copy of the log shows a chain that was put in place of another. */
const logEveryMs = 3_600_000;

export function startAuditSealer({ chains, log, now, everyMs }: AuditSealerOptions): AuditSealer {
  const watched = chains.map((chain): Watched => ({
    chain,
    settled: nothingSettled,
    isFailing: false,
    loggedAt: 0,
  }));
  let isSettling = false;
  let isClosed = false;
  const sealOne = async (one: Watched): Promise<number> => {
    const { chain } = one;
    const { top, sealed } = await readTops(chain.database.db);
    if (top <= sealed) return 0;
    const writers = await readWriters(chain.database.db);
    one.settled = advanceSettled(one.settled, { top, writers });
    if (one.settled.pending !== null) isSettling = true;
    let rows = 0;
    for (let hasMore = true; hasMore && !isClosed;) {
      const at = now();
      const done = await sealAudit(chain, { upTo: one.settled.upTo, at });
      hasMore = done?.hasMore ?? false;
      if (done === null) break;
      rows += done.rows;
      const end = { chain: chain.name, seq: done.seq, hash: done.hash };
      if (done.isUnsigned)
        log.error(end, "the end of the audit's chain is not the one that this installation has signed");
      if (at.getTime() - one.loggedAt < logEveryMs || hasMore) continue;
      one.loggedAt = at.getTime();
      log.info(end, "the audit is sealed up to here");
    }
    return rows;
  };
  const round = async (): Promise<"idle" | void> => {
    let rows = 0;
    isSettling = false;
    for (const one of watched) {
      const sealed = await sealOne(one).catch((error: Error) => {
        if (!one.isFailing && !isClosed)
          log.warn(
            { chain: one.chain.name, reason: error.message },
            "the audit could not be sealed; trying again",
          );
        return null;
      });
      one.isFailing = sealed === null;
      rows += sealed ?? 0;
    }
    if (rows === 0 && !isSettling) return "idle";
  };
  const rounds = startRounds({
    round,
    idleMs: () => (isSettling ? settleMs : everyMs),
    log,
    what: "the audit's chain",
  });
  return {
    async close() {
      isClosed = true;
      await rounds.close();
    },
  };
}
