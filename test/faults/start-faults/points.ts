/** Where a start is disturbed, and how: one point is one start of the program. */
import type { Random } from "../../crash/random.ts";
import { connectFaults, queryFaults, type CountedFault } from "./faulty-database.ts";

export type Workers = "on" | "only";

export type Point = { workers: Workers } & (
  | { kind: "fault"; fault: CountedFault }
  /** SIGTERM while the start waits for this connection or statement, which never comes. */
  | { kind: "signal"; fault: CountedFault }
  /** The role may have so many connections. */
  | { kind: "role limit"; connections: number }
  | { kind: "address"; what: "in use" | "of another machine" }
  | { kind: "data directory"; what: DataDirectory; embedded: boolean }
  /** SIGTERM once this file is there. */
  | { kind: "embedded"; signalAt: "initdb" | "postmaster" }
  /** A stop that waits for a request is ended by another SIGTERM. */
  | { kind: "second signal" }
);

export const dataDirectories = [
  "below /proc",
  "a file in its place",
  "below a file",
  "not writable",
] as const;
export type DataDirectory = (typeof dataDirectories)[number];

export interface Counted {
  connects: number;
  queries: number;
}

export const maxConnections = 12;

/** Every point of a start that made so many connections and statements. */
export function allPoints(workers: Workers, { connects, queries }: Counted): Point[] {
  const faults: CountedFault[] = [
    ...numbers(connects).flatMap((n) => connectFaults.map((how) => ({ at: "connect", n, how }) as const)),
    ...numbers(queries).flatMap((n) => queryFaults.map((how) => ({ at: "query", n, how }) as const)),
  ];
  const held = faults.filter(({ how }) => how === "hangs" || how === "silent");
  return [
    ...faults.map((fault) => ({ workers, kind: "fault", fault }) as const),
    ...held.map((fault) => ({ workers, kind: "signal", fault }) as const),
    ...numbers(maxConnections).map((connections) => ({ workers, kind: "role limit", connections }) as const),
    ...(["initdb", "postmaster"] as const).map(
      (signalAt) => ({ workers, kind: "embedded", signalAt }) as const,
    ),
    ...dataDirectories.flatMap((what) =>
      [true, false].map((embedded) => ({ workers, kind: "data directory", what, embedded }) as const),
    ),
    ...(workers === "only" ? [] : addresses.map((what) => ({ workers, kind: "address", what }) as const)),
    ...(workers === "only" ? [] : [{ workers, kind: "second signal" } as const]),
  ];
}

/** Some of them, which the seed decides. */
export function drawPoints(points: readonly Point[], count: number, random: Random): Point[] {
  const mixed = points.map((point) => ({ point, at: random() })).sort((one, other) => one.at - other.at);
  return mixed.slice(0, count).map(({ point }) => point);
}

const addresses = ["in use", "of another machine"] as const;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export const nameOf = (point: Point): string =>
  `${point.workers === "only" ? "workers only, " : ""}${describe(point)}`;

function describe(point: Point): string {
  if (point.kind === "fault") return `${point.fault.at} ${point.fault.n} ${point.fault.how}`;
  if (point.kind === "signal") return `SIGTERM at ${point.fault.at} ${point.fault.n}`;
  if (point.kind === "role limit") return `role limit ${point.connections}`;
  if (point.kind === "embedded") return `SIGTERM at ${point.signalAt}`;
  if (point.kind === "second signal") return "second SIGTERM";
  if (point.kind === "address") return `address ${point.what}`;
  return `data directory ${point.what}${point.embedded ? "" : ", configured database"}`;
}
