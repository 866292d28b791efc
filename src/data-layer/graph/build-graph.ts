/** Builds the GraphQL schema of tables. The libraries are large, so this file is loaded when a schema is needed. */
import { execute, isSafeError } from "grafast";
import { defaultPreset, makeSchema } from "graphile-build";
import { defaultPreset as pgPreset } from "graphile-build-pg";
import { GraphQLSchema, type DocumentNode } from "grafast/graphql";
import { isLongerThan } from "./answer-length.ts";
import type { QueryBounds, Reader, ReaderSettings } from "./reader-store.ts";

export interface GraphSource {
  name: string;
  reader: Reader;
  tables: readonly { schema: string; name: string }[];
}

export interface Execution {
  document: DocumentNode;
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>>;
  reader: ReaderSettings;
  /** Whether the document asks for the schema itself. */
  isIntrospection: boolean;
  /** When their signal has aborted, what was executed is no answer. */
  bounds: QueryBounds;
}

export interface Graph {
  schema: GraphQLSchema;
  execute(execution: Execution): Promise<Executed>;
}

export interface Executed {
  /** JSON text; undefined where nothing could be executed. */
  data: string | undefined;
  errors: readonly ExecutedError[];
}

export interface ExecutedError {
  /** A GraphQLError. */
  error: unknown;
  /** The libraries say it to the caller, in words that are meant for callers: a cursor that is none, for instance. */
  isOfCaller: boolean;
}

/** Read-only, whatever a database allows: what makes mutations and subscriptions is not loaded. */
const disabled = [
  "ClientMutationIdDescriptionPlugin",
  "MutationPayloadQueryPlugin",
  "MutationPlugin",
  "PgJWTPlugin",
  "PgLtreePlugin",
  "PgMutationCreatePlugin",
  "PgMutationPayloadEdgePlugin",
  "PgMutationUpdateDeletePlugin",
  "SubscriptionPlugin",
];

export async function buildGraph(sources: readonly GraphSource[]): Promise<Graph> {
  const shown = sources.filter(({ tables }) => tables.length > 0);
  const { schema, resolvedPreset } = await makeSchema({
    extends: [defaultPreset, pgPreset],
    plugins: [trackedTablesOnly(shown)],
    disablePlugins: disabled,
    pgServices: shown.map(serviceOf) as never,
    gather: { installWatchFixtures: false },
    grafast: { timeouts: { planning: planningMs, execution: null } as never },
  });
  if (schema.getMutationType() || schema.getSubscriptionType())
    throw new Error("The schema of the data layer has operations that are no queries.");
  const planning = schema.toConfig();
  const withCache = (limits: object): GraphQLSchema =>
    new GraphQLSchema({
      ...planning,
      extensions: { ...planning.extensions, grafast: { ...planning.extensions["grafast"], ...limits } },
      assumeValid: true,
    });
  const served = withCache(cachedPlans);
  return {
    schema: served,
    async execute({ document, operationName, variables, reader, isIntrospection, bounds }) {
      const context = shown.flatMap((source) => [
        [clientKey(source), source.reader.within(bounds)],
        [settingsKey(source), reader],
      ]);
      const result = await execute({
        // A plan of an introspection has its whole answer, so it is forgotten with the schema that it was made for.
        schema: isIntrospection ? withCache({}) : served,
        document,
        operationName: operationName ?? null,
        variableValues: { ...variables },
        contextValue: Object.fromEntries(context),
        resolvedPreset,
        requestContext: {},
      });
      if (Symbol.asyncIterator in result) throw new Error("A query was answered in parts.");
      const { data } = result;
      const errors = (result.errors ?? []).map((error) => ({ error, isOfCaller: isOfCaller(error) }));
      // Values are shared until they are made a text, which has each at every place where it was asked for.
      if (isLongerThan(bounds.maxLength, data)) bounds.exceed();
      const isAnswer = data !== undefined && !bounds.signal.aborted;
      return { data: isAnswer ? JSON.stringify(data) : undefined, errors };
    },
  };
}

/** The libraries mark errors for callers; also that planning took too long, which the limits of a document are to prevent. */
function isOfCaller(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < 5 && each instanceof Error; depth += 1) {
    if (isSafeError(each)) return !isTimeout(each);
    each = "originalError" in each ? each.originalError : each.cause;
  }
  return false;
}

/** By a symbol that the library does not export. */
const isTimeout = ({ extensions }: { extensions?: object }): boolean =>
  Object.getOwnPropertySymbols(extensions ?? {}).some(({ description }) => description === "timeout");

/** Plans that are kept: each is of some hundred kB. The second number is of one operation, whose variables may need several. */
const cachedPlans = { operationsCacheMaxLength: 100, operationOperationPlansCacheMaxLength: 10 };

/** Longest planning of one query; the limits of a document keep it far below. */
const planningMs = 2_000;

const clientKey = ({ name }: GraphSource): string => `client of ${name}`;
const settingsKey = ({ name }: GraphSource): string => `settings of ${name}`;

function serviceOf(source: GraphSource) {
  const introspecting = Object.assign(
    (_settings: unknown, work: never) => source.reader.within(unbounded)(nobody, work),
    { release: () => undefined },
  );
  return {
    name: source.name,
    schemas: [...new Set(source.tables.map(({ schema }) => schema))],
    adaptor: { createWithPgClient: () => introspecting } as never,
    adaptorSettings: {} as never,
    withPgClientKey: clientKey(source) as never,
    pgSettingsKey: settingsKey(source) as never,
  };
}

const nobody: ReaderSettings = { "plinth.reads_all": "off" };

/** Of the catalogue, as long as it may be. */
const unbounded: QueryBounds = {
  signal: new AbortController().signal,
  maxLength: Number.MAX_SAFE_INTEGER,
  read: () => undefined,
  exceed: () => undefined,
};

interface Introspection {
  classes: FoundClass[];
  procs: unknown[];
}

interface FoundClass {
  relname: string;
  relkind: string;
  getNamespace(): { nspname: string } | undefined;
}

/** Takes what is not tracked out of what was read of the catalogue, before anything is made of it. */
const trackedTablesOnly = (sources: readonly GraphSource[]) => {
  const tracked = new Map(
    sources.map(({ name, tables }) => [
      name,
      new Set(tables.map((table) => `${table.schema}.${table.name}`)),
    ]),
  );
  const schemas = new Map(
    sources.map(({ name, tables }) => [name, new Set(tables.map(({ schema }) => schema))]),
  );
  return {
    name: "PlinthTrackedTablesPlugin",
    version: "1.0.0",
    gather: {
      namespace: "plinthTrackedTables",
      hooks: {
        pgIntrospection_introspection(
          _info: unknown,
          event: { introspection: Introspection; serviceName: string },
        ) {
          const { introspection, serviceName } = event;
          // Functions could do anything; columns and fields made of them are not shown.
          introspection.procs = [];
          introspection.classes = introspection.classes.filter((each) => {
            const schema = each.getNamespace()?.nspname ?? "";
            const isTable = tableKinds.has(each.relkind) && schemas.get(serviceName)?.has(schema) === true;
            return !isTable || tracked.get(serviceName)?.has(`${schema}.${each.relname}`) === true;
          });
        },
      },
    },
  } as never;
};

const tableKinds = new Set(["r", "v", "m", "f", "p"]);
