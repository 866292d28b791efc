/** Pure: what is tracked of the sources, and how it follows what was found in their databases. */

/** A table or view of a database. */
export interface FoundTable {
  schema: string;
  name: string;
  /** Changes with every column, comment and constraint of it. */
  hash: string;
  /** Whether its rows are filtered for the user that the data layer connects as. */
  filtersRows: boolean;
}

export interface TrackedSource {
  name: string;
  tables: { schema: string; name: string }[];
}

export interface Inconsistency {
  source: string;
  message: string;
}

/** What was found of one source; null where its database is away. */
export interface Found {
  name: string;
  tables: readonly FoundTable[] | null;
}

/** The tables that were found; of a source whose database is away those that were tracked before. */
export const trackedFrom = (found: readonly Found[], before: readonly TrackedSource[]): TrackedSource[] =>
  found.map(({ name, tables }) => ({
    name,
    tables:
      tables?.map(({ schema, name: table }) => ({ schema, name: table })) ??
      before.find((each) => each.name === name)?.tables ??
      [],
  }));

/** What of the tracked tables can't be shown, and why. */
export function findInconsistencies(
  tracked: readonly TrackedSource[],
  found: readonly Found[],
  isOwn: (source: string) => boolean,
): Inconsistency[] {
  const named = new Map(found.map((each) => [each.name, each.tables]));
  return [
    ...found.flatMap(({ name, tables }): Inconsistency[] => {
      if (tables === null) return [{ source: name, message: "Its database does not answer." }];
      if (tables.length > 0) return [];
      const message = isOwn(name)
        ? "Its database has no views of the product: it is not the database of that service, or its schema data_layer may not be read."
        : "Its database has no table in the schemas that are shown.";
      return [{ source: name, message }];
    }),
    ...tracked.flatMap(({ name, tables }): Inconsistency[] => {
      const there = named.get(name);
      if (there === undefined) return [{ source: name, message: "It is tracked and not in dbs.sources." }];
      if (there === null) return [];
      const keys = new Set(there.map((table) => `${table.schema}.${table.name}`));
      return tables
        .filter(({ schema, name: table }) => !keys.has(`${schema}.${table}`))
        .map(({ schema, name: table }) => ({
          source: name,
          message: `The table ${schema}.${table} is tracked and not in its database, or may not be read.`,
        }));
    }),
  ];
}
