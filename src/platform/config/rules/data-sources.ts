/** The databases of the data layer: their names, their addresses, and what is shown of them. */
import { ownSchema, ownSources, type DataSource } from "../schema/schema-data-layer.ts";
import type { Settings } from "../schema/schema.ts";
import type { ConfigProblems } from "../source/problems.ts";
import type { EnvironmentVariables } from "../source/reading.ts";
import type { Report } from "./report.ts";

const key = (name: string): string => name.toLowerCase();
const isOwn = (name: string): boolean => ownSources.some((own) => own === key(name));

/** `Data-mart` gives ENGINE_GRAPHQL_DATA_MART_DATABASE_URL. */
export const sourceVariable = (name: string): string =>
  `ENGINE_GRAPHQL_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_DATABASE_URL`;

/** The address of the database with what the layer tracks. */
export const metadataVariable = sourceVariable("metadata");

export function checkDataSources(settings: Settings, report: Report): void {
  const { dbs, configOverride, dataLayer } = settings;
  const variables = new Map([[metadataVariable, "the metadata of the layer"]]);
  for (const [index, { name, db }] of dbs.sources.entries()) {
    const path = ["dbs", "sources", index, "name"];
    const variable = sourceVariable(name);
    const other = variables.get(variable);
    if (other !== undefined)
      report.problem(path, {
        message: `has the same variable as ${other}: ${variable}`,
        solution: "Choose names that differ in letters and digits.",
      });
    variables.set(variable, name);
    if (db === undefined && !isOwn(name))
      report.problem(["dbs", "sources", index], {
        message: `has no db, and ${name} is not one of ${ownSources.join(", ")}`,
        solution: "Give the name of its database.",
      });
  }
  const known = (path: (string | number)[], name: string): void => {
    if (dbs.sources.some((source) => key(source.name) === key(name))) return;
    report.problem(path, {
      message: `names the source ${name}, which dbs.sources does not list`,
      solution: "Add it to dbs.sources.",
    });
  };
  for (const [index, name] of dataLayer.rowFilters.entries()) known(["dataLayer", "rowFilters", index], name);
  for (const [index, shown] of (configOverride.sources ?? []).entries()) {
    const path = ["configOverride", "sources", index];
    known([...path, "name"], shown.name);
    const both = shown.allowSchemas.filter((name) => shown.excludeSchemas.includes(name));
    if (both.length > 0)
      report.problem([...path, "excludeSchemas"], {
        message: `excludes what allowSchemas allows: ${both.join(", ")}`,
        solution: "Keep each schema in one of the lists.",
      });
  }
  if (dataLayer.metadataUrl !== undefined && !isDatabaseUrl(dataLayer.metadataUrl))
    report.problem(["dataLayer", "metadataUrl"], badAddress);
  warnOfMissing(settings, report);
}

/** Governance and the marketplace read through the layer, so a list without their sources is a mistake nearly always. */
function warnOfMissing({ dbs, configOverride }: Settings, report: Report): void {
  const lists = [
    [["dbs", "sources"], dbs.sources],
    [["configOverride", "sources"], configOverride.sources ?? ownSources.map((name) => ({ name }))],
  ] as const;
  for (const [path, list] of lists) {
    const missing = ownSources.filter((own) => !list.some(({ name }) => key(name) === own));
    if (missing.length > 0)
      report.warning([...path], {
        message: `lacks ${missing.join(", ")}: the list replaces the default one`,
        solution: "Repeat these sources, unless nobody reads them through the data layer.",
      });
  }
}

const badAddress = {
  message: "must be postgres://user:password@host:port/database, with special characters percent-encoded",
};

/** Addresses that variables give are in no schema. */
export function reportBadAddresses(sources: readonly DataSource[], problems: ConfigProblems): void {
  for (const { variable, url, isGiven } of sources)
    if (isGiven && !isDatabaseUrl(url ?? "")) problems.add({ variable }, [variable], badAddress);
}

/** Whether the data layer can read it as a host and a database. */
function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, pathname } = new URL(text);
  const parts = [hostname, username, password, pathname];
  return (
    /^postgres(?:ql)?:$/.test(protocol) &&
    hostname !== "" &&
    pathname.length > 1 &&
    parts.every(isPercentEncoded)
  );
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function readDataSources(settings: Settings, env: EnvironmentVariables): DataSource[] {
  const overrides = settings.configOverride?.sources;
  return (settings.dbs?.sources ?? []).map(({ name, db }) => {
    const variable = sourceVariable(name);
    const given = env[variable] || undefined;
    const own = isOwn(name);
    const shown = overrides?.find((each) => key(each.name) === key(name));
    const schemas = overrides === undefined && own ? [ownSchema] : (shown?.allowSchemas ?? []);
    return {
      name,
      db,
      variable,
      url: given ?? computedUrl({ name, db }, settings, env),
      isGiven: given !== undefined,
      isOwn: own,
      allowSchemas: schemas,
      // A list that replaces the default one and does not name the source shows nothing of it.
      excludeSchemas: shown?.excludeSchemas ?? (overrides === undefined ? [] : ["*"]),
    };
  });
}

interface Named {
  name: string;
  db: string | undefined;
}

/** Of the PLATFORM_DB_* variables; a source of ours is where its service is. */
function computedUrl(
  { name, db }: Named,
  { database }: Settings,
  env: EnvironmentVariables,
): string | undefined {
  const { coordinator, governance } = database ?? {};
  if (coordinator === undefined || governance === undefined) return undefined;
  const service = key(name) === "cgp" ? governance : coordinator;
  const own = isOwn(name) ? service : undefined;
  const host = own?.host ?? (env["PLATFORM_DB_HOST"] || coordinator.host);
  if (host === undefined) return undefined;
  const user = own?.user ?? (env["PLATFORM_DB_USERNAME"] || coordinator.user);
  const password = own?.password ?? (env["PLATFORM_DB_PASSWORD"] || coordinator.password);
  const port = own?.port ?? (Number(env["PLATFORM_DB_PORT"]) || coordinator.port);
  const dbname = db ?? service.dbname ?? coordinator.dbname;
  const [who, secret, where] = [user, password, dbname].map(encodeURIComponent);
  return `postgres://${who}:${secret}@${host.includes(":") ? `[${host}]` : host}:${port}/${where}`;
}
