/** Pure: where the sources of the data layer are, and who sees them. */
import type { Config } from "../../platform/config/schema/schema.ts";
import type { Connection } from "../../platform/db/database.ts";

export interface Source {
  name: string;
  connection: Connection;
  /** Whether the product's own views are shown. */
  isOwn: boolean;
  /** Whether the database itself filters the rows for the caller; else only operators see them. */
  isFiltered: boolean;
  /** Empty: every schema but the system's. */
  allowSchemas: readonly string[];
  /** `*`: every schema. */
  excludeSchemas: readonly string[];
}

/** Where the services' own databases are, as this process reaches them. */
export interface OwnConnections {
  coordinator: Connection;
  governance: Connection;
}

export function sourcesOf(
  { dbs, dataLayer }: Pick<Config, "dbs" | "dataLayer">,
  own: OwnConnections,
): Source[] {
  const filtered = new Set(dataLayer.rowFilters.map((name) => name.toLowerCase()));
  return dbs.sources.map(({ name, db, url, isGiven, isOwn, allowSchemas, excludeSchemas }) => {
    const service = name.toLowerCase() === "cgp" ? own.governance : own.coordinator;
    const isReachedByUrl = url !== undefined && (isGiven || !isOwn);
    return {
      name,
      connection: isReachedByUrl
        ? { ...connectionOf(url, service.schema), ...(isGiven ? {} : passwordOf(own.coordinator, url)) }
        : { ...service, dbname: db ?? service.dbname },
      isOwn,
      isFiltered: isOwn || filtered.has(name.toLowerCase()),
      allowSchemas,
      excludeSchemas,
    };
  });
}

/** An address that was computed has the password of the coordinator's database, unless a variable gives another one for all. */
const passwordOf = ({ password, currentPassword }: Connection, url: string): Partial<Connection> =>
  currentPassword !== undefined && decodeURIComponent(new URL(url).password) === password
    ? { currentPassword }
    : {};

/** Of `postgres://user:password@host:port/database`. */
export function connectionOf(url: string, schema: string): Connection {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: decodeURIComponent(hostname.replace(/^\[(.*)\]$/, "$1")),
    port: port === "" ? 5432 : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    dbname: decodeURIComponent(pathname.slice(1)),
    schema,
  };
}
