/** Brings generated units through the migration that moves access down to consumable parts, and judges what came out. */
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { Database } from "../../src/platform/db/database.ts";
import { migrate } from "../../src/platform/db/migrations/migrate.ts";
import { migrationsFolder } from "../../src/platform/db/migrations/service.ts";
import { consumableLeaves, isConsumable, reached, types, withAll } from "./trees.ts";
import type { Tree, TreeNode } from "./trees.ts";

/** Brings an empty database to where it stood before a migration. */
export async function migrateToBefore(database: Database, judged = /_consumable\.sql$/): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "plinth-acl-"));
  try {
    const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql")).toSorted();
    const before = names.slice(
      0,
      names.findIndex((name) => judged.test(name)),
    );
    for (const name of before) await cp(join(migrationsFolder, name), join(directory, name));
    await migrate(database, { directory });
  } finally {
    await rm(directory, { recursive: true });
  }
}

const firstGrant = Date.parse("2026-01-01T00:00:00.000Z");
const grantTime = (minutes: number): string => new Date(firstGrant + minutes * 60_000).toISOString();

/** The rows of the units as programs before the migration wrote them. */
export async function storeTrees(pool: pg.Pool, trees: readonly Tree[]): Promise<void> {
  await pool.query(
    `insert into catalogue_locations (id, type, target, registered_by, created_at)
     values ('00000000-0000-4000-8000-000000000001', 'url', 'taxonomy', 'test', now()) on conflict do nothing`,
  );
  for (const [name, consumable] of Object.entries(types)) {
    const raw = { kind: "ComponentType", metadata: { name }, spec: { resourceTypeId: name, consumable } };
    await pool.query(
      `insert into catalogue_entities (uid, ref, kind, location_id, raw, processed, hash, updated_at)
       values (gen_random_uuid(), $1, 'componenttype', '00000000-0000-4000-8000-000000000001', $2, '', '', now())
       on conflict do nothing`,
      [`componenttype:default/${name}`, JSON.stringify(raw)],
    );
  }
  const components = trees.flatMap((tree) => tree.environments.flatMap((each) => componentRows(tree, each)));
  await pool.query(
    `insert into unit_components (unit_key, environment, component_key, component_id, parent_key, status,
       infrastructure_template_id, descriptor, hash, plan_id)
     select unit_key, environment, lower(id), id, parent_key, 'DEPLOYED', template, descriptor, '', 'before'
     from json_to_recordset($1) as r(unit_key text, environment text, id text, parent_key text, template text,
       descriptor json)`,
    [JSON.stringify(components)],
  );
  const grants = trees.flatMap(({ unitId, grants: given }) =>
    given.map((grant) => ({ ...grant, unit_key: unitId, granted_at: grantTime(grant.at) })),
  );
  await pool.query(
    `insert into acls (unit_key, environment, component_key, component_id, identity, request_id, granted_at)
     select unit_key, environment, lower("componentId"), "componentId", identity, 'before', granted_at
     from json_to_recordset($1) as r(unit_key text, environment text, "componentId" text, identity text,
       granted_at timestamptz)`,
    [JSON.stringify(grants)],
  );
}

/** Every subcomponent has the component as its parent, whatever it is nested in. */
const componentRows = ({ unitId, components }: Tree, environment: string): object[] =>
  components.flatMap((component) =>
    withAll(component).map((node) => ({
      unit_key: unitId,
      environment,
      id: node.id,
      parent_key: node === component ? null : component.id.toLowerCase(),
      template: node === component ? "template" : null,
      descriptor: descriptorOf(node),
    })),
  );

const descriptorOf = ({ id, children, ...more }: TreeNode, parentId = ""): object => ({
  // Some descriptors leave the ids of what is nested to be derived.
  ...(parentId !== "" && id.endsWith("S0") ? {} : { id }),
  name: id.slice(id.lastIndexOf(":") + 1),
  ...more,
  ...(children.length > 0 ? { components: children.map((child) => descriptorOf(child, id)) } : {}),
});

interface GrantRow {
  unit_key: string;
  environment: string;
  component_id: string;
  identity: string;
  granted_at: Date;
}

type Rows = Map<string, GrantRow[]>;

export interface Migrated {
  acls: Rows;
  before: Rows;
  unresolved: Rows;
}

export async function readMigrated(pool: pg.Pool): Promise<Migrated> {
  const read = async (table: string): Promise<Rows> => {
    const { rows } = await pool.query<GrantRow>(
      `select unit_key, environment, component_id, identity, granted_at from ${table}`,
    );
    return Map.groupBy(rows, (row) => row.unit_key);
  };
  return {
    acls: await read("acls"),
    before: await read("acls_before_consumable"),
    unresolved: await read("acls_unresolved"),
  };
}

const wordsOf = ({ environment, component_id, identity }: GrantRow): string =>
  `${environment} ${component_id} ${identity}`;

/** What does not hold of a unit after the migration, as sentences. */
export function faults(tree: Tree, migrated: Migrated): string[] {
  const rowsOf = (rows: Rows): GrantRow[] => rows.get(tree.unitId) ?? [];
  const acls = rowsOf(migrated.acls);
  const nodes = tree.components.flatMap(withAll);
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const found: string[] = [];
  const after = acls.map((row) => ({ ...row, componentId: row.component_id }));
  const [had, has] = [reached(tree, tree.grants), reached(tree, after)];
  if (had.join("|") !== has.join("|")) found.push(`reached ${has.join(", ")} instead of ${had.join(", ")}`);
  for (const row of acls)
    if (!isConsumable(nodeOf.get(row.component_id)!)) found.push(`${row.component_id} is not consumable`);
  const stranded = tree.grants
    .filter(({ componentId }) => consumableLeaves(nodeOf.get(componentId)!).length === 0)
    .map(({ environment, componentId, identity }) => `${environment} ${componentId} ${identity}`);
  const unresolved = rowsOf(migrated.unresolved).map(wordsOf);
  if (stranded.toSorted().join() !== unresolved.toSorted().join())
    found.push(`unresolved ${unresolved.join(", ")} instead of ${stranded.join(", ")}`);
  const expectedRows = tree.grants.map(
    ({ environment, componentId, identity }) => `${environment} ${componentId} ${identity}`,
  );
  if (expectedRows.toSorted().join() !== rowsOf(migrated.before).map(wordsOf).toSorted().join())
    found.push("the backup is not what was there");
  for (const row of acls) {
    const earliest = earliestGrant(tree, row);
    if (row.granted_at.toISOString() !== earliest) found.push(`${wordsOf(row)} is not of ${earliest}`);
  }
  return found;
}

/**
 * The earliest of all grants that moved to the component: its own, and those of nodes above it that are not
 * consumable.
 */
function earliestGrant(tree: Tree, row: GrantRow): string | undefined {
  const above = (node: TreeNode, path: TreeNode[]): TreeNode[] | undefined => {
    if (node.id === row.component_id) return path;
    for (const child of node.children) {
      const found = above(child, isConsumable(node) ? [] : [...path, node]);
      if (found) return found;
    }
    return undefined;
  };
  const sources = new Set([row.component_id]);
  for (const component of tree.components) for (const { id } of above(component, []) ?? []) sources.add(id);
  const times = tree.grants
    .filter(
      ({ environment, componentId, identity }) =>
        environment === row.environment && identity === row.identity && sources.has(componentId),
    )
    .map(({ at }) => at);
  return times.length === 0 ? undefined : grantTime(Math.min(...times));
}
