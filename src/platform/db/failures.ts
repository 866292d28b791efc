/** What the driver throws, told as a Failure where the caller can do something about it. */
import { Failure } from "../errors/failure.ts";

const connectionStates = /^(08|57P0|53)/;
const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
]);
const connectionTexts =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after|Query read timeout/;

/** True when the database was out of reach, as opposed to having refused the statement. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && (connectionStates.test(code) || connectionCodes.has(code))) return true;
  return connectionTexts.test(error.message);
}

/** A Failure for a lost connection or an overlong statement, or undefined for anything else. */
export function databaseFailure(error: unknown): Failure | undefined {
  const isTimeout = error instanceof Error && (error as { code?: unknown }).code === "57014";
  if (!isTimeout && !isConnectionLoss(error)) return undefined;
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_DATABASE_UNAVAILABLE",
    message: isTimeout ? "The database took too long to answer." : "The database can't be reached just now.",
    solutions: ["Try again in a moment. Where the request started something, look first whether it runs."],
    retryAfterSeconds: 1,
    cause: error,
  });
}

/** True for a violated unique constraint or index of that name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const fields = error as { code?: unknown; constraint?: unknown };
  return error instanceof Error && fields.code === "23505" && fields.constraint === constraint;
}

/** True when a statement refers to a row that is not there, or that was deleted just before. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === "23503";
