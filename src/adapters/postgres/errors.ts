/**
 * Turns PostgreSQL's errors into messages that a user can act on. PostgreSQL's own texts are not passed on,
 * because they can contain row data or parts of a statement. Only names of objects are taken from them.
 */
import { DatabaseError } from "pg";
import { errorCode } from "../../platform/errors/error-code.ts";

import { Failure } from "../../platform/errors/failure.ts";

/** The first name in double quotes of a message, e.g. of `relation "x" does not exist`. */
export const namedIn = (error: DatabaseError): string => /"([^"]+)"/.exec(error.message)?.[1] ?? "(unnamed)";

/** What a message like `permission denied for table x` is about. */
const deniedIn = (error: DatabaseError): string =>
  /permission denied for ([\w ]+ \S+)$/.exec(error.message)?.[1] ?? "something it needs";

interface Meaning {
  message: (error: DatabaseError) => string;
  solution: string;
}

/** Errors that the descriptor, the data or the state of the database causes; repeating the call cannot help. */
const refusals: Record<string, Meaning> = {
  "22": {
    message: () => "a value does not fit its column's type",
    solution: "Check lengths, ranges and formats, or convert the value in the SQL.",
  },
  "23502": {
    message: (e) => `column ${e.column ?? "(unnamed)"} would hold a row without a value`,
    solution: "Fill the column first, or take NOT_NULL away.",
  },
  "23503": {
    message: (e) => `the foreign key ${e.constraint ?? ""} would be broken`,
    solution: "Bring the referring rows in order first.",
  },
  "23505": {
    message: (e) => `two rows would have the same value in ${e.constraint ?? "a unique column"}`,
    solution: "Remove the repeated rows, or take the key away.",
  },
  "23": {
    message: (e) => `the constraint ${e.constraint ?? ""} would be broken`,
    solution: "Bring the rows in order first.",
  },
  "2BP01": {
    message: () => "other objects of the database depend on it",
    solution: "Undeploy or drop what depends on it first.",
  },
  "42P01": {
    message: (e) => `the table or view ${namedIn(e)} does not exist`,
    solution: "Name an existing one, or depend on the component that makes it.",
  },
  "42703": {
    message: (e) => `the column ${namedIn(e)} does not exist`,
    solution: "Name an existing column.",
  },
  "42883": {
    message: () => "a function or operator for these types does not exist",
    solution: "Check names and types; qualify functions of extensions with their schema.",
  },
  "42601": { message: () => "there is a syntax error", solution: "Correct the SQL." },
  "42804": { message: () => "types do not match", solution: "Convert the value in the SQL." },
  "42702": { message: (e) => `the column ${namedIn(e)} is ambiguous`, solution: "Say of which table it is." },
  "42701": {
    message: (e) => `the column ${namedIn(e)} occurs twice`,
    solution: "Give each column its own name.",
  },
  "42501": {
    message: (e) => `the permission to use ${deniedIn(e)} is missing`,
    solution: "Read only what belongs to the system or was granted to its role; else ask the operator.",
  },
  "42": { message: () => "PostgreSQL does not accept it", solution: "Check the names, types and the SQL." },
  "0A": { message: () => "PostgreSQL does not support it", solution: "Write it in another way." },
  "54": { message: () => "it is larger than PostgreSQL allows", solution: "Make it smaller." },
};

/** Transient errors. */
const passing: Record<string, string> = {
  "25006": "The database is read-only and takes no changes; its operator can open it again.",
  "55P03": "Another operation holds the object; try again later.",
  "57014": "The statement took longer than it may.",
  "40": "The operation collided with another one; try again.",
  "53": "The database has no resources left (connections, disk or memory).",
  "08": "The connection to the database was lost.",
  "57P": "The database is shutting down or starting.",
  "28": "The database does not accept the adapter's credentials.",
  "3D000": "The adapter's database does not exist.",
};

/** Looks up the whole code, then its first three and two characters. */
const lookup = <T>(table: Record<string, T>, code: string): T | undefined =>
  table[code] ?? table[code.slice(0, 3)] ?? table[code.slice(0, 2)];

/** Says what is wrong in words, when it is an error that a person can correct. */
export function refusalOf(error: unknown): { message: string; solution: string } | undefined {
  if (!(error instanceof DatabaseError) || error.code === undefined) return undefined;
  const meaning = lookup(refusals, error.code);
  return meaning && { message: meaning.message(error), solution: meaning.solution };
}

/** Any error of a transaction as a Failure; those that are ones already pass. */
export function failureOf(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const refusal = refusalOf(error);
  if (refusal) {
    return new Failure({
      kind: "invalid",
      code: "ADAPTER_REFUSED_BY_DATABASE",
      message: `The database refused: ${refusal.message}.`,
      solutions: [refusal.solution],
      cause: error,
    });
  }
  if (error instanceof DatabaseError) {
    const message =
      lookup(passing, error.code ?? "") ?? `The database failed with code ${error.code ?? "unknown"}.`;
    return new Failure({ kind: "unavailable", code: "ADAPTER_DATABASE_UNAVAILABLE", message, cause: error });
  }
  if (isConnectionError(error)) {
    const message = "The database cannot be reached.";
    return new Failure({ kind: "unavailable", code: "ADAPTER_DATABASE_UNAVAILABLE", message, cause: error });
  }
  return error;
}

function isConnectionError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (
    ["ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "ETIMEDOUT", "EPIPE", "ENOENT", "EHOSTUNREACH"].includes(code)
  ) {
    return true;
  }
  return /connection terminated|timeout|not queryable/i.test(error.message);
}
