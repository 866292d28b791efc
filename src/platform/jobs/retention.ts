/**
 * Deletes old rows by the rules of the areas: in small batches with a pause after each, so that other work is not delayed.
 * How far each rule has come is in the database, so any process continues where another has stopped.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Database, Db } from "../db/database.ts";
import type { Logger } from "../lib/logger.ts";
import type { Jobs } from "./jobs.ts";
import { readStates, recordBatch, recordFailure, type Position, type RuleState } from "./retention-store.ts";

export interface RetentionRule {
  /** Its name in answers, logs and metrics, e.g. `plans`. */
  name: string;
  /** The setting that says how long its rows are kept. */
  setting: string;
  /** 0 keeps them for ever. */
  keepDays: number;
  /** How long it rests once all old rows have been looked at; an hour unless given. */
  restMs?: number;
  /** Deletes some rows that are older, after `position`. A batch that is repeated does no harm. */
  deleteBatch(batch: Batch): Promise<BatchEnd>;
  /** How many rows would go, counted up to `most`. */
  count(query: { before: Date; most: number }): Promise<number>;
}

export interface Batch {
  before: Date;
  /** Rows that it may delete, about. */
  limit: number;
  /** Where the last batch stopped; null at the beginning. */
  position: Position | null;
}

export interface BatchEnd {
  deleted: number;
  /** Where the next batch begins; null for the beginning. */
  position: Position | null;
  /** Whether all old rows have been looked at. */
  isDone: boolean;
}

export interface RetentionOptions {
  database: Database;
  jobs: Jobs;
  log: Logger;
  now: () => Date;
  rules: readonly RetentionRule[];
  batchRows: number;
  /** Part of the time, in percent, in which batches run. */
  busyPercent: number;
  /** Told after each batch. */
  onBatch?: (rule: string, end: BatchEnd) => void;
}

/** Resolves when the round under way has stopped, which it does after its batch. */
export interface Retention {
  close(): Promise<void>;
}

const usualRestMs = 3_600_000;
/** A round ends after this time; the next one continues. Less than the time limit of a clean-up. */
const roundMs = 240_000;
const shortestPauseMs = 5;
const dayMs = 24 * 3_600_000;

/** Of older releases, which had one for each kind of rows. */
const replacedSchedules = [
  "instantiations",
  "hooks",
  "run-logs",
  "evaluations",
  "reconciles",
  "outgoing-events",
];

export async function startRetention(options: RetentionOptions): Promise<Retention> {
  const stop = new AbortController();
  let round: Promise<void> = Promise.resolve();
  for (const name of replacedSchedules) await options.jobs.unschedule(name);
  await options.jobs.schedule("retention", "*/5 * * * *", () => {
    round = runRetention(options, stop.signal);
    return round;
  });
  return {
    async close() {
      stop.abort();
      await round.catch(() => undefined);
    },
  };
}

/** When rows are old. */
export const oldBefore = (rule: Pick<RetentionRule, "keepDays">, now: Date): Date =>
  new Date(now.getTime() - rule.keepDays * dayMs);

/** One batch of each rule in turn, until none has old rows left or the time is over. */
export async function runRetention(options: RetentionOptions, signal: AbortSignal): Promise<void> {
  const { database, now, busyPercent } = options;
  const begun = now().getTime();
  const states = await readStates(database.db);
  const isDue = ({ name, keepDays, restMs = usualRestMs }: RetentionRule): boolean => {
    const endedAt = states.get(name)?.passEndedAt;
    return keepDays > 0 && (endedAt == null || begun - endedAt.getTime() >= restMs);
  };
  let open = options.rules.filter(isDue);
  while (open.length > 0) {
    const unfinished: RetentionRule[] = [];
    for (const rule of open) {
      if (signal.aborted || now().getTime() - begun >= roundMs) return;
      const from = performance.now();
      if (await runBatch(options, rule, states)) unfinished.push(rule);
      const tookMs = performance.now() - from;
      const pauseMs = Math.max(shortestPauseMs, tookMs * (100 / busyPercent - 1));
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
    open = unfinished;
  }
}

/** Whether the rule has more to delete. A batch that fails ends the rule's part of the round. */
async function runBatch(
  { database, log, now, batchRows, onBatch }: RetentionOptions,
  rule: RetentionRule,
  states: Map<string, RuleState>,
): Promise<boolean> {
  const { name } = rule;
  const position = states.get(name)?.position ?? null;
  try {
    const end = await rule.deleteBatch({ before: oldBefore(rule, now()), limit: batchRows, position });
    const passEndedAt = end.isDone ? now() : null;
    states.set(name, { position: end.position, passEndedAt });
    await recordBatch(database.db, name, { ...end, passEndedAt });
    onBatch?.(name, end);
    return !end.isDone;
  } catch (error) {
    const reason = (error as Error).message;
    log.warn({ rule: name, reason }, "old rows could not be deleted; the next round tries again");
    await recordFailure(database.db, name, reason).catch(() => undefined);
    return false;
  }
}

/** A rule for rows of which any old one may go: `prune` deletes up to `limit` and returns how many. */
export function simpleRule(
  head: Pick<RetentionRule, "name" | "setting" | "keepDays">,
  parts: {
    prune: (before: Date, limit: number) => Promise<number>;
    count: (before: Date, most: number) => Promise<number>;
  },
): RetentionRule {
  return {
    ...head,
    async deleteBatch({ before, limit }) {
      const deleted = await parts.prune(before, limit);
      return { deleted, position: null, isDone: deleted < limit };
    },
    count: ({ before, most }) => parts.count(before, most),
  };
}

export interface RuleReport {
  rule: RetentionRule;
  before: Date | null;
  state: (RuleState & { deleted: number; failure: string | null }) | null;
}

/** The rules with how far each has come. */
export async function describeRules(
  db: Db,
  rules: readonly RetentionRule[],
  now: Date,
): Promise<RuleReport[]> {
  const states = await readStates(db);
  return rules.map((rule) => ({
    rule,
    before: rule.keepDays === 0 ? null : oldBefore(rule, now),
    state: states.get(rule.name) ?? null,
  }));
}
