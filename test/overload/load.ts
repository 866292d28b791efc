/** What the process that makes the load is asked, and what it tells; `generator.ts` is that process. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** One kind of request. `#` in path and body stands for a number that no other request has. */
export interface Kind {
  name: string;
  /** Its part of the load, as a weight. */
  weight: number;
  method: string;
  path: string;
  body?: string;
}

/** Requests that come whether or not earlier ones have been answered. */
export interface Load {
  port: number;
  token: string;
  kinds: Kind[];
  perSecond: number;
  ms: number;
  /** After which a caller gives up. */
  timeoutMs: number;
  /** First of the numbers that stand for `#`. */
  firstNumber: number;
}

export interface Answered {
  /** Name of its kind. */
  kind: string;
  /** When it was sent, in ms since the load began. */
  atMs: number;
  /** From the sending to the whole answer. */
  ms: number;
  status: number;
  hasRetryAfter: boolean;
}

export interface Outcome {
  answered: Answered[];
  sent: number;
  timedOut: number;
  /** Connections that ended without an answer. */
  broken: number;
  /** How late the generator itself was with a request, at worst and for 99 of 100. */
  lateMs: { worst: number; p99: number };
}

export interface Generator {
  run(load: Load): Promise<Outcome>;
  close(): void;
}

export function startGenerator(): Generator {
  const child = fork(join(import.meta.dirname, "generator.ts"), {
    stdio: "inherit",
    serialization: "advanced",
  });
  return {
    async run(load) {
      child.send(load);
      const [outcome] = (await once(child, "message")) as [Outcome];
      return outcome;
    },
    close: () => child.disconnect(),
  };
}

/** The value below which that share of the list is; 0 for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
