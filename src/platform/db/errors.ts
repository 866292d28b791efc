export const databaseErrors = {
  PLATFORM_DATABASE_UNAVAILABLE: {
    status: 503,
    meaning:
      "The database cannot answer at the moment; the message says why: it is unreachable, starting, read-only or a standby, " +
      "full, without a free connection, or took too long to answer.",
    solution: "Repeat the request after the seconds in Retry-After; if it stays, check the database.",
  },
  PLATFORM_EMBEDDED_DATABASE: {
    status: 503,
    meaning:
      "The server does not start, because its embedded PostgreSQL did not start; the message says why.",
    solution: "Correct what the message names, or point PLATFORM_DB_HOST at a PostgreSQL 15 or newer.",
  },
  PLATFORM_INSTALLATION_KEY: {
    status: 503,
    meaning:
      "The server does not start, or takes no other keys, because it does not have a key with which secrets in its database are encrypted; the message says which one is missing. Or `plinth admin rekey` waits for processes that seal with another key.",
    solution:
      "Restore the file of the key or set mesh.builder.instantiations.secretKey, the same for all processes, and the former one in formerSecretKeys while keys are changed; where the key is lost, set mesh.builder.instantiations.forgetKey.",
  },
  PLATFORM_BACKUP: {
    status: 409,
    meaning: "A backup can't be made or restored; the message says why.",
    solution: "Do what the message says; an installation that is there is never overwritten.",
  },
  PLATFORM_MIGRATION_CHANGED: {
    status: 500,
    meaning: "The server does not start, because a migration was changed after it had been applied.",
    solution: "Restore the file as it was and put the change into a new migration.",
  },
  PLATFORM_PROGRAM_TOO_OLD: {
    status: 409,
    meaning:
      "The process does not start, or ends, because the database's schema needs a newer program; the message names both versions.",
    solution: "Start a program of the version that the message names, or a newer one.",
  },
  PLATFORM_OLDER_WORKERS: {
    status: 409,
    meaning:
      "The server does not start, because a migration would break workers of an older version that are still running.",
    solution: "Stop the processes of the older version, then start this one again.",
  },
  PLATFORM_SCHEMA_FOREIGN: {
    status: 409,
    meaning: "The server does not start, because the configured schema belongs to another service.",
    solution: "Set COORDINATOR_DB_SCHEMA to a schema of Plinth's own.",
  },
  PLATFORM_SCHEMA_ELSEWHERE: {
    status: 409,
    meaning:
      "The server does not start, because the configured schema is empty while another one of the database holds Plinth's tables.",
    solution:
      "Set COORDINATOR_DB_SCHEMA to the schema that the message names; or COORDINATOR_DB_NEW_SCHEMA to the empty one's name, to install afresh.",
  },
} as const;
