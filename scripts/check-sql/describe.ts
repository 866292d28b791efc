/** What the database says of a statement: the columns that it returns, with their types, and which can be null. */
import type pg from "pg";
import { isNode, nodesIn, parseTree, type TreeNode } from "./node-tree.ts";
import { columnsOf, isNeverNull, type Catalogue, type Nullability } from "./nullability.ts";

export interface Column {
  name: string;
  type: ColumnType;
  nullability: Nullability;
}

export interface ColumnType {
  id: number;
  name: string;
  /** For an array the type of its items. */
  item: ColumnType | null;
}

export type Description =
  | { is: "columns"; columns: Column[] }
  /** What the database can't prepare: LOCK, SET, … */
  | { is: "utility" }
  | { is: "refused"; message: string };

export interface Describer {
  /** Without `withColumns` it is only prepared: the database knows its tables and columns, and its types agree. */
  describe(text: string, options: { withColumns: boolean }): Promise<Description>;
}

/** Statements that PostgreSQL prepares. */
const preparable = /^\s*(?:select|with|insert|update|delete|merge|values)\b/i;

export async function createDescriber(client: pg.Client): Promise<Describer> {
  // What an earlier check has left on the connection goes; nothing that is written here has to survive.
  await client.query("discard all");
  await client.query("set synchronous_commit = off");
  const catalogue = await readCatalogue(client);
  const types = await readTypes(client);
  let number = 0;
  return {
    async describe(text, { withColumns }) {
      if (!preparable.test(text)) return { is: "utility" };
      const name = `checked_${number++}`;
      try {
        await client.query(`prepare ${name} as ${text}`);
        if (!withColumns) return { is: "columns", columns: [] };
        const { rows } = await client.query<{ parameters: string; results: number[] }>(
          `select array_to_string(parameter_types, ',') as parameters, coalesce(result_types, '{}')::oid[] as results
          from pg_prepared_statements where name = $1`,
          [name],
        );
        const results = rows[0]?.results ?? [];
        if (results.length === 0) return { is: "columns", columns: [] };
        const query = await analyse(client, { name, text, parameters: rows[0]?.parameters ?? "" });
        const columns = columnsOf(query, catalogue).map((column, index): Column => {
          const id = results[index] ?? 0;
          return { ...column, type: types.get(id) ?? { id, name: `type ${id}`, item: null } };
        });
        return { is: "columns", columns };
      } catch (error) {
        return { is: "refused", message: error instanceof Error ? error.message : String(error) };
      } finally {
        // The view of prepared statements makes a row of each, whichever is asked for.
        await client.query("deallocate all");
      }
    },
  };
}

/** The analysed form of a statement: the database stores it for a function that has the statement as its body. */
async function analyse(
  client: pg.Client,
  { name, text, parameters }: { name: string; text: string; parameters: string },
): Promise<TreeNode> {
  await client.query(
    `create function pg_temp.${name}(${parameters}) returns void language sql begin atomic ${text}; end`,
  );
  const { rows } = await client.query<{ body: string }>(
    "select prosqlbody::text as body from pg_proc where proname = $1 and pronamespace = pg_my_temp_schema()",
    [name],
  );
  const tree = parseTree(rows[0]?.body ?? "");
  const [query] = nodesIn(Array.isArray(tree) ? tree[0] : undefined);
  if (!isNode(query) || query.is !== "QUERY")
    throw new Error("The database gave no query for the statement.");
  return query;
}

/** Operators that give a value for values. */
const totalOperators = "= <> < > <= >= + - * / % || ~~ !~~ ~~* !~~* ~ ~* !~ !~* && @> <@ ? ?| ?&".split(" ");

/** Functions that do. */
const totalFunctions = [
  ..."lower upper length octet_length substr left right btrim replace md5 date_trunc to_char extract encode".split(
    " ",
  ),
  ..."decode split_part array_to_string timezone jsonb_array_length to_json to_jsonb row_to_json pg_snapshot_xmin pg_snapshot_xmax".split(
    " ",
  ),
];

const neverNullFunctions = [
  ..."count now clock_timestamp json_build_object json_build_array jsonb_build_object jsonb_build_array".split(
    " ",
  ),
  ..."concat row_number rank dense_rank gen_random_uuid current_database pg_current_snapshot pg_notify".split(
    " ",
  ),
  ..."random pg_advisory_xact_lock pg_try_advisory_lock pg_try_advisory_xact_lock".split(" "),
];

async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const idsOf = async (text: string, values: unknown[] = []): Promise<Set<string>> => {
    const { rows } = await client.query<{ id: string }>(text, values);
    return new Set(rows.map(({ id }) => id));
  };
  const notNull = await idsOf(
    "select concat_ws('.', attrelid, attnum) as id from pg_attribute where attnotnull and attnum > 0",
  );
  const strict = await idsOf("select oid::text as id from pg_proc where proisstrict");
  const total = await idsOf(
    `select oprcode::oid::text as id from pg_operator where oprname = any($1)
    union select castfunc::text from pg_cast
    union select oid::text from pg_proc where proname = any($2)`,
    [totalOperators, totalFunctions],
  );
  const neverNull = await idsOf("select oid::text as id from pg_proc where proname = any($1)", [
    neverNullFunctions,
  ]);
  const catalogue = { notNull, strict, total, neverNull, views: await idsOf(views) };
  // A generated column is null only where the columns that it is made of are.
  const { rows } = await client.query<{ table: string; column: number; expression: string }>(
    `select a.attrelid::text as table, a.attnum as column, d.adbin::text as expression
    from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where a.attgenerated <> ''`,
  );
  for (const { table, column, expression } of rows)
    if (isNeverNull(parseTree(expression), table, catalogue)) notNull.add(`${table}.${column}`);
  return catalogue;
}

const views = "select oid::text as id from pg_class where relkind not in ('r', 'p')";

async function readTypes(client: pg.Client): Promise<Map<number, ColumnType>> {
  const { rows } = await client.query<{ id: number; name: string; item: number }>(
    `select oid as id, typname as name, case when typcategory = 'A' then typelem else 0 end as item from pg_type`,
  );
  const types = new Map(rows.map(({ id, name }): [number, ColumnType] => [id, { id, name, item: null }]));
  for (const { id, item } of rows) {
    const type = types.get(id);
    if (type !== undefined) type.item = types.get(item) ?? null;
  }
  return types;
}
