/** Executes queries: everything that can be refused is refused before anything is planned. */
import { isOperator } from "../../platform/auth/policy.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import type { Actor } from "../../platform/lib/actor.ts";
import type { DataLayerContext } from "../context.ts";
import { dataLayerFailure } from "../errors.ts";
import type { Executed } from "../graph/build-graph.ts";
import type { QueryBounds, ReaderSettings } from "../graph/reader-store.ts";
import { observeQuery, type Answered } from "../metrics.ts";
import { openBounds } from "./bounds.ts";
import { shownErrors, type AnswerError } from "./errors-of-answer.ts";
import type { GraphqlRequest } from "./schema.ts";

/** The answer as JSON text. */
export const answerQuery = (ctx: DataLayerContext, request: GraphqlRequest): Promise<string> =>
  observeQuery(ctx.dataLayer.metrics, () => execute(ctx, request));

async function execute(ctx: DataLayerContext, request: GraphqlRequest): Promise<Answered> {
  const { layer, persisted } = ctx.dataLayer;
  const byHash = request.extensions?.persistedQuery;
  const query = persisted.resolve(request.query ?? undefined, byHash);
  if (query === undefined || query.trim() === "")
    throw dataLayerFailure("GRAPHQL_OPERATION", { message: "The request has no query." });
  const { graph, documents } = await layer.graph(isOperator(ctx.actor));
  const variables = request.variables ?? {};
  const { document, operations, isIntrospection, refuseVariables } = documents.read(query, variables);
  const operationName = request.operationName ?? undefined;
  if (operationName === undefined ? operations.length !== 1 : !operations.includes(operationName))
    throw dataLayerFailure("GRAPHQL_OPERATION", {
      message:
        operationName === undefined
          ? `The document has ${operations.length} operations, and operationName names none of them.`
          : "The document has no operation of that name.",
    });
  persisted.keep(query, byHash);
  refuseVariables(operationName, variables);
  const execution = { document, isIntrospection, operationName, variables, reader: readerOf(ctx.actor) };
  const { data, errors } = await within(ctx, (bounds) => graph.execute({ ...execution, bounds }));
  if (errors.length === 0) return { text: `{"data":${data ?? "null"}}`, isWhole: true };
  const shown = shownErrors(errors, ctx.log);
  if (shown.every(({ extensions }) => extensions.code === "GRAPHQL_UNAVAILABLE"))
    throw dataLayerFailure("GRAPHQL_UNAVAILABLE", {
      message: "The database did not answer in time.",
      retryAfterSeconds: 1,
    });
  if (data === undefined) throw notExecuted(shown);
  return { text: `{"data":${data},"errors":${JSON.stringify(shown)}}`, isWhole: false };
}

/** What is left of a query that has exceeded its bounds is no answer. */
async function within(
  { signal, dataLayer }: DataLayerContext,
  execution: (bounds: QueryBounds) => Promise<Executed>,
): Promise<Executed> {
  const bounds = openBounds(signal, dataLayer.settings.bounds);
  try {
    const executed = await execution(bounds);
    bounds.signal.throwIfAborted();
    return executed;
  } finally {
    bounds.close();
  }
}

/** Of a query that was not even planned: the caller's mistake, or one of ours. */
function notExecuted(shown: readonly AnswerError[]): Failure {
  const isOfCaller = shown.every(({ extensions }) => extensions.code === "GRAPHQL_INVALID");
  if (!isOfCaller)
    return dataLayerFailure("GRAPHQL_INTERNAL", { message: "The query could not be executed." });
  return dataLayerFailure("GRAPHQL_INVALID", {
    message: shown[0]?.message ?? "",
    problems: shown.map(({ message }) => ({ where: "", message })),
  });
}

/** Operators read all rows; others the operational rows of the domains in their token. */
export const readerOf = (actor: Actor): ReaderSettings => ({
  "plinth.reads_all": isOperator(actor) ? "on" : "off",
  "plinth.domains": JSON.stringify((actor.domains ?? []).map(domainKey)),
  "plinth.actor": actor.ref,
});

/** As the database has it (data_layer_domain): `domain:default/Finance` and `finance` are one domain. */
export const domainKey = (domain: string): string =>
  domain
    .trim()
    .toLowerCase()
    .replace(/^(domain:)?(default\/)?/, "");
