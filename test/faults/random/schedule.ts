/** Which faults come when: drawn by a seed, one or two at a time, with quiet in between. */
import { setTimeout as sleep } from "node:timers/promises";
import { between, type Random } from "../../crash/random.ts";
import type { Fault } from "../database-faults.ts";
import { rest } from "./client.ts";
import type { FaultWindow } from "./records.ts";

export interface ScheduledFault extends Fault {
  /** Two faults of one group can't be had at the same time. */
  group: string;
  /** See FaultWindow. */
  holds: boolean;
  /** It takes at least so long to show. */
  leastMs?: number;
}

export interface ScheduleOptions {
  faults: readonly ScheduledFault[];
  random: Random;
  /** Longest and shortest time of a fault, and of the quiet between two. */
  lastMs: Range;
  quietMs: Range;
  /** How often a second one comes with the first. */
  shareOfPairs: number;
  /** Begins no further round from then on, and at most so many. */
  until: AbortSignal;
  rounds: number;
  windows: FaultWindow[];
  say: (line: string) => void;
}

interface Range {
  least: number;
  most: number;
}

/** Returns with all faults healed. */
export async function injectFaults(options: ScheduleOptions): Promise<void> {
  const { faults, random, lastMs, quietMs, shareOfPairs, until } = options;
  const draw = dealer(faults, random);
  for (let round = 0; round < options.rounds && !until.aborted; round++) {
    await rest(between(random, quietMs.least, quietMs.most), until);
    const first = draw(() => true);
    const second = random() < shareOfPairs ? draw(({ group }) => group !== first?.group) : undefined;
    await Promise.all(
      [first, second].map(async (fault, place) => {
        if (!fault) return;
        const ms = Math.max(fault.leastMs ?? 0, between(random, lastMs.least, lastMs.most));
        // The second begins in the middle of the first.
        if (place === 1) await sleep(between(random, 0, lastMs.least));
        await injectFault(fault, ms, options);
      }),
    );
  }
}

async function injectFault(
  fault: ScheduledFault,
  ms: number,
  { windows, say }: ScheduleOptions,
): Promise<void> {
  const window: FaultWindow = { name: fault.name, from: Date.now(), to: Infinity, holds: fault.holds };
  windows.push(window);
  await fault.begin();
  const begunMs = Date.now() - window.from;
  await sleep(ms);
  await fault.end();
  window.to = Date.now();
  const heldMs = window.to - window.from;
  say(
    `${fault.name}: ${(heldMs / 1_000).toFixed(1)} s${begunMs > 1_000 ? `, ${begunMs} ms of them to begin` : ""}`,
  );
}

/** Like cards: none comes twice before all have come, as far as the wish allows. */
function dealer(
  faults: readonly ScheduledFault[],
  random: Random,
): (isAllowed: (fault: ScheduledFault) => boolean) => ScheduledFault | undefined {
  let remaining: ScheduledFault[] = [];
  return (isAllowed) => {
    if (remaining.length === 0) remaining = shuffled(faults, random);
    const place = remaining.findIndex(isAllowed);
    return place < 0 ? undefined : remaining.splice(place, 1)[0];
  };
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}
