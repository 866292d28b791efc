/** The descriptors that units were last brought to, with what tells whether they have changed. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import { readTableMark } from "../../platform/db/table-mark.ts";

/** More are left out, the last ones by environment and id. */
const mostUnits = 100_000;

export interface DescriptorFeed {
  mark(): Promise<string>;
  versions(): Promise<ReadonlyMap<string, string>>;
  read(keys: readonly string[]): Promise<{ key: string; id: string; value: Record<string, unknown> }[]>;
}

const keyOf = sql`environment || '/' || unit_key`;

/** Keys are `environment/unit`; names of environments have no slash. */
export const descriptorFeed = (db: Db): DescriptorFeed => ({
  mark: () => readTableMark(db, ["units"]),
  async versions() {
    const { rows } = await sql<{ key: string; version: string }>`select ${keyOf} as key,
        updated_at::text as version
      from units where descriptor is not null order by environment, unit_key limit ${mostUnits}`.execute(db);
    return new Map(rows.map(({ key, version }) => [key, version]));
  },
  async read(keys) {
    const places = keys.map((key) => key.split("/"));
    const { rows } = await sql<{
      key: string;
      id: string;
      value: Record<string, unknown>;
    }>`select ${keyOf} as key, unit_id as id, descriptor as value from units
      where (environment, unit_key) in (select * from unnest(${places.map(([name]) => name ?? "")}::text[],
        ${places.map(([, ...rest]) => rest.join("/"))}::text[])) and descriptor is not null`.execute(db);
    return rows;
  },
});
