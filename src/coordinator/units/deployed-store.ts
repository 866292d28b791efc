/** Reads what is deployed: resources, component pairs of two environments, accepted descriptors, and their feed. */
import type { Db } from "../../platform/db/database.ts";
import { sql, type Sql } from "../../platform/db/sql.ts";
import type { ComponentPair } from "./descriptor-pairs.ts";

export interface ResourceQuery {
  environment: string;
  /** Empty: any. */
  kinds: readonly string[];
  unitKey: string | undefined;
  offset: number;
  limit: number;
}

/** A page ends here before its limit is reached; each page has at least one descriptor. */
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

export interface DiffQuery {
  unitKey: string;
  environment: string;
  otherEnvironment: string;
}

/**
 * A side is null when the component is not deployed there; components deployed on neither side are left out.
 */
export async function readComponentPairs(db: Db, query: DiffQuery): Promise<ComponentPair[]> {
  const present = (environment: string) => sql`select * from unit_components where unit_key = ${query.unitKey}
    and environment = ${environment} and parent_key is null and status <> 'NOT_DEPLOYED'`;
  const side = (name: "a" | "b") => sql`case when ${sql.ref(name)}.component_key is not null then
    json_build_object('status', ${sql.ref(name)}.status, 'descriptorVersion', ${sql.ref(name)}.descriptor_version,
      'descriptor', case when a.hash <> b.hash then ${sql.ref(name)}.descriptor end) end`;
  const { rows } = await sql<ComponentPair>`select coalesce(a.component_id, b.component_id) as id,
      component_key = ${query.unitKey} as "isRoot", ${side("a")} as environment, ${side("b")} as "otherEnvironment"
    from (${present(query.environment)}) a full join (${present(query.otherEnvironment)}) b using (component_key)
    order by component_key <> ${query.unitKey}, coalesce(a.position, b.position), component_key`.execute(db);
  return rows;
}

export interface StoredDescriptor {
  /** Null for a plan that is not known. */
  unitKey: string | null;
  environment: string | null;
  descriptor: Record<string, unknown> | null;
}

/** Of each side, in their order: what its plan stored, or the descriptor of the last plan that changed the unit there. */
export async function readStoredDescriptors(
  db: Db,
  unitKey: string,
  sides: readonly { environment: string; plan: string | undefined }[],
): Promise<StoredDescriptor[]> {
  const { rows } = await sql<StoredDescriptor>`select
      case when s.plan is null then ${unitKey} else p.unit_key end as "unitKey",
      case when s.plan is null then s.environment else p.environment end as environment,
      case when s.plan is null then u.descriptor else p.request -> 'descriptor' end as descriptor
    from unnest(${sides.map(({ environment }) => environment)}::text[],
      ${sides.map(({ plan }) => plan ?? null)}::text[]) with ordinality s(environment, plan, position)
    left join execution_plans p on p.id = s.plan
    left join units u on s.plan is null and u.unit_key = ${unitKey} and u.environment = s.environment
    order by s.position`.execute(db);
  return rows;
}

type Stored = Record<string, unknown> | null;

/** What a plan of a unit stored, and the descriptor of the last plan that changed the unit there. */
export async function readPlanPair(
  db: Db,
  planId: string,
): Promise<{ deployed: Stored; planned: Stored } | null> {
  const { rows } = await sql<{ deployed: Stored; planned: Stored }>`select u.descriptor as deployed,
      p.request -> 'descriptor' as planned
    from execution_plans p
    left join units u on u.unit_key = p.unit_key and u.environment = p.environment
    where p.id = ${planId} and p.unit_key is not null`.execute(db);
  return rows[0] ?? null;
}

export interface AcceptedDescriptor {
  action: string;
  descriptor: Record<string, unknown>;
  acceptedAt: Date;
}

/** The page after a time; descriptors of equal time are never split between pages. */
export async function readAccepted(
  db: Db,
  { after, limit }: { after: Date; limit: number },
): Promise<AcceptedDescriptor[]> {
  const settledBefore = await readSettledTime(db);
  const { rows } = await sql<AcceptedDescriptor>`select action, request -> 'descriptor' as descriptor,
      created_at as "acceptedAt"
    from (
      select id, action, request, created_at, sum(octet_length(request::text)) over (order by created_at
        groups between unbounded preceding and 1 preceding) as bytes_before
      from (select * from execution_plans where kind = 'PROVISIONING' and created_at > ${after}
          and created_at < ${settledBefore}::timestamptz
        order by created_at fetch first (${limit}::int) rows with ties) page) sized
    where coalesce(bytes_before, 0) < ${pageBytes}
    order by created_at, id`.execute(db);
  return rows;
}

/**
 * The time before which no further plan can appear. A plan gets its time within its transaction, so an
 * uncommitted plan is later than the start of the oldest writing transaction, or than now. Read before the
 * page, so that plans committed in between are in the page. Text, because a Date has only milliseconds.
 */
async function readSettledTime(db: Db): Promise<string> {
  const { rows } = await sql<{ time: string }>`select least(clock_timestamp(), min(xact_start))::text as time
    from pg_stat_activity where backend_xid is not null and datname = current_database()`.execute(db);
  return rows[0]?.time ?? "-infinity";
}

/** Further units, by environment and id, are left out. */
const maxUnits = 100_000;

export interface DescriptorFeed {
  /** In which the records are. */
  tables: readonly string[];
  versions(): Promise<ReadonlyMap<string, string>>;
  read(keys: readonly string[]): Promise<{ key: string; id: string; value: Record<string, unknown> }[]>;
}

const keyOf = sql`environment || '/' || unit_key`;

/** Keys are `environment/unit`; names of environments have no slash. */
export const descriptorFeed = (db: Db): DescriptorFeed => ({
  tables: ["units"],
  async versions() {
    const { rows } = await sql<{ key: string; version: string }>`select ${keyOf} as key,
        updated_at::text as version
      from units where descriptor is not null order by environment, unit_key limit ${maxUnits}`.execute(db);
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

/** A unit of which something is deployed. */
export interface DeployedUnit {
  unitId: string;
  /** The descriptor of the last plan that changed its components. */
  descriptor: Record<string, unknown>;
  /** Ids of its deployed components, subcomponents too. */
  deployedIds: string[];
}

export interface DeployedUnits {
  /** A page of units, by id; the next one begins after `next`, which is null after the last. */
  list(query: {
    environment: string;
    after: string | null;
    limit: number;
  }): Promise<{ units: DeployedUnit[]; next: string | null }>;
  /** Reads only `fields` of the descriptors of all units that have this id (whatever its case) or a component with it. */
  findFields(query: { id: string; environment: string }, fields: readonly string[]): Promise<object[]>;
  /** One of them; the unit with the id itself before others. */
  find(query: { id: string; environment: string }): Promise<DeployedUnit | null>;
}

/** A page of parsed descriptors ends here: reading more at once would keep the process busy for too long. */
const parsedBytes = 128 * 1024;

const deployedIds = sql`array(select c.component_id from unit_components c where c.environment = u.environment
  and c.unit_key = u.unit_key and c.status = 'DEPLOYED' order by c.position, c.component_key)`;

export const deployedUnits = (db: Db): DeployedUnits => ({
  async list({ environment, after, limit }) {
    const { rows } = await sql<
      DeployedUnit & { unitKey: string }
    >`select "unitKey", "unitId", descriptor, "deployedIds"
      from (select *, sum(octet_length(descriptor::text)) over (order by "unitKey"
          rows between unbounded preceding and 1 preceding) as bytes_before
        from (select u.unit_key as "unitKey", u.unit_id as "unitId", u.descriptor, ${deployedIds} as "deployedIds"
          from units u where u.environment = ${environment} and u.descriptor is not null
            and u.unit_key > ${after ?? ""} and exists (select 1 from unit_components c
              where c.environment = u.environment and c.unit_key = u.unit_key and c.status = 'DEPLOYED')
          order by u.unit_key limit ${limit}) page) sized
      where coalesce(bytes_before, 0) < ${parsedBytes} order by "unitKey"`.execute(db);
    const last = rows.at(-1)?.unitKey ?? null;
    return { units: rows.map(({ unitKey: _key, ...unit }) => unit), next: last };
  },
  async findFields({ id, environment }, fields) {
    const { rows } = await sql<{ found: object }>`select coalesce((select json_object_agg(key, value)
        from json_each(u.descriptor) where key = any(${[...fields]}::text[])), '{}') as found
      ${withId(id, environment)} order by u.unit_key`.execute(db);
    return rows.map(({ found }) => found);
  },
  async find({ id, environment }) {
    const { rows } =
      await sql<DeployedUnit>`select u.unit_id as "unitId", u.descriptor, ${deployedIds} as "deployedIds"
      ${withId(id, environment)} order by u.unit_key <> ${id.toLowerCase()} limit 1`.execute(db);
    return rows[0] ?? null;
  },
});

/** Units with this id, or in which a component with this id is deployed. */
function withId(id: string, environment: string): Sql {
  const key = id.toLowerCase();
  return sql`from units u where u.environment = ${environment} and u.descriptor is not null
    and (u.unit_key = ${key} or u.unit_key in (select c.unit_key from unit_components c
      where c.component_key = ${key} and c.environment = ${environment} and c.status = 'DEPLOYED'))`;
}
