/** Why the database kept a process from starting, for the person who starts it. */
import { Failure } from "../../errors/failure.ts";
import { maxConnections } from "../connection-limits.ts";
import type { Connection } from "../database.ts";
import { DatabaseTimeout, isDatabaseAway } from "../failures.ts";
import { platformService, type MigratedService } from "../migrations/service.ts";

export interface StartFailureOptions {
  isEmbedded?: boolean;
  /** Whose database it is. */
  service?: Names;
}

type Names = Pick<MigratedService, "setting" | "variables">;

/** What a start threw, as a Failure where the database is the reason; anything else as it is. */
export function startFailure(
  error: unknown,
  connection: Connection,
  { isEmbedded = false, service = platformService }: StartFailureOptions = {},
): unknown {
  const { severity } = error as { severity?: unknown };
  // Only what the server itself says has a severity.
  const isRefusal = error instanceof Error && typeof severity === "string";
  if (!isRefusal && !isDatabaseAway(error)) return error;
  const { host, port, dbname } = connection;
  const place = isEmbedded ? "The embedded database" : `The database ${dbname} at ${host}:${port}`;
  const { reason, solution } = causeOf(error as Error, {
    connection,
    isRefusal,
    settings: settingsOf(service),
  });
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

type Settings = ReturnType<typeof settingsOf>;

/** The settings by their names in the configuration and in the environment. */
const settingsOf = ({ setting, variables }: Names) => ({
  place: `${setting}.host and .port (${variables}_HOST, ${variables}_PORT)`,
  role: `${setting}.user and .password (${variables}_USERNAME and ${variables}_PASSWORD, or PLATFORM_DB_USERNAME and PLATFORM_DB_PASSWORD)`,
  dbname: `${setting}.dbname (${variables}_DBNAME)`,
  schema: `${setting}.schema (${variables}_SCHEMA)`,
});

interface Situation {
  connection: Connection;
  isRefusal: boolean;
  settings: Settings;
}

function causeOf(error: Error, { connection, isRefusal, settings }: Situation): Cause {
  if (isRefusal) {
    const code = String((error as { code?: unknown }).code);
    return { reason: wordsOf(error, code, connection), solution: ofRefusal(code, connection, settings) };
  }
  const texts = textsOf(error);
  const found = fromHere(settings).find(({ pattern }) => pattern.test(texts));
  if (found) return { reason: found.reason, solution: found.solution };
  const reason =
    error instanceof DatabaseTimeout || /time ?out/i.test(texts)
      ? "it did not answer in time"
      : "it cannot be reached";
  return { reason, solution: checkPlace(settings) };
}

/** PostgreSQL reports a table that the role may not see as one that does not exist. */
const wordsOf = (error: Error, code: string, { user, schema }: Connection): string =>
  code === "42P01"
    ? `the role ${user} does not see the tables of the schema ${schema}`
    : `it says ${JSON.stringify(error.message)}`;

const checkPlace = ({ place }: Settings): string =>
  `Check that PostgreSQL runs and can be reached from here, and set ${place} to where it listens.`;
const checkRole = ({ role }: Settings): string => `Set ${role} to those of a role of that database.`;

/** What the driver or the system says; the texts of every attempt where a name has several addresses. */
function textsOf(error: Error): string {
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...inner]
    .map((each) =>
      each instanceof Error ? `${String((each as { code?: unknown }).code)} ${each.message}` : "",
    )
    .join("\n");
}

const fromHere = (settings: Settings): readonly (Cause & { pattern: RegExp })[] => [
  {
    pattern: /SASL|SCRAM|password must be/,
    reason: "it asks for a password, and none fits that is set here",
    solution: checkRole(settings),
  },
  {
    pattern: /does not support SSL|SSL|TLS|certificate/i,
    reason: "no encrypted connection to it can be made",
    solution: `Check the certificates of the server, and that ${settings.place} lead to it.`,
  },
  { pattern: /ECONNREFUSED/, reason: "nothing listens there", solution: checkPlace(settings) },
  {
    pattern: /ENOTFOUND|EAI_AGAIN/,
    reason: "its host name does not resolve",
    solution: `Set ${settings.place} to a name that resolves here.`,
  },
  { pattern: /ENOENT/, reason: "there is no such socket", solution: checkPlace(settings) },
  {
    pattern: /EACCES|EPERM/,
    reason: "this process may not connect to it",
    solution: "Give the process's user the right to use the socket, or let the firewall pass the connection.",
  },
  {
    pattern: /Connection terminated|connection error|ECONNRESET|EPIPE/,
    reason: "it closed the connection",
    solution: checkPlace(settings),
  },
];

/** By PostgreSQL's error codes; its messages do not name the statement. */
function ofRefusal(code: string, { user, dbname, schema }: Connection, settings: Settings): string {
  const rules: readonly [codes: RegExp, solution: string][] = [
    [
      /^53/,
      `Give the role and the database more connections: a process takes up to ${maxConnections({ isWorker: true })} (docs/guides/scaling.md).`,
    ],
    [/^28/, checkRole(settings)],
    [
      /^(42501|42P01)$/,
      `Give the role ${user} its rights: \`grant create on database "${dbname}" to "${user}"\`, and the schema ${schema} to own where it exists; or set ${settings.role} to a role that has them.`,
    ],
    [/^3D000$/, `Create it (\`create database "${dbname}"\`), or set ${settings.dbname} to one that exists.`],
    [/^3F000$/, `Create the schema, or set ${settings.schema} to one that exists.`],
    [/^(57P03|57P0[12])$/, "Start again once the database takes connections."],
  ];
  return rules.find(([codes]) => codes.test(code))?.[1] ?? checkPlace(settings);
}
