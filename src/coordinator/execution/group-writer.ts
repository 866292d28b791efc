/**
 * Batches the transitions of all plans of this process: while one statement runs, the next group is
 * collected. Writes to plans that this worker has lost are refused (see group-store.ts).
 *
 * A group whose connection broke is sent again with the same number. If it had been committed, the number is
 * on the plan and nothing is written twice.
 */
import type pg from "pg";
import { isDatabaseAway } from "../../platform/db/failures.ts";
import { retryWhileAway } from "../../platform/db/retry.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { PlanMetrics } from "../plan-metrics.ts";
import { groupOf, writeGroup, type Claim, type PlanWrite, type Verdict } from "./group-store.ts";

/** Another worker has claimed the plan, or it has ended: the receiver stops driving it. */
export class LostClaim extends Error {
  constructor(planId: string) {
    super(`The plan ${planId} is no longer driven by this worker.`);
    this.name = "LostClaim";
  }
}

export interface GroupWriter {
  /** Resolves when the write is committed; rejects with LostClaim when it was refused. */
  write(claim: Claim, write: PlanWrite): Promise<void>;
  /** Resolves when nothing is left to write. */
  idle(): Promise<void>;
}

export interface GroupWriterOptions {
  pool: pg.Pool;
  log: Logger;
  /**
   * How long a failed group is retried before its writes are rejected; no longer than the lease makes sense.
   */
  retryForMs: number;
  metrics?: Pick<PlanMetrics, "wrote" | "writeRepeated">;
}

interface Pending {
  claim: Claim;
  write: PlanWrite;
  done: () => void;
  fail: (error: unknown) => void;
  /** When it was handed over, by the process's clock. */
  since: number;
}

type PendingShare = [Claim, Pending[]];

const largestGroup = 400;
const retryDelayMs = 100;

export function createGroupWriter(options: GroupWriterOptions): GroupWriter {
  const { metrics } = options;
  let gathering: Pending[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    while (gathering.length > 0) {
      // Waiting one iteration of the event loop lets the successors of the last group join this one;
      // otherwise they would wait for the next.
      await new Promise((next) => setImmediate(next));
      const group = gathering.slice(0, largestGroup);
      gathering = gathering.slice(largestGroup);
      await settle(group);
    }
    running = null;
  };
  const settle = async (group: Pending[]): Promise<void> => {
    const shares = [...Map.groupBy(group, (pending) => pending.claim)].filter(refuseAfterRefusal);
    if (shares.length === 0) return;
    try {
      answer(shares, await send(shares));
      if (metrics) for (const { since } of group) metrics.wrote((performance.now() - since) / 1_000);
    } catch (error) {
      // A write that the database refuses must not fail the writes of other plans in the group.
      if (shares.length > 1 && !isDatabaseAway(error))
        for (const [, members] of shares) await settle(members);
      else for (const share of shares) refuse(share, error);
    }
  };
  const send = (shares: PendingShare[]): Promise<Verdict[]> => {
    const group = groupOf(shares.map(([claim, members]) => [claim, members.map((pending) => pending.write)]));
    return retryWhileAway(() => writeGroup(options.pool, group), {
      forMs: options.retryForMs,
      delayMs: retryDelayMs,
      mayRepeat: (error) => isDatabaseAway(error) || isDeadlock(error),
      onRetry({ message: reason }) {
        metrics?.writeRepeated();
        options.log.warn({ reason }, "a group of writes broke; sending it again");
      },
    });
  };

  return {
    write(claim, write) {
      return new Promise((done, fail) => {
        gathering.push({ claim, write, done, fail, since: performance.now() });
        running ??= run();
      });
    },
    async idle() {
      while (running) await running;
    },
  };
}

/** Fails the writes of a claim and all later ones, which may depend on the refused write. */
function refuse([claim, members]: PendingShare, error: unknown): void {
  claim.refused ??= error;
  for (const { fail } of members) fail(error);
}

function refuseAfterRefusal([claim, members]: PendingShare): boolean {
  if (claim.refused === undefined) return true;
  refuse([claim, members], claim.refused);
  return false;
}

const isDeadlock = (error: unknown): boolean => (error as { code?: unknown }).code === "40P01";

function answer(shares: PendingShare[], verdicts: Verdict[]): void {
  const bySlot = new Map(verdicts.map((verdict) => [verdict.slot, verdict]));
  shares.forEach(([claim, members], slot) => {
    const verdict = bySlot.get(slot);
    if (verdict === undefined) refuse([claim, members], new LostClaim(claim.planId));
    else for (const { done } of members) done();
    if (verdict?.terminateMode) claim.onTerminate(verdict.terminateMode);
  });
}
