/** Why the database kept a process from starting, for the person who starts it. */
import { Failure } from "../../errors/failure.ts";
import type { Connection } from "../database.ts";
import { DatabaseTimeout, isDatabaseAway } from "../failures.ts";

/** What a start threw, as a Failure where the database is the reason; anything else as it is. */
export function startFailure(
  error: unknown,
  connection: Connection,
  { isEmbedded = false }: { isEmbedded?: boolean } = {},
): unknown {
  const { severity } = error as { severity?: unknown };
  // Only what the server itself says has a severity.
  const isRefusal = error instanceof Error && typeof severity === "string";
  if (!isRefusal && !isDatabaseAway(error)) return error;
  const { host, port, dbname } = connection;
  const place = isEmbedded ? "The embedded database" : `The database ${dbname} at ${host}:${port}`;
  const { reason, solution } = causeOf(error as Error, { connection, isRefusal });
  return new Failure({
    kind: "unavailable",
    code: "PLATFORM_DATABASE_UNAVAILABLE",
    message: `${place} cannot be used: ${reason}.`,
    solutions: [solution],
    cause: error,
  });
}

interface Cause {
  /** Ends a sentence. */
  reason: string;
  solution: string;
}

/** The settings by their names in the configuration and in the environment. */
const settings = {
  place: "database.coordinator.host and .port (COORDINATOR_DB_HOST, COORDINATOR_DB_PORT)",
  role: "database.coordinator.user and .password (COORDINATOR_DB_USERNAME and COORDINATOR_DB_PASSWORD, or PLATFORM_DB_USERNAME and PLATFORM_DB_PASSWORD)",
  dbname: "database.coordinator.dbname (COORDINATOR_DB_DBNAME)",
  schema: "database.coordinator.schema (COORDINATOR_DB_SCHEMA)",
};

function causeOf(
  error: Error,
  { connection, isRefusal }: { connection: Connection; isRefusal: boolean },
): Cause {
  if (isRefusal) {
    const code = String((error as { code?: unknown }).code);
    return { reason: wordsOf(error, code, connection), solution: ofRefusal(code, connection) };
  }
  const texts = textsOf(error);
  const found = fromHere.find(({ pattern }) => pattern.test(texts));
  if (found) return { reason: found.reason, solution: found.solution };
  const reason =
    error instanceof DatabaseTimeout || /time ?out/i.test(texts)
      ? "it did not answer in time"
      : "it cannot be reached";
  return { reason, solution: checkPlace };
}

/** PostgreSQL reports a table that the role may not see as one that does not exist. */
const wordsOf = (error: Error, code: string, { user, schema }: Connection): string =>
  code === "42P01"
    ? `the role ${user} does not see the tables of the schema ${schema}`
    : `it says ${JSON.stringify(error.message)}`;

const checkPlace = `Check that PostgreSQL runs and can be reached from here, and set ${settings.place} to where it listens.`;
const checkRole = `Set ${settings.role} to those of a role of that database.`;

/** What the driver or the system says; the texts of every attempt where a name has several addresses. */
function textsOf(error: Error): string {
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...inner]
    .map((each) =>
      each instanceof Error ? `${String((each as { code?: unknown }).code)} ${each.message}` : "",
    )
    .join("\n");
}

const fromHere: readonly (Cause & { pattern: RegExp })[] = [
  {
    pattern: /SASL|SCRAM|password must be/,
    reason: "it asks for a password, and none fits that is set here",
    solution: checkRole,
  },
  {
    pattern: /does not support SSL|SSL|TLS|certificate/i,
    reason: "no encrypted connection to it can be made",
    solution: `Check the certificates of the server, and that ${settings.place} lead to it.`,
  },
  { pattern: /ECONNREFUSED/, reason: "nothing listens there", solution: checkPlace },
  {
    pattern: /ENOTFOUND|EAI_AGAIN/,
    reason: "its host name does not resolve",
    solution: `Set ${settings.place} to a name that resolves here.`,
  },
  { pattern: /ENOENT/, reason: "there is no such socket", solution: checkPlace },
  {
    pattern: /EACCES|EPERM/,
    reason: "this process may not connect to it",
    solution: "Give the process's user the right to use the socket, or let the firewall pass the connection.",
  },
  {
    pattern: /Connection terminated|connection error|ECONNRESET|EPIPE/,
    reason: "it closed the connection",
    solution: checkPlace,
  },
];

/** By PostgreSQL's error codes; its messages do not name the statement. */
function ofRefusal(code: string, { user, dbname, schema }: Connection): string {
  const rules: readonly [codes: RegExp, solution: string][] = [
    [
      /^53/,
      "Give the role and the database more connections: a process takes up to 30 (docs/guides/scaling.md).",
    ],
    [/^28/, checkRole],
    [
      /^(42501|42P01)$/,
      `Give the role ${user} its rights: \`grant create on database "${dbname}" to "${user}"\`, and the schema ${schema} to own where it exists; or set ${settings.role} to a role that has them.`,
    ],
    [/^3D000$/, `Create it (\`create database "${dbname}"\`), or set ${settings.dbname} to one that exists.`],
    [/^3F000$/, `Create the schema, or set ${settings.schema} to one that exists.`],
    [/^(57P03|57P0[12])$/, "Start again once the database takes connections."],
  ];
  return rules.find(([codes]) => codes.test(code))?.[1] ?? checkPlace;
}
