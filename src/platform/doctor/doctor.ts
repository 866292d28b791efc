/** The checks of a process that runs. Whoever asks while they are made gets the same report. */
import type { Logger } from "../lib/logger.ts";
import type { Check } from "../lib/check.ts";
import { runChecks, type DoctorReport } from "./run-checks.ts";

export interface TimedReport extends DoctorReport {
  at: Date;
  /** Of the program. */
  version: string;
}

/** Makes all checks, or waits for those that are being made. */
export type Doctor = () => Promise<TimedReport>;

export interface DoctorOptions {
  checks: () => Promise<readonly Check[]>;
  log: Logger;
  now: () => Date;
  version: string;
}

export function createDoctor({ checks, log, now, version }: DoctorOptions): Doctor {
  let underWay: Promise<TimedReport> | null = null;
  const make = async (): Promise<TimedReport> => {
    const at = now();
    return { at, version, ...(await runChecks(await checks(), { log })) };
  };
  return () => (underWay ??= make().finally(() => (underWay = null)));
}
