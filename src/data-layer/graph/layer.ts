/**
 * The schema that a process serves. It is built when it is first needed, compared with the databases from then on, and built
 * anew when they have changed. While a new one can't be built the one before stays.
 */
import { settleGraphileMode } from "../../platform/config/environment.ts";
import { openDatabase, type Connection, type Database } from "../../platform/db/database.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { dataLayerFailure } from "../errors.ts";
import type { Graph } from "./build-graph.ts";
import type { DocumentLimits, Documents } from "./documents.ts";
import type { Inconsistency } from "./metadata.ts";
import { readerOf, type Reader } from "./reader-store.ts";
import type { Source } from "./sources.ts";
import { lookAtSources, type Look, type ShownSource, type TrackingOptions } from "./tracking.ts";

export interface LayerOptions extends TrackingOptions {
  trackingMs: number;
  limits: DocumentLimits;
  connections: number;
  timeoutMs: number;
  /** Hears of each look at the databases; null where what it found is not known. */
  looked: (result: LookResult, found: readonly Inconsistency[] | null) => void;
}

/** `away`: a database is, and the schema that is served stays. `empty`: nothing is tracked. */
export type LookResult = "unchanged" | "built" | "away" | "empty" | "failed";

/** A schema with the documents that were read for it. */
export interface ServedGraph {
  graph: Graph;
  documents: Documents;
}

export interface LayerStatus {
  revision: number;
  sources: readonly ShownSource[];
  inconsistencies: readonly Inconsistency[];
}

export interface Layer {
  /** The schema of operators, or that of everybody. Rejects with the reason while there is none. */
  graph(isOperator: boolean): Promise<ServedGraph>;
  /** What is tracked and shown; looks at the databases when nobody has yet. */
  status(): Promise<LayerStatus>;
  /** Looks at the databases now, and builds the schema anew where they or what is tracked have changed. */
  look(): Promise<void>;
  /** Looks at what was written just now: not what a look that is under way may have read before. */
  lookAgain(): Promise<void>;
  /** Why there is no schema; null where there is one. */
  reason(): string | null;
  close(): Promise<void>;
}

interface Built {
  key: string;
  everybody: ServedGraph;
  operators: ServedGraph;
}

/** A request that comes so soon after a look that failed gets the same reason. */
const retryMs = 1_000;

export function createLayer(options: LayerOptions): Layer {
  const pools = createPools(options);
  const startedAt = options.now();
  const report = reporter(options.log);
  let built: Built | undefined;
  let last: Look | undefined;
  let failed: { failure: Failure; at: number } | undefined;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const keepLooking = (): void => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      look().catch(() => undefined);
    }, options.trackingMs);
    timer.unref();
  };

  const lookAndRemember = async (): Promise<void> => {
    let result: LookResult = "failed";
    let seen: Look | undefined;
    try {
      seen = await lookAtSources(options, { poolOf: (source) => pools.of(source).database, startedAt });
      report(seen.inconsistencies);
      last = seen;
      const isEmpty = seen.shown.every(({ tables }) => tables.length === 0);
      if (isEmpty) built = undefined;
      if (isEmpty && seen.shown.every(({ isAway }) => !isAway)) result = "empty";
      const before = built;
      built = await schemaFor(seen, before, { options, pools });
      result = built !== before ? "built" : before.key === seen.key ? "unchanged" : "away";
      failed = undefined;
    } catch (error) {
      failed = { failure: failureOf(error, options.log), at: performance.now() };
      throw failed.failure;
    } finally {
      options.looked(result, seen?.inconsistencies ?? null);
      looking = undefined;
      keepLooking();
    }
  };
  const look = (): Promise<void> => (looking ??= lookAndRemember());

  return {
    look,
    async lookAgain() {
      await looking?.catch(() => undefined);
      await look();
    },
    async graph(isOperator) {
      if (built === undefined) {
        if (failed !== undefined && performance.now() - failed.at < retryMs) throw failed.failure;
        await look();
      }
      if (built === undefined) throw failed?.failure ?? notReady(last);
      return isOperator ? built.operators : built.everybody;
    },
    async status() {
      if (last === undefined) await look().catch(() => undefined);
      const { revision = 0, shown: sources = [], inconsistencies = [] } = last ?? {};
      return { revision, sources, inconsistencies };
    },
    reason() {
      if (built !== undefined) return null;
      return failed?.failure.message ?? "The schema of the data layer is being built.";
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await pools.close();
    },
  };
}

/** The schema that is to be served; throws the reason where there can't be one. */
async function schemaFor(
  seen: Look,
  before: Built | undefined,
  { options, pools }: { options: LayerOptions; pools: Pools },
): Promise<Built> {
  const { sources, limits, log } = options;
  if (before?.key === seen.key) return before;
  // A schema can't be made of a database that is away: the one that is served has what it had.
  if (before !== undefined && seen.shown.some(({ isAway }) => isAway)) return before;
  const isOurs = ({ name }: ShownSource): boolean =>
    sources.some((source) => source.isOwn && source.name === name);
  const lacksOurs = seen.shown.some((source) => source.isAway && isOurs(source));
  if (lacksOurs || seen.shown.every(({ tables }) => tables.length === 0)) throw notReady(seen);
  const built = await build(seen, sources, { pools, limits });
  const shown = seen.shown.map(({ name, tables }) => `${name}: ${tables.length}`);
  log.info({ revision: seen.revision, sources: shown }, "the schema of the data layer was built");
  return built;
}

interface Parts {
  pools: Pools;
  limits: DocumentLimits;
}

async function build(
  { key, shown }: Look,
  sources: readonly Source[],
  { pools, limits }: Parts,
): Promise<Built> {
  settleGraphileMode();
  const { buildGraph } = await import("./build-graph.ts");
  const { createDocuments } = await import("./documents.ts");
  const there = sources.flatMap((source) => {
    const own = shown.find(({ name, isAway }) => name === source.name && !isAway);
    return own === undefined ? [] : [{ ...own, reader: pools.of(source).reader }];
  });
  const make = async (isForOperators: boolean): Promise<ServedGraph> => {
    const graph = await buildGraph(
      there.map(({ name, reader, tables }) => ({
        name,
        reader,
        tables: tables.filter((table) => isForOperators || !table.isForOperators),
      })),
    );
    return { graph, documents: createDocuments(graph.schema, limits) };
  };
  const operators = await make(true);
  const isSame = there.every(({ tables }) => tables.every((table) => !table.isForOperators));
  return { key, operators, everybody: isSame ? operators : await make(false) };
}

interface Pool {
  database: Database;
  reader: Reader;
}

interface Pools {
  of(source: Source): Pool;
  close(): Promise<void>;
}

/** One pool for each database, however many sources it has. */
function createPools({ connections, timeoutMs, log }: LayerOptions): Pools {
  const pools = new Map<string, Pool>();
  const open = (connection: Connection): Pool => {
    const opened = openDatabase({
      connection,
      log,
      poolSize: connections,
      applicationName: "plinth data layer",
      statementTimeoutMs: timeoutMs,
    });
    return { database: opened, reader: readerOf(opened) };
  };
  return {
    of({ connection }) {
      const { schema: _searchPath, ...database } = connection;
      const key = JSON.stringify(database);
      const known = pools.get(key) ?? open(connection);
      pools.set(key, known);
      return known;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.database.close()));
    },
  };
}

/** Writes each inconsistency to the log when it comes up, and not again at every look. */
function reporter(log: Logger): (inconsistencies: readonly Inconsistency[]) => void {
  let reported = "";
  return (inconsistencies) => {
    const text = JSON.stringify(inconsistencies);
    if (text !== reported)
      for (const each of inconsistencies) log.error({ ...each }, "the data layer is inconsistent");
    reported = text;
  };
}

function notReady(look: Look | undefined): Failure {
  const reasons = (look?.inconsistencies ?? []).map(({ source, message }) => `${source}: ${message}`);
  return dataLayerFailure("GRAPHQL_NOT_READY", {
    message: [
      "The data layer is not ready.",
      ...(reasons.length > 0 ? reasons : ["Nothing is tracked."]),
    ].join(" "),
    retryAfterSeconds: 2,
  });
}

function failureOf(error: unknown, log: Logger): Failure {
  if (error instanceof Failure) return error;
  log.error({ error }, "the schema of the data layer could not be built");
  return dataLayerFailure("GRAPHQL_NOT_READY", {
    message: "The data layer is not ready. Its schema could not be built; the log has the cause.",
    retryAfterSeconds: 2,
    cause: error,
  });
}
