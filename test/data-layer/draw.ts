/** Draws queries: a shape, and values for its variables. */
import { pick } from "./records.ts";
import { tables, type Row, type Selection, type TableName } from "./model.ts";

type Random = () => number;

/** Rows to take values of conditions from, so that most of them find something. */
type Seen = Record<TableName, Row[]>;

export interface Drawn {
  text: string;
  variables: Record<string, unknown>;
  selection: Selection;
}

/** The same shape with other values gives the same text, as clients send it. */
export function drawQueries(random: Random, seen: Seen, perShape: number): Drawn[] {
  const shape = drawSelection(random, pick(random, Object.keys(tables) as TableName[]), 3);
  return Array.from({ length: perShape }, () => {
    const selection = withValues(random, shape, seen);
    return { ...textOf(selection), selection };
  });
}

function drawSelection(random: Random, name: TableName, levels: number, isSingle = false): Selection {
  const table = tables[name];
  const fields = table.columns.filter(() => random() < 0.5);
  const related: Selection["related"] = {};
  for (const [field, relation] of Object.entries(table.relations))
    if (levels > 1 && random() < 0.6)
      related[field] = drawSelection(random, relation.to, levels - 1, relation.isSingle);
  const page = pick(random, [{ first: 1 }, { first: 1, offset: 1 }, { last: 1 }]);
  const conditions = table.columns.filter(() => random() < 0.15);
  const order = table.columns
    .filter((column) => column !== "description" && random() < 0.12)
    .map((column) => ({ column, isDescending: random() < 0.5 }));
  return {
    table: name,
    isSingle,
    fields: fields.length > 0 ? fields : [table.columns[0]!],
    related,
    page,
    condition: Object.fromEntries(conditions.map((column) => [column, null])),
    order,
    hasTotal: random() < 0.4,
  };
}

function withValues(random: Random, shape: Selection, seen: Seen, maxPage = 20): Selection {
  const rows = seen[shape.table];
  const row = rows.length > 0 ? pick(random, rows) : undefined;
  // Values of one row together find that row; of several, mostly nothing.
  const valueOf = (column: string): unknown =>
    (random() < 0.9 ? row : rows.length > 0 ? pick(random, rows) : undefined)?.[column] ?? undefined;
  const condition = Object.fromEntries(
    Object.keys(shape.condition).flatMap((column) => {
      const value = valueOf(column);
      return value === undefined ? [] : [[column, value]];
    }),
  );
  // Three pages of 20 inside of each other cost more than is allowed.
  const size = 1 + Math.floor(random() * maxPage);
  const { page } = shape;
  return {
    ...shape,
    condition,
    page: {
      ...(page.first === undefined ? {} : { first: size }),
      ...(page.last === undefined ? {} : { last: size }),
      ...(page.offset === undefined ? {} : { offset: Math.floor(random() * 10) }),
    },
    related: Object.fromEntries(
      Object.entries(shape.related).map(([name, inner]) => [name, withValues(random, inner, seen, 6)]),
    ),
  };
}

function textOf(selection: Selection): { text: string; variables: Record<string, unknown> } {
  const variables: Record<string, unknown> = {};
  const types: string[] = [];
  const variable = (value: unknown, type: string): string => {
    const name = `v${types.length}`;
    types.push(`$${name}: ${type}`);
    variables[name] = value;
    return `$${name}`;
  };
  const bodyOf = (each: Selection): string => {
    const inner = [
      ...each.fields,
      ...Object.entries(each.related).map(([name, related]) => fieldOf(name, related)),
    ].join(" ");
    return each.isSingle ? `{ ${inner} }` : `{ ${each.hasTotal ? "totalCount " : ""}nodes { ${inner} } }`;
  };
  const fieldOf = (name: string, each: Selection): string => {
    if (each.isSingle) return `${name} ${bodyOf(each)}`;
    const pages = Object.entries(each.page).map(([key, size]) => `${key}: ${variable(size, "Int")}`);
    const conditions = Object.entries(each.condition).map(
      ([column, value]) => `${column}: ${variable(value, typeOf(value))}`,
    );
    const parts = [
      ...pages,
      ...(conditions.length > 0 ? [`condition: {${conditions.join(", ")}}`] : []),
      ...(each.order.length > 0 ? [`orderBy: [${each.order.map(orderOf).join(", ")}, PRIMARY_KEY_ASC]`] : []),
    ];
    return `${name}(${parts.join(", ")}) ${bodyOf(each)}`;
  };
  const field = fieldOf(tables[selection.table].list, selection);
  return { text: `query (${types.join(", ")}) { ${field} }`, variables };
}

const typeOf = (value: unknown): string =>
  typeof value === "number" ? "Int" : typeof value === "boolean" ? "Boolean" : "String";

const orderOf = ({ column, isDescending }: Selection["order"][number]): string =>
  `${column.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_${isDescending ? "DESC" : "ASC"}`;
