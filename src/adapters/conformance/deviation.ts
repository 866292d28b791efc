import type { Exchange } from "./exchange.ts";

/** A deviation from the protocol. The coordinator can cope with a warning. */
export interface Deviation {
  severity: "fail" | "warn";
  /** What the adapter did. */
  what: string;
  /** What the protocol says instead. */
  protocol: string;
  /** What its author can do. */
  fix: string;
  /** The call that showed it. */
  exchange?: Exchange;
}

export type Say = (severity: Deviation["severity"], what: string, protocol: string, fix: string) => void;

/** Collects deviations that one exchange showed. */
export function collector(exchange: Exchange): { deviations: Deviation[]; say: Say } {
  const deviations: Deviation[] = [];
  return {
    deviations,
    say: (severity, what, protocol, fix) => deviations.push({ severity, what, protocol, fix, exchange }),
  };
}
