/** The ways in which a standby comes to serve in its primary's place, as operators and their tools bring them about. */
import { setTimeout as sleep } from "node:timers/promises";
import { freeze, type Fault } from "../faults/database-faults.ts";
import type { Wire } from "../faults/wire.ts";
import { follow, promote, stopPrimary, type Pair } from "./pair.ts";

export interface Failover {
  name: string;
  /** See FaultWindow. */
  holds: boolean;
  /** Returns when new connections reach a primary. */
  begin(): Promise<void>;
  /** Clears away what is left, and has a new standby follow. */
  end(): Promise<void>;
}

/** How long it takes until somebody decides to promote. */
const decisionMs = 2_000;
/** How long callers are led to a server that can only be read. */
const readOnlyMs = 6_000;

export function failovers(pair: Pair, wires: readonly Wire[]): Failover[] {
  const leadTo = (port: number): void => wires.forEach((wire) => wire.lead(port));
  return [killed(pair, leadTo), early(pair, leadTo), silent(pair, leadTo), demoted(pair, leadTo)];
}

type LeadTo = (port: number) => void;

const killed = (pair: Pair, leadTo: LeadTo): Failover => ({
  name: "primary killed",
  holds: false,
  async begin() {
    await stopPrimary(pair, "machine");
    await sleep(decisionMs);
    await promote(pair);
    leadTo(pair.primary.port);
  },
  end: () => follow(pair),
});

/** Connections are made to the standby before it is promoted, and live on. */
const early = (pair: Pair, leadTo: LeadTo): Failover => ({
  name: "led to the standby first",
  holds: false,
  async begin() {
    await stopPrimary(pair, "machine");
    leadTo(pair.standby.port);
    await sleep(readOnlyMs);
    await promote(pair);
  },
  end: () => follow(pair),
});

/** Nobody says that its connections are gone. */
function silent(pair: Pair, leadTo: LeadTo): Failover {
  let frozen: Fault;
  return {
    name: "primary silent",
    holds: true,
    async begin() {
      frozen = freeze(pair.primary);
      await frozen.begin();
      await sleep(decisionMs);
      await promote(pair);
      leadTo(pair.primary.port);
    },
    async end() {
      await stopPrimary({ ...pair, primary: pair.standby }, "machine");
      await follow(pair);
    },
  };
}

/** The old primary is a standby by now, and for a while new connections still go there: some will be left on it. */
const demoted = (pair: Pair, leadTo: LeadTo): Failover => ({
  name: "primary demoted",
  holds: false,
  async begin() {
    await stopPrimary(pair, "orderly");
    await promote(pair);
    await follow(pair);
    await sleep(readOnlyMs);
    leadTo(pair.primary.port);
  },
  end: () => Promise.resolve(),
});
