/** A database password that a reload may change. Open connections stay open; each new connection is made with the present password. */
import type { Config } from "../config/schema/schema.ts";
import { connectTo, type Connection } from "./database.ts";
import type { MigratedService } from "./migrations/service.ts";
import { startFailure } from "./start/start-failure.ts";

export interface ChangingPassword {
  connection: Connection;
  /** Refuses a password that the database does not take, with what it says. */
  prepare: (next: Config) => Promise<() => void>;
}

export function changingPassword(
  { currentPassword: _ofAnother, ...started }: Connection,
  passwordIn: (config: Config) => string,
  service?: MigratedService,
): ChangingPassword {
  let { password } = started;
  return {
    connection: { ...started, currentPassword: () => password },
    async prepare(next) {
      const wanted = passwordIn(next);
      if (wanted !== password) await tryConnection({ ...started, password: wanted }, service);
      // Used at once, even if another part refuses the reload: the database accepts it and may no longer accept the old one, and parts that
      // prepare after this one query the database.
      password = wanted;
      return () => undefined;
    },
  };
}

async function tryConnection(connection: Connection, service?: MigratedService): Promise<void> {
  try {
    const client = await connectTo(connection);
    await client.end();
  } catch (error) {
    throw startFailure(error, connection, service === undefined ? {} : { service });
  }
}
