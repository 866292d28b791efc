/** Carries out a claimed report: page by page, each page written with its results in one transaction under the fence. */
import { inTransaction, type Database } from "../../platform/db/database.ts";
import { isDatabaseAway } from "../../platform/db/failures.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { safeJson } from "../../platform/lib/safe-json.ts";
import { errorsWithin, maxErrorsLength } from "../engines/limits.ts";
import { evaluatePolicies, type Evaluated, type EvaluationDeps } from "../evaluations/evaluate.ts";
import { resultRow, resultView, type ResultRow } from "../evaluations/result-row.ts";
import { countOutcomes, type OutcomeCounts } from "../evaluations/verdict.ts";
import { insertResults } from "../results/store.ts";
import { readPage, type Page, type PageDeps } from "./pages.ts";
import type { ReportedResult } from "./schema.ts";
import {
  failReport,
  giveBack,
  readErrorsLength,
  renewLease,
  writePart,
  type ClaimedReport,
} from "./store.ts";

export interface ReportDeps extends PageDeps, EvaluationDeps {
  database: Database;
  log: Logger;
  now: () => Date;
  /** The pause of a report while a database is away; shorter in tests. */
  awayMs?: number;
}

/** A report that ends its worker, or fails, so often without a part is given up. */
const maxClaims = 5;
const renewEveryMs = 3_000;
const usualAwayMs = 2_000;

/** Returns in how many milliseconds the report is due again; null when it has ended, or another worker goes on. */
export async function runReport(
  deps: ReportDeps,
  report: ClaimedReport,
  halt: AbortSignal,
): Promise<number | null> {
  const { log, awayMs = usualAwayMs } = deps;
  const { db } = deps.database;
  if (report.claims > maxClaims) {
    const failure = `The evaluation was begun ${maxClaims} times without an end.`;
    await failReport(db, report, { failure, at: deps.now() });
    return null;
  }
  const lost = new AbortController();
  const signal = AbortSignal.any([halt, lost.signal]);
  const timer = setInterval(() => {
    renewLease(db, report)
      .then((isOurs) => {
        if (!isOurs) lost.abort();
      })
      .catch((error: Error) => log.warn({ reason: error.message }, "the lease of a report was not renewed"));
  }, renewEveryMs);
  let isAway = false;
  try {
    await runPages(deps, report, signal);
  } catch (error) {
    isAway = isDatabaseAway(error);
    // What the engines say to an evaluation that is ended is no failure of the report.
    if (!isAway && !signal.aborted) throw error;
    if (isAway) log.warn({ reportId: report.id }, "a database is away: the report goes on later");
  } finally {
    clearInterval(timer);
  }
  if (lost.signal.aborted) return null;
  if (halt.aborted) await giveBack(db, report);
  else if (isAway) await giveBack(db, report, awayMs);
  return isAway && !halt.aborted ? awayMs : null;
}

async function runPages(deps: ReportDeps, report: ClaimedReport, signal: AbortSignal): Promise<void> {
  let { position, parts } = report;
  let counts = { ...noCounts, ...report.counts };
  // Whoever reads the report gets all parts at once.
  const used = parts === 0 ? 0 : await readErrorsLength(deps.database.db, report.id);
  const within = errorsWithin(maxErrorsLength - used);
  while (!signal.aborted) {
    const page = await readPage(deps, report, position);
    const runId = `${report.id}-${parts}`;
    // The time by which graces and exceptions are judged is that of the results.
    const at = deps.now();
    const evaluated = await evaluatePolicies(deps, { ...page, now: at, signal, runId });
    if (signal.aborted) return;
    counts = sum(counts, countOutcomes(evaluated.map(({ verdict }) => verdict)));
    const isWritten = await writePage(deps, report, { page, evaluated, part: parts, counts, at, within });
    if (!isWritten || page.next === null) return;
    position = page.next;
    parts += 1;
  }
}

const noCounts: OutcomeCounts = { ok: 0, warning: 0, error: 0, failed: 0 };

const sum = (a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts => ({
  ok: a.ok + b.ok,
  warning: a.warning + b.warning,
  error: a.error + b.error,
  failed: a.failed + b.failed,
});

interface WrittenPage {
  page: Page;
  evaluated: readonly Evaluated[];
  part: number;
  counts: OutcomeCounts;
  at: Date;
  /** Cuts the errors in the report. */
  within: ReturnType<typeof errorsWithin>;
}

function writePage(
  { database }: ReportDeps,
  report: ClaimedReport,
  { page, evaluated, part, counts, at, within }: WrittenPage,
): Promise<boolean> {
  const { id, fence, kind } = report;
  const isTrial = kind === "trial";
  // The minute of a schedule names its results, so none of them can be stored twice.
  const rows = evaluated.map((each) =>
    resultRow(each, report.tick ?? at, kind === "schedule" ? "schedule" : "report"),
  );
  const views = evaluated.flatMap(({ resource }, index): ReportedResult[] => {
    const row = rows[index];
    if (row === undefined || isLeftOut(kind, row)) return [];
    const view = resultView({ ...row, errors: within(row.errors) });
    return [{ ...view, ...(isTrial ? unitOf(resource) : {}) }];
  });
  return inTransaction(database, async (tx) => {
    const results = safeJson(views);
    if (!(await writePart(tx, { id, fence, part, results, counts, position: page.next, at }))) return false;
    const stored = rows.filter((_, index) => evaluated[index] && page.isStored(evaluated[index].resource));
    await insertResults(tx, stored);
    return true;
  });
}

/** Of everything that is deployed what is ok is only counted. What a trial of a metric is about are its values. */
const isLeftOut = (kind: ClaimedReport["kind"], { outcome, value }: ResultRow): boolean =>
  kind !== "evaluation" && outcome === "ok" && !(kind === "trial" && value !== null);

function unitOf({ unitId, unit }: Evaluated["resource"]): Pick<ReportedResult, "unit"> {
  if (unitId === null) return {};
  const { dataProductOwner, projectOwner } = (unit ?? {}) as Record<string, unknown>;
  const owner = dataProductOwner ?? projectOwner;
  return { unit: { id: unitId, owner: typeof owner === "string" ? owner : null } };
}
