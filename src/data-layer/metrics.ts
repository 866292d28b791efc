/** What this process counts of the data layer: its queries, and how it follows the databases. */
import { isDatabaseAway } from "../platform/db/failures.ts";
import { Failure } from "../platform/errors/failure.ts";
import type { Counter, Histogram, Instruments } from "../platform/telemetry/instruments.ts";
import type { LookResult } from "./graph/layer.ts";
import type { Inconsistency } from "./graph/metadata.ts";

export interface DataLayerMetrics {
  queries: Histogram;
  refused: Counter;
  /** Counts a look at the databases; null where what it found is not known. */
  looked: (result: LookResult, found: readonly Inconsistency[] | null) => void;
}

export const createDataLayerMetrics = (
  instruments: Instruments,
  sources: readonly string[],
): DataLayerMetrics => {
  const inconsistencies = new Map<string, number>();
  instruments.gauge(
    {
      name: "plinth_data_layer_inconsistencies",
      help: "What is tracked of a source and could not be shown at the last look, by source.",
      labels: ["source"],
    },
    (set) => inconsistencies.forEach((count, source) => set(count, [source])),
  );
  const rounds = instruments.counter({
    name: "plinth_data_layer_tracking_rounds_total",
    help: "Looks at the databases, by result: unchanged, built (the schema anew), away (a database is; the schema stays), empty (nothing is tracked) or failed.",
    labels: ["result"],
  });
  return {
    queries: instruments.histogram({
      name: "plinth_data_layer_query_duration_seconds",
      help: "Time of a query, by outcome: ok, partial (a part could not be read), refused, unavailable or failed.",
      labels: ["outcome"],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    }),
    refused: instruments.counter({
      name: "plinth_data_layer_queries_over_limit_total",
      help: "Queries that were refused by a limit: depth, aliases, cost, page, tokens or size (of the answer).",
      labels: ["limit"],
    }),
    looked(result, found) {
      rounds.add([result]);
      if (found === null) return;
      inconsistencies.clear();
      for (const source of sources) inconsistencies.set(source, 0);
      for (const { source } of found) inconsistencies.set(source, (inconsistencies.get(source) ?? 0) + 1);
    },
  };
};

export interface Answered {
  text: string;
  /** Whether all of it could be read. */
  isWhole: boolean;
}

/** Codes of the limits, by the name of the label. */
const limits = new Map(
  ["depth", "aliases", "cost", "page", "tokens", "size"].map((limit) => [
    `GRAPHQL_${limit.toUpperCase()}`,
    limit,
  ]),
);

/** Answers a query and records how long it took and how it ended. */
export async function observeQuery(
  { queries, refused }: DataLayerMetrics,
  answer: () => Promise<Answered>,
): Promise<string> {
  const startedAt = performance.now();
  let outcome = "failed";
  try {
    const { text, isWhole } = await answer();
    outcome = isWhole ? "ok" : "partial";
    return text;
  } catch (error) {
    outcome = outcomeOf(error);
    const limit = error instanceof Failure ? limits.get(error.code) : undefined;
    if (limit !== undefined) refused.add([limit]);
    throw error;
  } finally {
    queries.observe((performance.now() - startedAt) / 1_000, [outcome]);
  }
}

function outcomeOf(error: unknown): string {
  if (!(error instanceof Failure)) return isDatabaseAway(error) ? "unavailable" : "failed";
  if (error.kind === "unavailable") return "unavailable";
  return error.kind === "invalid" || error.kind === "not_found" ? "refused" : "failed";
}
