/** Whether columns of a statement can be null, as far as its analysed form and the schema say. */
import { fieldText, isNode, nodesIn } from "./node-tree.ts";
import type { Tree, TreeNode } from "./node-tree.ts";

export type Nullability = "never" | "may be" | "unknown";

/** What the catalogue of the database says. */
export interface Catalogue {
  /** `table id.column number` of columns that are NOT NULL. */
  notNull: ReadonlySet<string>;
  /** Ids of functions that give a value whenever all their arguments have one: comparisons, sums, casts, … */
  total: ReadonlySet<string>;
  /** Ids of functions that are null as soon as one argument is. */
  strict: ReadonlySet<string>;
  /** Ids of functions and aggregates that are never null. */
  neverNull: ReadonlySet<string>;
  /** Ids of relations that are no tables: nothing is known of their columns. */
  views: ReadonlySet<string>;
}

/** A query with those around it, the innermost first. */
type Queries = readonly TreeNode[];

const commandSelect = "1";

/** Nullability of the columns that the statement returns, in their order, with their names. */
export function columnsOf(
  query: TreeNode,
  catalogue: Catalogue,
): { name: string; nullability: Nullability }[] {
  return targetsOf(query).map((target, index) => ({
    name: unquoted(target["resname"]),
    nullability: columnNullability(catalogue, [query], index),
  }));
}

/** Whether an expression over the columns of one table is never null. */
export const isNeverNull = (expression: Tree, table: string, catalogue: Catalogue): boolean =>
  nullabilityOf(
    catalogue,
    [{ is: "QUERY", rtable: [{ is: "RANGETBLENTRY", rtekind: "0", relid: table }] }],
    expression,
  ) === "never";

const unquoted = (name: Tree | undefined): string =>
  typeof name === "string" ? name.replaceAll(/^"|"$/g, "").replaceAll(/\\(.)/g, "$1") : "";

const targetsOf = (query: TreeNode): TreeNode[] =>
  nodesIn(query["commandType"] === commandSelect ? query["targetList"] : query["returningList"]).filter(
    (target) => target["resjunk"] === "false",
  );

function columnNullability(catalogue: Catalogue, queries: Queries, index: number): Nullability {
  const [query] = queries;
  if (query === undefined) return "unknown";
  if (isNode(query["setOperations"]))
    return legNullability(catalogue, queries, query["setOperations"], index);
  return nullabilityOf(catalogue, queries, targetsOf(query)[index]?.["expr"]);
}

/** Nullability of a column of a union or similar: null when it may be in any part. */
function legNullability(catalogue: Catalogue, queries: Queries, leg: TreeNode, index: number): Nullability {
  if (leg.is === "SETOPERATIONSTMT") {
    const legs = [leg["larg"], leg["rarg"]].filter(isNode);
    return worst(legs.map((each) => legNullability(catalogue, queries, each, index)));
  }
  const entry = entryAt(queries[0], leg["rtindex"]);
  return entry === undefined ? "unknown" : entryNullability(catalogue, queries, entry, index + 1);
}

const worst = (all: readonly Nullability[]): Nullability => {
  if (all.includes("may be")) return "may be";
  return all.includes("unknown") ? "unknown" : "never";
};

const best = (all: readonly Nullability[]): Nullability => {
  if (all.includes("never")) return "never";
  return all.includes("unknown") ? "unknown" : "may be";
};

const entryAt = (query: TreeNode | undefined, index: Tree | undefined): TreeNode | undefined =>
  nodesIn(query?.["rtable"])[Number(index) - 1];

type Rule = (catalogue: Catalogue, queries: Queries, node: TreeNode) => Nullability;

const ofArgument =
  (field: string): Rule =>
  (catalogue, queries, node) =>
    nullabilityOf(catalogue, queries, node[field]);

const ofWorst =
  (...fields: string[]): Rule =>
  (catalogue, queries, node) =>
    worst(
      fields
        .flatMap((field) => (Array.isArray(node[field]) ? nodesIn(node[field]) : [node[field]]))
        .map((each) => nullabilityOf(catalogue, queries, each)),
    );

const never: Rule = () => "never";
const mayBe: Rule = () => "may be";

const rules: Record<string, Rule> = {
  VAR: varNullability,
  CONST: (_catalogue, _queries, node) => (node["constisnull"] === "true" ? "may be" : "never"),
  AGGREF: aggregateNullability,
  WINDOWFUNC: (catalogue, _queries, node) =>
    catalogue.neverNull.has(fieldText(node, "winfnoid")) ? "never" : "unknown",
  FUNCEXPR: (catalogue, queries, node) => callNullability(catalogue, queries, node, "funcid"),
  OPEXPR: (catalogue, queries, node) => callNullability(catalogue, queries, node, "opfuncid"),
  SCALARARRAYOPEXPR: ofWorst("args"),
  BOOLEXPR: ofWorst("args"),
  RELABELTYPE: ofArgument("arg"),
  COERCEVIAIO: ofArgument("arg"),
  ARRAYCOERCEEXPR: ofArgument("arg"),
  COERCETODOMAIN: ofArgument("arg"),
  COLLATEEXPR: ofArgument("arg"),
  CASEEXPR: (catalogue, queries, node) =>
    worst([
      ...nodesIn(node["args"]).map((when) => nullabilityOf(catalogue, queries, when["result"])),
      nullabilityOf(catalogue, queries, node["defresult"]),
    ]),
  COALESCEEXPR: coalesceNullability,
  MINMAXEXPR: (catalogue, queries, node) =>
    best(nodesIn(node["args"]).map((each) => nullabilityOf(catalogue, queries, each))),
  NULLIFEXPR: mayBe,
  NULLTEST: never,
  BOOLEANTEST: never,
  DISTINCTEXPR: never,
  SQLVALUEFUNCTION: never,
  ARRAYEXPR: never,
  ROWEXPR: never,
  NEXTVALUEEXPR: never,
  SUBLINK: sublinkNullability,
};

function nullabilityOf(catalogue: Catalogue, queries: Queries, node: Tree | undefined): Nullability {
  return isNode(node) ? (rules[node.is]?.(catalogue, queries, node) ?? "unknown") : "unknown";
}

function varNullability(catalogue: Catalogue, queries: Queries, node: TreeNode): Nullability {
  const around = queries.slice(Number(node["varlevelsup"]));
  const entry = entryAt(around[0], node["varno"]);
  if (entry === undefined || around[0] === undefined) return "unknown";
  if (notNullByConditions(catalogue, around[0]).has(keyOf(node))) return "never";
  const nulling = node["varnullingrels"];
  if (Array.isArray(nulling) && nulling.length > 1) return "may be";
  return entryNullability(catalogue, around, entry, Number(node["varattno"]));
}

/** A row of a full join has one of its sides at least, so that one of two columns is there. */
function coalesceNullability(catalogue: Catalogue, queries: Queries, node: TreeNode): Nullability {
  const args = nodesIn(node["args"]);
  const both = args.filter((each) => each.is === "VAR" && nulledByFullJoin(queries, each));
  const isOfBothSides = distinct(both, "varnullingrels") === 1 && distinct(both, "varno") > 1;
  const present = both.map((each) => nullabilityOf(catalogue, queries, { ...each, varnullingrels: [] }));
  if (isOfBothSides && worst(present) === "never") return "never";
  return best(args.map((each) => nullabilityOf(catalogue, queries, each)));
}

const distinct = (nodes: readonly TreeNode[], field: string): number =>
  new Set(nodes.map((node) => JSON.stringify(node[field]))).size;

/** By nothing else. */
function nulledByFullJoin(queries: Queries, node: TreeNode): boolean {
  const [, join, ...more] = Array.isArray(node["varnullingrels"]) ? node["varnullingrels"] : [];
  const around = queries[Number(node["varlevelsup"])];
  return more.length === 0 && entryAt(around, join)?.["jointype"] === "2";
}

const keyOf = (node: TreeNode): string => `${fieldText(node, "varno")}.${fieldText(node, "varattno")}`;

/** Nullability of a column of an entry of `from`; `column` counts from 1. */
function entryNullability(
  catalogue: Catalogue,
  queries: Queries,
  entry: TreeNode,
  column: number,
): Nullability {
  // The whole row, and columns of the system.
  if (column <= 0) return "never";
  switch (entry["rtekind"]) {
    case "0":
      if (catalogue.views.has(fieldText(entry, "relid"))) return "unknown";
      return catalogue.notNull.has(`${fieldText(entry, "relid")}.${column}`) ? "never" : "may be";
    case "1":
      return isNode(entry["subquery"])
        ? columnNullability(catalogue, [entry["subquery"], ...queries], column - 1)
        : "unknown";
    case "2":
      return nullabilityOf(catalogue, queries, nodesIn(entry["joinaliasvars"])[column - 1]);
    case "5":
      return worst(
        (Array.isArray(entry["values_lists"]) ? entry["values_lists"] : []).map((row) =>
          nullabilityOf(catalogue, queries, Array.isArray(row) ? row[column - 1] : undefined),
        ),
      );
    case "6":
      return withNullability(catalogue, queries, entry, column);
    case "9":
      return nullabilityOf(catalogue, queries, nodesIn(entry["groupexprs"])[column - 1]);
    default:
      return "unknown";
  }
}

/** Nullability of a column of a query in `with`. */
function withNullability(
  catalogue: Catalogue,
  queries: Queries,
  entry: TreeNode,
  column: number,
): Nullability {
  // What a recursive query reads of itself adds nothing to what its other leg is.
  if (entry["self_reference"] === "true") return "never";
  const around = queries.slice(Number(entry["ctelevelsup"]));
  const named = nodesIn(around[0]?.["cteList"]).find((each) => each["ctename"] === entry["ctename"]);
  const query = named?.["ctequery"];
  return isNode(query) ? columnNullability(catalogue, [query, ...around], column - 1) : "unknown";
}

function callNullability(catalogue: Catalogue, queries: Queries, node: TreeNode, field: string): Nullability {
  const id = fieldText(node, field);
  if (catalogue.neverNull.has(id)) return "never";
  const args = nodesIn(node["args"]).map((each) => nullabilityOf(catalogue, queries, each));
  const all = worst(args);
  if (all === "may be") return catalogue.strict.has(id) ? "may be" : "unknown";
  return all === "never" && catalogue.total.has(id) ? "never" : "unknown";
}

/** Without a group there may be no row to aggregate; a filter may leave none of a group. */
function aggregateNullability(catalogue: Catalogue, queries: Queries, node: TreeNode): Nullability {
  if (catalogue.neverNull.has(fieldText(node, "aggfnoid"))) return "never";
  const isGrouped =
    Array.isArray(queries[0]?.["groupClause"]) && !Array.isArray(queries[0]?.["groupingSets"]);
  if (!isGrouped || isNode(node["aggfilter"])) return "may be";
  const args = nodesIn(node["args"]).map((target) => nullabilityOf(catalogue, queries, target["expr"]));
  return worst(args);
}

const [existsLink, scalarLink, arrayLink] = ["0", "4", "6"];

function sublinkNullability(catalogue: Catalogue, queries: Queries, node: TreeNode): Nullability {
  const query = node["subselect"];
  const kind = node["subLinkType"];
  if (kind === existsLink || kind === arrayLink) return "never";
  if (kind !== scalarLink || !isNode(query)) return "unknown";
  // Only an aggregate without groups always has a row.
  const hasRow =
    query["hasAggs"] === "true" && !Array.isArray(query["groupClause"]) && !isNode(query["havingQual"]);
  return hasRow ? columnNullability(catalogue, [query, ...queries], 0) : "may be";
}

/** Columns that the conditions of the query let through only with a value, as `table.column`. */
function notNullByConditions(catalogue: Catalogue, query: TreeNode): Set<string> {
  const found = new Set<string>();
  const addOf = (from: TreeNode): void => {
    const kind = from["jointype"];
    const isJoin = from.is === "JOINEXPR";
    if (!isJoin || kind === "0") addCondition(catalogue, from["quals"], found);
    if (from.is === "FROMEXPR") nodesIn(from["fromlist"]).forEach(addOf);
    if (!isJoin) return;
    if (isNode(from["larg"]) && (kind === "0" || kind === "1")) addOf(from["larg"]);
    if (isNode(from["rarg"]) && (kind === "0" || kind === "3")) addOf(from["rarg"]);
  };
  if (isNode(query["jointree"])) addOf(query["jointree"]);
  return found;
}

const isAnd = (node: TreeNode): boolean => node.is === "BOOLEXPR" && node["boolop"] === "and";

function addCondition(catalogue: Catalogue, condition: Tree | undefined, found: Set<string>): void {
  if (Array.isArray(condition)) condition.forEach((each) => addCondition(catalogue, each, found));
  if (!isNode(condition)) return;
  if (isAnd(condition)) addCondition(catalogue, condition["args"], found);
  if (condition.is === "NULLTEST" && condition["nulltesttype"] === "1")
    addStrict(catalogue, condition["arg"], found);
  if (condition.is === "OPEXPR" || condition.is === "SCALARARRAYOPEXPR")
    addStrict(catalogue, condition, found);
  if (condition.is === "VAR") addStrict(catalogue, condition, found);
}

/** Columns without which the expression would be null. */
function addStrict(catalogue: Catalogue, node: Tree | undefined, found: Set<string>): void {
  if (!isNode(node)) return;
  if (node.is === "VAR" && node["varlevelsup"] === "0") found.add(keyOf(node));
  if (node.is === "RELABELTYPE") addStrict(catalogue, node["arg"], found);
  const id = fieldText(node, "opfuncid") || fieldText(node, "funcid");
  const isCall = node.is === "OPEXPR" || node.is === "FUNCEXPR";
  if (isCall && catalogue.strict.has(id))
    nodesIn(node["args"]).forEach((each) => addStrict(catalogue, each, found));
  if (node.is === "SCALARARRAYOPEXPR") addStrict(catalogue, nodesIn(node["args"])[0], found);
}
