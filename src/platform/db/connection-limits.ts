/** The connections that one process holds at most. docs/guides/scaling.md has the sums; max_connections must hold them. */

export const connectionLimits = {
  /** All statements of requests and workers. */
  pool: 20,
  /** LISTEN, for the whole process. */
  listener: 1,
  /** The session lock by which others see that the worker lives. */
  workerLease: 1,
  /** The job queue's own pool. */
  jobs: { worker: 5, sendOnly: 2 },
  /** The queue's LISTEN; a process that only sends has none. */
  jobsListener: 1,
  /** Statements in governance's own database or schema. */
  governance: 6,
  /** LISTEN there, for the evaluations that workers do. */
  governanceListener: 1,
  /** Queries of the data layer, to each database, from the first one on; the default of dataLayer.connections. */
  dataLayer: 6,
} as const;

/** A migration's own connection is closed before the others are made. */
export function maxConnections({ isWorker }: { isWorker: boolean }): number {
  const { pool, listener, workerLease, jobs, jobsListener, governance, governanceListener, dataLayer } =
    connectionLimits;
  const ofAll = pool + listener + governance + dataLayer;
  return isWorker
    ? ofAll + workerLease + jobs.worker + jobsListener + governanceListener
    : ofAll + jobs.sendOnly;
}
