/** Units of which something is deployed. */
import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

export interface ResourceQuery {
  environment: string;
  /** Empty: any. */
  kinds: readonly string[];
  unitKey: string | undefined;
  offset: number;
  limit: number;
}

/** Where a page ends, although its limit is not reached; each page has one descriptor at least. */
const pageBytes = 8 * 1024 * 1024;

export async function listResources(
  db: Db,
  query: ResourceQuery,
): Promise<{ descriptors: object[]; count: number }> {
  const { environment, kinds, unitKey, offset, limit } = query;
  const matching = sql`from units u where u.environment = ${environment} and u.descriptor is not null
    and (${unitKey ?? null}::text is null or u.unit_key = ${unitKey ?? null})
    and (cardinality(${kinds}::text[]) = 0 or u.kind in (select lower(k) from unnest(${kinds}::text[]) k))
    and exists (select 1 from unit_components c where c.environment = u.environment and c.unit_key = u.unit_key
      and c.status = 'DEPLOYED')`;
  const { rows } = await sql<{ descriptor: object }>`select descriptor from (
      select unit_key, descriptor, sum(octet_length(descriptor::text)) over (order by unit_key
        rows between unbounded preceding and 1 preceding) as bytes_before
      from (select u.unit_key, u.descriptor ${matching} order by u.unit_key limit ${limit} offset ${offset}) page) sized
    where coalesce(bytes_before, 0) < ${pageBytes} order by unit_key`.execute(db);
  const counted = await sql<{ count: number }>`select count(*) as count ${matching}`.execute(db);
  return { descriptors: rows.map((row) => row.descriptor), count: counted.rows[0]?.count ?? 0 };
}
