/** Evaluates reports in this process, and begins those of schedules. */
import { startRounds } from "../../platform/jobs/rounds.ts";
import { startRowWorker } from "../../platform/jobs/row-worker.ts";
import { runReport, type ReportDeps } from "./run-report.ts";
import { createTicks, type ScheduleDeps } from "./schedules.ts";
import { claimReports, reportsChannel, type ClaimedReport } from "./store.ts";

export interface EvaluationWorkerOptions extends ReportDeps, ScheduleDeps {
  /** Reports under way at once in this process. */
  parallel: number;
  /** Longest wait between two looks at the schedules; shorter in tests. */
  scheduleEveryMs?: number;
}

export interface EvaluationWorker {
  /** Reports under way are given back for another worker. */
  close(): Promise<void>;
}

/** Notices wake it; these rounds find what a dead process has left. */
const idleMs = 2_000;
const usualScheduleEveryMs = 10_000;

/** Schedules leave a place for what people have asked for, unless there is one place only. */
const placesOfSchedules = (parallel: number): number => Math.max(1, parallel - 1);

export async function startEvaluationWorker(options: EvaluationWorkerOptions): Promise<EvaluationWorker> {
  const { log, database, parallel } = options;
  const reports = await startRowWorker<ClaimedReport>({
    log,
    name: "evaluation reports",
    idleMs,
    parallel,
    claim: ({ underWay, pausing, limit }) =>
      claimReports(database.db, {
        underWay: underWay.map(({ id }) => id),
        limit,
        scheduled: Math.max(
          0,
          placesOfSchedules(parallel) -
            underWay.filter((row) => row.kind === "schedule" && !pausing.has(row)).length,
        ),
      }),
    work: (report, signal) => runReport(options, report, signal),
    describe: ({ id }) => ({ reportId: id }),
    listener: database.listener,
    channels: [reportsChannel],
  });
  const schedules = startRounds({
    round: createTicks(options),
    idleMs: options.scheduleEveryMs ?? usualScheduleEveryMs,
    log,
    what: "schedules of policies",
  });
  return {
    async close() {
      await schedules.close();
      await reports.close();
    },
  };
}
