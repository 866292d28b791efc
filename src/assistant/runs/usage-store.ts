import { sql } from "kysely";
import type { Db } from "../../platform/db/database.ts";

export interface UsageFilter {
  by: "agent" | "model" | "run" | "session" | "user";
  /** All when it is undefined. */
  owner: string | undefined;
  from: string | undefined;
  until: string | undefined;
  limit: number;
  offset: number;
}

export interface UsageSums {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost: number;
}

const sums = sql`count(*) as calls, coalesce(sum(input_tokens), 0)::bigint as input_tokens,
  coalesce(sum(output_tokens), 0)::bigint as output_tokens,
  coalesce(sum(cached_tokens), 0)::bigint as cached_tokens, coalesce(sum(cost), 0) as cost`;

const keys = {
  agent: sql`agent`,
  model: sql`model`,
  run: sql`run_id::text`,
  session: sql`session_id::text`,
  user: sql`owner`,
};

const whereOf = ({ owner, from, until }: UsageFilter) => sql`
  ${owner === undefined ? sql`true` : sql`owner = ${owner}`}
  and ${from === undefined ? sql`true` : sql`at >= ${from}::timestamptz`}
  and ${until === undefined ? sql`true` : sql`at < ${until}::timestamptz`}`;

/** The groups that have cost most first. */
export async function sumUsage(
  db: Db,
  filter: UsageFilter,
): Promise<{ rows: (UsageSums & { key: string })[]; groups: number; total: UsageSums }> {
  const key = keys[filter.by];
  const { rows } = await sql<UsageSums & { key: string }>`select ${key} as key, ${sums} from assistant_usage
    where ${whereOf(filter)} group by 1 order by cost desc, input_tokens desc, key
    limit ${filter.limit} offset ${filter.offset}`.execute(db);
  const whole = await sql<UsageSums & { groups: number }>`select count(distinct ${key}) as groups, ${sums}
    from assistant_usage where ${whereOf(filter)}`.execute(db);
  const { groups = 0, ...total } = whole.rows[0] ?? {
    calls: 0,
    input_tokens: 0,
    output_tokens: 0,
    cached_tokens: 0,
    cost: 0,
  };
  return { rows, groups, total };
}
