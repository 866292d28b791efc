/** The PostgreSQL adapter: the kit's server over one database. Each operation is one transaction. */
import { Failure } from "../../platform/errors/failure.ts";
import { silentLogger } from "../../platform/lib/logger.ts";
import type { Logger } from "../../platform/lib/logger.ts";
import { invalid } from "../kit/descriptor.ts";
import type { AdapterHandlers, CallContext, DescriptorCall } from "../kit/protocol.ts";
import { createAdapterServer, type AdapterServerOptions } from "../kit/server.ts";
import { withBookkeeping } from "./bookkeeping.ts";
import { createDatabase } from "./session.ts";
import type { Database } from "./session.ts";
import { readComponent } from "./descriptor/component.ts";
import type { Declared } from "./descriptor/component.ts";
import { postgresLimits } from "./limits.ts";
import { updateAccess } from "./operations/access.ts";
import { tidySchema } from "./operations/objects.ts";
import { provision } from "./operations/provision.ts";
import { reverseProvision } from "./operations/reverse.ts";
import { unprovision } from "./operations/unprovision.ts";
import { validate } from "./operations/validate.ts";
import type { Work } from "./operations/work.ts";

export interface PostgresAdapterOptions {
  /** The database to work in, as a connection URL. */
  databaseUrl: string;
  host?: string;
  port?: number;
  /** What callers must present, one of a list; needed beyond loopback. */
  secret?: AdapterServerOptions["secret"];
  /** See the kit; by default quick calls are answered at once and slow ones with a token. */
  async?: boolean | { afterMs: number };
  log?: Logger;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
}

/** Starts the adapter. The database need not be up yet; calls fail with 503 until it is. */
export async function startPostgresAdapter(
  options: PostgresAdapterOptions,
): Promise<{ url: string; close: () => Promise<void> }> {
  const log = options.log ?? silentLogger;
  const { databaseUrl, statementTimeoutMs, lockTimeoutMs } = options;
  const database = createDatabase({
    url: databaseUrl,
    log,
    ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
    ...(lockTimeoutMs === undefined ? {} : { lockTimeoutMs }),
  });
  const server = createAdapterServer({
    name: "postgres",
    handlers: postgresHandlers(database),
    secret: options.secret,
    async: options.async ?? { afterMs: postgresLimits.answerAfterMs },
    log,
  });
  const address = { host: options.host ?? "127.0.0.1", port: options.port ?? 0 };
  const url = await server.listen(address).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  let closing: Promise<void> | undefined;
  return { url, close: () => (closing ??= server.close().then(() => database.close())) };
}

export function postgresHandlers(database: Database): AdapterHandlers {
  const { address } = database;
  const work = <T>({ signal, log }: CallContext, run: (work: Work) => Promise<T>): Promise<T> =>
    withBookkeeping(database, { signal }, (session) => run({ session, address, log }));
  const declaredOf = (call: DescriptorCall): Declared => {
    const found = withComponent(call);
    const { declared, problems } = readComponent(call.unit, found, { database: address.database });
    if (declared) return declared;
    throw invalid("The component cannot be deployed as described.", problems);
  };
  return {
    validate: (call, context) => validate(database, call, context),
    provision: async (call, context) => {
      const declared = declaredOf(call);
      return work(context, (given) => provision(given, declared));
    },
    unprovision: async (call, context) => {
      const { component, pointer } = withComponent(call);
      const owner = {
        environment: String(call.unit["environment"]),
        unitId: String(call.unit["id"]),
        componentId: String(component["id"]),
      };
      const { removeData } = call;
      const { outcome, schemas } = await work(context, (given) =>
        unprovision(given, { owner, where: pointer, removeData }),
      );
      await tidy(database, schemas);
      return outcome;
    },
    updateAcl: async (call, context) => {
      const declared = declaredOf(call);
      return work(context, (given) => updateAccess(given, declared, call.refs));
    },
    reverseProvision: (call, context) => work(context, (given) => reverseProvision(given, call)),
    // The aborted signal cancels the running statement, and the transaction is rolled back.
    terminate: async () => {},
  };
}

/** An empty schema that stays behind does no harm and goes with the next undeployment. */
async function tidy(database: Database, schemas: string[]): Promise<void> {
  for (const schema of schemas) {
    try {
      await database.transaction({}, (session) => tidySchema(session, schema));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
}

function withComponent({ component, pointer }: DescriptorCall): {
  component: NonNullable<DescriptorCall["component"]>;
  pointer: string;
} {
  if (component) return { component, pointer };
  throw invalid("This adapter deploys components, not whole systems.", [
    { where: "/descriptorKind", message: "must be COMPONENT_DESCRIPTOR" },
  ]);
}
