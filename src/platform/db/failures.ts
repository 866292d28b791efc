/** Turns errors of the driver into a Failure where the caller can do something about them. */
import { Failure } from "../errors/failure.ts";

/** Why the database could not take a statement, when waiting or an operator can resolve it. */
type Trouble = "slow" | "readOnly" | "full" | "starting" | "crowded" | "unreachable";

/** By PostgreSQL's codes, or their beginnings; the first that fits. */
const troubleByCode: readonly [RegExp, Trouble][] = [
  [/^(57014|55P03)$/, "slow"],
  // Also what a standby says to every change.
  [/^25006$/, "readOnly"],
  [/^53(1|2|4)00$/, "full"],
  [/^57P03$/, "starting"],
  [/^53300$/, "crowded"],
  [/^(08|57P0|53)/, "unreachable"],
  [/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/, "unreachable"],
];
const lostTexts =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|connection error and is not queryable|Client was closed|Cannot use a pool after/;

/** A statement, or the wait for a connection, that was given up because it took too long. */
export class DatabaseTimeout extends Error {
  constructor() {
    super("The database did not answer in time.");
    this.name = "DatabaseTimeout";
  }
}

const refused = Symbol("refused");

/** Marks an error as a failed connection: whatever the server's reason, no statement can be sent. */
export function markRefused(error: unknown): void {
  if (error instanceof Error) Object.defineProperty(error, refused, { value: true });
}

function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseTimeout) return "slow";
  const { code } = error as { code?: unknown };
  const known = troubleByCode.find(([pattern]) => typeof code === "string" && pattern.test(code))?.[1];
  if (known !== undefined) return known;
  return refused in error || lostTexts.test(error.message) ? "unreachable" : undefined;
}

/**
 * True when the database could not take a statement for a reason that passes (it is out of reach, slow, full or
 * read-only), as opposed to having refused what the statement says: the same statement may be sent again.
 */
export const isDatabaseAway = (error: unknown): boolean => troubleOf(error) !== undefined;

/** True when the database answers, but too slowly, or has no room: that may be so for this statement alone. */
export const isDatabaseStrained = (error: unknown): boolean => {
  const trouble = troubleOf(error);
  return trouble === "slow" || trouble === "full";
};

/** True when the database can carry out no statement at all, so that the failed one is not to blame. */
export const isDatabaseGone = (error: unknown): boolean =>
  isDatabaseAway(error) && !isDatabaseStrained(error);

/** What callers get: the message, and the seconds after which to retry. */
const answers: Record<Trouble, { message: string; retryAfterSeconds: number }> = {
  slow: { message: "The database took too long to answer.", retryAfterSeconds: 1 },
  readOnly: {
    message:
      "The database accepts no changes at the moment: it is read-only, or a standby. Reads still work.",
    retryAfterSeconds: 5,
  },
  full: {
    message: "The database has no room for more at the moment. Reads still work.",
    retryAfterSeconds: 5,
  },
  starting: { message: "The database is starting, recovering or stopping.", retryAfterSeconds: 2 },
  crowded: { message: "The database accepts no more connections at the moment.", retryAfterSeconds: 1 },
  unreachable: { message: "The database can't be reached at the moment.", retryAfterSeconds: 1 },
};

/** A Failure for what passes, or undefined for anything else. */
export function databaseFailure(error: unknown): Failure | undefined {
  const trouble = troubleOf(error);
  if (trouble === undefined) return undefined;
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_DATABASE_UNAVAILABLE",
    ...answers[trouble],
    solutions: [
      "Try again in a moment. Where the request started something, look first whether it runs.",
      "If it stays, an operator has to look at the database.",
    ],
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
