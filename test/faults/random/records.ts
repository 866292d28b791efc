/** What is written down in the course of a run, for the judge. */

/** A plan that was accepted, and what was asked for. */
export interface PlanRecord {
  planId: string;
  unitId: string;
  /** Else it undeploys. */
  deploys: boolean;
  components: readonly string[];
  /** Components that their adapter was told to fail. */
  failing: ReadonlySet<string>;
}

export interface StreamRecord {
  planId: string;
  /** In the order of their arrival, over all connections. */
  ids: number[];
  /** The plan's last event has been seen. */
  isWhole: boolean;
}

export interface FaultWindow {
  name: string;
  /** In ms since the epoch. */
  from: number;
  to: number;
  /** What was on its way when it began may arrive when it ends. */
  holds: boolean;
}

/** How a process of an instance has ended. */
export interface Ending {
  instance: string;
  /**
   * asked: by SIGTERM. asked at its start: the same, before it was up. asked unborn: the same, before the program had
   * written its first line and heard signals, so that Node.js itself ended. killed: by us. start failed: before it was up. itself: while it was up, and nobody had asked.
   */
  how: "asked" | "asked at its start" | "asked unborn" | "killed" | "start failed" | "itself";
  code: number | null;
  /** From the signal, or from its start, in ms. */
  tookMs: number;
  /** The life of this process, in ms since the epoch. */
  from: number;
  to: number;
  /** The last of what it said as an error. */
  said: string;
}

export interface Sample {
  instance: string;
  pid: number;
  /** In ms since the epoch. */
  at: number;
  descriptors: number;
  /** Sockets to the port of the database, in whatever state. */
  connections: number;
}

/** A sample of a moment when nothing runs. */
export type IdleSample = Pick<Sample, "instance" | "connections" | "descriptors">;

export interface Limits {
  connections: number;
  descriptors: number;
}
