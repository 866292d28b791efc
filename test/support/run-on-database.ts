/** Commands that open a database themselves, in this process. */
import { run, type Ran, type RunOptions } from "../../src/cli/testdata.ts";
import type { Connection } from "../../src/platform/db/database.ts";

/** Runs one command line with that database as the coordinator's. */
export const runOnDatabase = (
  { host, port, user, password, dbname, schema }: Connection,
  args: string[],
  { env, ...options }: RunOptions = {},
): Promise<Ran> =>
  run(args, {
    ...options,
    env: {
      COORDINATOR_DB_HOST: host,
      COORDINATOR_DB_PORT: `${port}`,
      COORDINATOR_DB_USERNAME: user,
      COORDINATOR_DB_PASSWORD: password,
      COORDINATOR_DB_DBNAME: dbname,
      COORDINATOR_DB_SCHEMA: schema,
      ...env,
    },
  });
