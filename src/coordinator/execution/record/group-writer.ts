/**
 * Writes the transitions of all plans of this process in groups: while one statement is under way the next
 * group gathers. What is not ours any more is refused (see group-store.ts).
 *
 * A group that broke with the connection is sent again with the same number. Where it had been committed
 * the number is found on the plan and nothing is written twice.
 */
import type pg from "pg";
import { isDatabaseAway } from "../../../platform/db/failures.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { groupOf, writeGroup, type Claim, type PlanWrite, type Verdict } from "./group-store.ts";

/** The plan belongs to another worker now (or has ended): whoever gets this stops driving it. */
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
  /** How long a broken group is tried again before its writes are rejected. Longer than the lease is vain. */
  retryForMs: number;
}

interface Pending {
  claim: Claim;
  write: PlanWrite;
  done: () => void;
  fail: (error: unknown) => void;
}

type PendingShare = [Claim, Pending[]];

const largestGroup = 400;
const retryDelayMs = 100;

export function createGroupWriter(options: GroupWriterOptions): GroupWriter {
  let gathering: Pending[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    while (gathering.length > 0) {
      // One turn of the event loop lets everything join that became ready together, by the last group too:
      // without it the successors of that group would miss this one and wait for the next.
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
    } catch (error) {
      // One plan's write that the database refuses must not fail its neighbours'.
      if (shares.length > 1 && !isDatabaseAway(error))
        for (const [, members] of shares) await settle(members);
      else for (const share of shares) refuse(share, error);
    }
  };
  const send = async (shares: PendingShare[]): Promise<Verdict[]> => {
    const group = groupOf(shares.map(([claim, members]) => [claim, members.map((pending) => pending.write)]));
    const giveUpAt = performance.now() + options.retryForMs;
    for (;;) {
      try {
        return await writeGroup(options.pool, group);
      } catch (error) {
        const mayRepeat = isDatabaseAway(error) || isDeadlock(error);
        if (!mayRepeat || performance.now() > giveUpAt) throw error;
        options.log.warn({ reason: (error as Error).message }, "a group of writes broke; sending it again");
        await new Promise((next) => setTimeout(next, retryDelayMs));
      }
    }
  };

  return {
    write(claim, write) {
      return new Promise((done, fail) => {
        gathering.push({ claim, write, done, fail });
        running ??= run();
      });
    },
    async idle() {
      while (running) await running;
    },
  };
}

/** Fails a claim's writes, and by the mark all that follow: they may build on what was refused. */
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
