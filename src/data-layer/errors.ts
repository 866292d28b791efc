/** The data layer's codes. Codes are only ever added; docs/reference/errors.md lists them. */
import type { Failure } from "../platform/errors/failure.ts";
import { failuresOf } from "../platform/errors/failures-of.ts";
import type { FailureBody, RequestView } from "../platform/http/operation.ts";
import { errorObjectBody } from "../platform/http/responses/error-object.ts";

export const dataLayerErrors = {
  GRAPHQL_DEPTH: {
    status: 400,
    meaning: "The query nests more fields than dataLayer.limits.depth.",
    solution: "Ask for less at once.",
  },
  GRAPHQL_ALIASES: {
    status: 400,
    meaning: "The query has more aliases than dataLayer.limits.aliases.",
    solution: "Send several queries, or filter by a condition instead of one field for each value.",
  },
  GRAPHQL_COST: {
    status: 400,
    meaning:
      "The query can return more objects than dataLayer.limits.cost, has more fields than dataLayer.limits.fields, a list or a value " +
      "that is too long in an argument, or more than one introspection, or a large one.",
    solution: "Ask for smaller pages, for fewer lists inside of lists, or for a shorter order.",
  },
  GRAPHQL_PAGE: {
    status: 400,
    meaning:
      "A list has neither `first` nor `last`, or one above dataLayer.limits.page, or an `offset` that is negative or too high.",
    solution: "Give `first` of at most dataLayer.limits.page, and go on with `after`.",
  },
  GRAPHQL_TOKENS: {
    status: 400,
    meaning: "The document has more tokens than dataLayer.limits.tokens.",
    solution: "Send several smaller documents.",
  },
  GRAPHQL_SIZE: {
    status: 400,
    meaning: "The answer is longer than dataLayer.limits.answerLength, or more had to be read for it.",
    solution: "Ask for smaller pages, or for long fields such as publicInfo of fewer rows.",
  },
  GRAPHQL_SYNTAX: {
    status: 400,
    meaning: "The document is not GraphQL; the answer says where.",
    solution: "Correct the place that is named.",
  },
  GRAPHQL_INVALID: {
    status: 400,
    meaning: "The document does not fit the schema, or its variables do not fit the document.",
    solution: "Compare it with the schema: docs/reference/data-layer.graphql, or an introspection query.",
  },
  GRAPHQL_OPERATION: {
    status: 400,
    meaning:
      "The request says not which operation is to be executed: no query, or several without operationName.",
    solution: "Send a query with one operation, or name one of them.",
  },
  GRAPHQL_PERSISTED_HASH: {
    status: 400,
    meaning: "sha256Hash is not the hash of the query that came with it, or its version is not 1.",
    solution: "Send the SHA-256 of the query's UTF-8 text in lower-case hexadecimal.",
  },
  GRAPHQL_PERSISTED_OFF: {
    status: 400,
    meaning: "dataLayer.persistedQueries is off.",
    solution: "Send the query itself.",
  },
  PERSISTED_QUERY_NOT_FOUND: {
    status: 404,
    meaning: "No query with that hash is known to this process.",
    solution: "Send the request again with both the query and its hash.",
  },
  GRAPHQL_VALUE: {
    status: 400,
    meaning: "A value of the query is not of the type of its column.",
    solution: "Give dates as ISO 8601, and numbers within the column's range.",
  },
  GRAPHQL_NOT_READY: {
    status: 503,
    meaning: "The schema is not there yet: a database that it needs is away, or nothing is tracked.",
    solution: "Read the reason in the answer and in GET /api/data-layer/metadata, and repeat the request.",
  },
  GRAPHQL_UNAVAILABLE: {
    status: 503,
    meaning:
      "A database of the data layer did not answer in time, or the query took longer than dataLayer.queryTimeoutMs.",
    solution: "Repeat the request; ask for less where it was slow.",
  },
  GRAPHQL_INTERNAL: {
    status: 500,
    meaning: "A part of the answer could not be read; the log has the cause under the request's id.",
    solution: "Report it with the x-request-id of the answer.",
  },
  DATA_LAYER_TRACKED: {
    status: 409,
    meaning:
      "The metadata follows the databases (dataLayer.autoTracking), so it can't be edited, nor restored unless it was reset.",
    solution: "Change the databases, or turn dataLayer.autoTracking off first.",
  },
  DATA_LAYER_CHANGED: {
    status: 409,
    meaning: "The metadata has another revision than the one that the change was made from.",
    solution:
      "Read the metadata again, make the change to that and send its revision; without a revision whatever is there is replaced.",
  },
  DATA_LAYER_INVALID_METADATA: {
    status: 400,
    meaning: "The metadata names sources that are not configured, or tables twice.",
    solution: "Send what POST /api/data-layer/metadata/export has answered.",
  },
} as const;

export const dataLayerFailure = failuresOf(dataLayerErrors, { hasSolution: false });

/** At /graphql as GraphQL has it, elsewhere as the coordinator's. */
export const dataLayerErrorBody = (failure: Failure, { url }: Pick<RequestView, "url">): FailureBody => {
  const plain = errorObjectBody(failure, dataLayerErrors);
  if (!/^\/graphql(?:[/?]|$)/.test(url)) return plain;
  const problems = failure.problems.length > 0 ? failure.problems : [{ message: failure.message }];
  return {
    status: plain.status,
    body: {
      errors: problems.map(({ where, message }: { where?: string; message: string }) => ({
        message: where ? `${where}: ${message}` : message,
        extensions: { code: failure.code },
      })),
    },
  };
};
