/**
 * Pure: what a document asks for, measured before anything is validated or planned. Fragments are measured once each and
 * counted at every place, so a document that multiplies itself by fragments takes no longer than any other.
 */
import {
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  valueFromAST,
  GraphQLInt,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "grafast/graphql";

export interface Limits {
  depth: number;
  aliases: number;
  fields: number;
  cost: number;
  page: number;
  offset: number;
}

export interface Excess {
  code: "GRAPHQL_DEPTH" | "GRAPHQL_ALIASES" | "GRAPHQL_COST" | "GRAPHQL_PAGE";
  message: string;
}

interface Size {
  depth: number;
  aliases: number;
  fields: number;
  cost: number;
}

export interface Measured {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Readonly<Record<string, unknown>>;
  limits: Limits;
}

interface Walk extends Measured {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** By fragment and the type that it is applied to; undefined while it is being measured. */
  sizes: Map<string, Size | undefined>;
  defaults: Map<string, unknown>;
  pages: string[];
}

const nothing: Size = { depth: 0, aliases: 0, fields: 0, cost: 0 };

/** Everything that is too much in the largest operation of the document; an empty list where it may be executed. */
export function findExcess(measured: Measured): Excess[] {
  const { document, schema, limits } = measured;
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const walk: Walk = { ...measured, fragments, sizes: new Map(), defaults: new Map(), pages: [] };
  let size = nothing;
  for (const operation of operations) {
    walk.defaults = new Map(
      (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
        variable.name.value,
        defaultValue === undefined ? undefined : (valueFromAST(defaultValue, GraphQLInt) ?? undefined),
      ]),
    );
    // Defaults differ between operations, and with them the pages inside of fragments.
    walk.sizes = new Map();
    size = larger(
      size,
      sizeOf(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, walk),
    );
  }
  return excessOf(size, walk.pages, limits);
}

function excessOf(size: Size, pages: readonly string[], limits: Limits): Excess[] {
  const over = (code: Excess["code"], is: number, max: number, what: string): Excess[] =>
    is > max ? [{ code, message: `The query has ${shown(is)} ${what}; ${max} are allowed.` }] : [];
  return [
    ...over("GRAPHQL_DEPTH", size.depth, limits.depth, "levels of nested fields"),
    ...over("GRAPHQL_ALIASES", size.aliases, limits.aliases, "aliases"),
    ...over("GRAPHQL_COST", size.fields, limits.fields, "fields"),
    ...over("GRAPHQL_COST", size.cost, limits.cost, "objects and fields that it can return"),
    ...pages.slice(0, maxPages).map((message): Excess => ({ code: "GRAPHQL_PAGE", message })),
  ];
}

const maxPages = 10;
const shown = (count: number): string => (count > 1e9 ? "more than a billion" : String(count));

const larger = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  aliases: Math.max(one.aliases, other.aliases),
  fields: Math.max(one.fields, other.fields),
  cost: Math.max(one.cost, other.cost),
});

const together = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  aliases: one.aliases + other.aliases,
  fields: one.fields + other.fields,
  cost: one.cost + other.cost,
});

function sizeOf({ selections }: SelectionSetNode, type: GraphQLNamedType | undefined, walk: Walk): Size {
  let size = nothing;
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) size = together(size, fieldSize(selection, type, walk));
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition?.name.value;
      const inner = condition === undefined ? type : walk.schema.getType(condition);
      size = together(size, sizeOf(selection.selectionSet, inner, walk));
    } else size = together(size, fragmentSize(selection.name.value, walk));
  }
  return size;
}

/** A fragment that is missing, or contains itself, counts as nothing: the validation refuses it afterwards. */
function fragmentSize(name: string, walk: Walk): Size {
  const { fragments, sizes, schema } = walk;
  const fragment = fragments.get(name);
  if (fragment === undefined) return nothing;
  if (sizes.has(name)) return sizes.get(name) ?? nothing;
  sizes.set(name, undefined);
  const size = sizeOf(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value), walk);
  sizes.set(name, size);
  return size;
}

function fieldSize(node: FieldNode, type: GraphQLNamedType | undefined, walk: Walk): Size {
  const aliases = node.alias === undefined ? 0 : 1;
  const field = fieldOf(node.name.value, type, walk);
  const rows = field === undefined ? 1 : rowsOf(node, field, walk);
  if (node.selectionSet === undefined) return { depth: 1, aliases, fields: 1, cost: 1 };
  const inner = sizeOf(node.selectionSet, field && getNamedType(field.type), walk);
  return {
    depth: inner.depth + 1,
    aliases: inner.aliases + aliases,
    fields: inner.fields + 1,
    cost: 1 + rows * inner.cost,
  };
}

type AnyField = GraphQLField<unknown, unknown>;

function fieldOf(name: string, type: GraphQLNamedType | undefined, { schema }: Walk): AnyField | undefined {
  if (name === SchemaMetaFieldDef.name && type === schema.getQueryType()) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name && type === schema.getQueryType()) return TypeMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** How many objects a list can have. The two lists of a connection, `nodes` and `edges`, are as long as its page. */
function rowsOf(node: FieldNode, field: AnyField, walk: Walk): number {
  if (!field.args.some(({ name }) => name === "first")) return 1;
  const { page, offset } = walk.limits;
  const given = (name: string): unknown => argumentOf(node, name, walk);
  const say = (message: string): void => void walk.pages.push(`${node.name.value} ${message}.`);
  const skipped = given("offset") ?? 0;
  if (typeof skipped === "number" && skipped > offset)
    say(`has an offset of ${skipped}; ${offset} is the highest`);
  const sizes = [given("first"), given("last")].filter((size) => size !== undefined && size !== null);
  if (sizes.length === 0) say(`has neither first nor last; give one of at most ${page}`);
  let rows = 0;
  for (const size of sizes) {
    if (typeof size !== "number" || !Number.isInteger(size) || size < 0)
      say("has a page that is no number of rows");
    else if (size > page) say(`has a page of ${size}; ${page} is the highest`);
    else rows = Math.max(rows, size);
  }
  return Math.max(rows, 1);
}

/** The value of an argument, with that of its variable; undefined where it is not given. */
function argumentOf(node: FieldNode, name: string, { variables, defaults }: Walk): unknown {
  const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
  if (value === undefined) return undefined;
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.NULL) return null;
  if (value.kind !== Kind.VARIABLE) return Number.NaN;
  const key = value.name.value;
  return Object.hasOwn(variables, key) ? variables[key] : defaults.get(key);
}
