/** Why the database kept a process from starting, for the person who starts it. */
import { Failure } from "../errors/failure.ts";
import type { Connection } from "./database.ts";
import { DatabaseTimeout, isDatabaseAway } from "./failures.ts";

/** What a start threw, as a Failure where the database is the reason; anything else as it is. */
export function startFailure(error: unknown, connection: Connection): unknown {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  // Only what the server itself says has a severity.
  const isRefusal = error instanceof Error && typeof severity === "string";
  if (!isRefusal && !isDatabaseAway(error)) return error;
  const { host, port, dbname } = connection;
  const place = host.startsWith("/") ? "The embedded database" : `The database ${dbname} at ${host}:${port}`;
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_DATABASE_UNAVAILABLE",
    message: `${place} cannot be used: ${reasonOf(error as Error, isRefusal)}.`,
    solutions: [solutionFor(String(code))],
    cause: error,
  });
}

/** The server's own words name no statement. */
function reasonOf(error: Error, isRefusal: boolean): string {
  const { message } = error;
  if (isRefusal) return `it says ${JSON.stringify(message)}`;
  if (error instanceof DatabaseTimeout || /time ?out/i.test(message)) return "it did not answer in time";
  if (/Connection terminated|connection error|ECONNRESET|EPIPE/.test(message))
    return "it closed the connection";
  if (message.includes("ECONNREFUSED")) return "nothing listens there";
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return "its host name does not resolve";
  return "it cannot be reached";
}

const solutions: readonly [codes: RegExp, solution: string][] = [
  [
    /^53/,
    "Give the role and the database more connections: a process takes up to 30 (docs/guides/scaling.md).",
  ],
  [/^28/, "Check PLATFORM_DB_USERNAME and PLATFORM_DB_PASSWORD."],
  [/^42501$/, "Give the role the right to use and to change the database and its schema."],
  [/^(3D000|3F000)$/, "Check PLATFORM_DB_DBNAME and PLATFORM_DB_SCHEMA."],
  [/^(57P03|57P0[12])$/, "Start again once the database takes connections."],
];

const solutionFor = (code: string): string =>
  solutions.find(([codes]) => codes.test(code))?.[1] ??
  "Check that the database runs and can be reached from here, then start again.";
