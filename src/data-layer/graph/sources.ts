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
        ? reachedBy(connectionOf(url, service.schema), isGiven ? undefined : own.coordinator)
        : { ...service, dbname: db ?? service.dbname },
      isOwn,
      isFiltered: isOwn || filtered.has(name.toLowerCase()),
      allowSchemas,
      excludeSchemas,
    };
  });
}

/** A URL that was computed from the settings of the coordinator's database follows a change of its password, where it has that password. */
const reachedBy = (source: Connection, coordinator: Connection | undefined): Connection =>
  coordinator?.currentPassword !== undefined && source.password === coordinator.password
    ? { ...source, currentPassword: coordinator.currentPassword }
    : source;

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
