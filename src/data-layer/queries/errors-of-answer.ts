/** Errors of a query as the caller sees them: never a statement of the database, nor its words. */
import { isDatabaseAway } from "../../platform/db/failures.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import type { ExecutedError } from "../graph/build-graph.ts";

export interface AnswerError {
  message: string;
  path?: readonly (string | number)[];
  locations?: readonly { line: number; column: number }[];
  extensions: { code: string };
}

interface ExecutionError {
  message: string;
  path?: readonly (string | number)[];
  locations?: readonly { line: number; column: number }[];
  originalError?: unknown;
}

/** Data exceptions of PostgreSQL: a value that its column can't have. */
const dataException = /^22/;

export function shownErrors(errors: readonly ExecutedError[], log: Logger): AnswerError[] {
  return errors.map((each) => {
    const error = each.error as ExecutionError;
    const { code, message } = each.isOfCaller
      ? { code: "GRAPHQL_INVALID", message: error.message }
      : wordsOf(error, log);
    return {
      message,
      ...(error.locations
        ? { locations: error.locations.map(({ line, column }) => ({ line, column })) }
        : {}),
      ...(error.path ? { path: error.path } : {}),
      extensions: { code },
    };
  });
}

function wordsOf(error: ExecutionError, log: Logger): { code: string; message: string } {
  const cause = rootOf(error);
  if (cause === undefined) return { code: "GRAPHQL_INVALID", message: error.message };
  if (isDatabaseAway(cause)) {
    log.warn({ error: cause, path: error.path }, "a database of the data layer did not answer");
    return { code: "GRAPHQL_UNAVAILABLE", message: "The database did not answer in time." };
  }
  const { code } = cause as { code?: unknown };
  if (typeof code === "string" && dataException.test(code))
    return { code: "GRAPHQL_VALUE", message: "A value of the query is not of the type of its column." };
  log.error({ error: cause, path: error.path }, "a query of the data layer failed");
  return { code: "GRAPHQL_INTERNAL", message: "This part of the answer could not be read." };
}

/** What an error of the library was made of; undefined where the library itself refused the query. */
function rootOf(error: ExecutionError): unknown {
  let cause = error.originalError ?? undefined;
  for (let depth = 0; depth < 5 && cause !== undefined; depth += 1) {
    const inner: unknown =
      Reflect.get(Object(cause) as object, "originalError") ?? Reflect.get(Object(cause) as object, "cause");
    if (inner === undefined || inner === null) return cause;
    cause = inner;
  }
  return cause;
}
