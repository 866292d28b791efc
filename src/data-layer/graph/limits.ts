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
  valueFromASTUntyped,
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
  /** Of what is there once for a list, however long its page is. */
  onceCost: number;
  /** Fields that ask for the schema itself. */
  introspections: number;
}

export interface Measured {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Readonly<Record<string, unknown>>;
  limits: Limits;
}

interface Walk extends Measured {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** By the name of the fragment; undefined while it is being measured. */
  sizes: Map<string, Size | undefined>;
  /** Values of the operation's variables. */
  values: Record<string, unknown>;
  found: Excess[];
}

const nothing: Size = { depth: 0, aliases: 0, fields: 0, cost: 0, onceCost: 0, introspections: 0 };

/** What a list's `totalCount` costs: the database counts all of its rows. */
const countCost = 50;
/** Deepest introspection; the standard one has 15 levels. */
const maxIntrospectionDepth = 20;
/** Values of one argument that is a list. */
const maxListLength = 20;
/** Lists and objects inside of each other in one argument. */
const maxValueDepth = 10;
/** Characters of a text in an argument that cost as much as a field. */
const textOfCost = 500;

export interface Measurement {
  /** Everything that is too much in the largest operation of the document; an empty list where it may be executed. */
  excess: Excess[];
  /** Whether an operation of it asks for the schema itself. */
  isIntrospection: boolean;
}

export function measureDocument(measured: Measured): Measurement {
  const { document, schema, limits } = measured;
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
  }
  const walk: Walk = { ...measured, fragments, sizes: new Map(), values: {}, found: [] };
  let size = nothing;
  for (const operation of operations) {
    walk.values = valuesOf(operation, measured.variables);
    // Defaults differ between operations, and with them the pages inside of fragments.
    walk.sizes = new Map();
    size = larger(
      size,
      sizeOf(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, walk),
    );
  }
  return {
    excess: [...excessOf(size, limits), ...walk.found.slice(0, maxFound)],
    isIntrospection: size.introspections > 0,
  };
}

/** What variables have, or their defaults. Without a prototype, since a variable may have any name. */
export function valuesOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Measured["variables"],
): Record<string, unknown> {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
  );
  return Object.assign(Object.create(null), Object.fromEntries(defaults), variables);
}

function excessOf(size: Size, limits: Limits): Excess[] {
  const over = (code: Excess["code"], is: number, max: number, what: string): Excess[] =>
    is > max ? [{ code, message: `The query has ${shown(is)} ${what}; ${max} are allowed.` }] : [];
  return [
    ...over("GRAPHQL_DEPTH", size.depth, limits.depth, "levels of nested fields"),
    ...over("GRAPHQL_ALIASES", size.aliases, limits.aliases, "aliases"),
    ...over("GRAPHQL_COST", size.fields, limits.fields, "fields"),
    ...over("GRAPHQL_COST", size.cost, limits.cost, "objects and fields that it can return"),
    ...over("GRAPHQL_COST", size.introspections, 1, "introspections"),
  ];
}

const maxFound = 10;
const shown = (count: number): string => (count > 1e9 ? "more than a billion" : String(count));

const larger = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  aliases: Math.max(one.aliases, other.aliases),
  fields: Math.max(one.fields, other.fields),
  cost: Math.max(one.cost, other.cost),
  onceCost: Math.max(one.onceCost, other.onceCost),
  introspections: Math.max(one.introspections, other.introspections),
});

const together = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  aliases: one.aliases + other.aliases,
  fields: one.fields + other.fields,
  cost: one.cost + other.cost,
  onceCost: one.onceCost + other.onceCost,
  introspections: one.introspections + other.introspections,
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
  const field = fieldOf(node.name.value, type, walk.schema);
  const given = field === undefined ? 0 : costOfArguments(node, field, walk);
  const rows = field === undefined ? 1 : rowsOf(node, field, walk);
  if (node.selectionSet === undefined) {
    const isCount = node.name.value === "totalCount" && fieldOf("pageInfo", type, walk.schema) !== undefined;
    return { ...nothing, depth: 1, aliases, fields: 1, cost: 1 + given, onceCost: isCount ? countCost : 0 };
  }
  const inner = sizeOf(node.selectionSet, field && getNamedType(field.type), walk);
  const size = { ...inner, aliases: inner.aliases + aliases, fields: inner.fields + 1, onceCost: 0 };
  if (field !== undefined && field === metaFields.get(field.name)) return introspectionSize(size, walk);
  return { ...size, depth: inner.depth + 1, cost: 1 + given + rows * inner.cost + inner.onceCost };
}

/** How large its answer is is counted once the document is known to be valid; it may be deeper than a query of data. */
function introspectionSize(size: Size, { found }: Walk): Size {
  if (size.depth >= maxIntrospectionDepth)
    found.push({
      code: "GRAPHQL_DEPTH",
      message: `The introspection has more than ${maxIntrospectionDepth} levels of nested fields.`,
    });
  return { ...size, depth: 1, cost: 1, introspections: size.introspections + 1 };
}

export type AnyField = GraphQLField<unknown, unknown>;

/** What a query asks for the schema itself with. */
export const metaFields: ReadonlyMap<string, AnyField> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

export function fieldOf(
  name: string,
  type: GraphQLNamedType | undefined,
  schema: GraphQLSchema,
): AnyField | undefined {
  const meta = type === schema.getQueryType() ? metaFields.get(name) : undefined;
  if (meta !== undefined) return meta;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}

/** How many objects a list can have. The two lists of a connection, `nodes` and `edges`, are as long as its page. */
function rowsOf(node: FieldNode, field: AnyField, walk: Walk): number {
  if (!field.args.some(({ name }) => name === "first")) return 1;
  const { page, offset } = walk.limits;
  const given = (name: string): unknown => argumentOf(node, name, walk);
  const say = (message: string): void =>
    void walk.found.push({ code: "GRAPHQL_PAGE", message: `${node.name.value} ${message}.` });
  const skipped = given("offset") ?? 0;
  if (typeof skipped === "number" && skipped < 0) say("has an offset that is no number of rows");
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

/** The value of an argument, with those of its variables; undefined where it is not given. */
function argumentOf(node: FieldNode, name: string, { values }: Walk): unknown {
  const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
  return value === undefined ? undefined : valueFromASTUntyped(value, values);
}

/** What the values of the arguments cost, whether they are in the document or in variables. */
function costOfArguments(node: FieldNode, { args }: AnyField, walk: Walk): number {
  let cost = 0;
  for (const { name } of args) {
    const value = argumentOf(node, name, walk);
    if (value === undefined) continue;
    const say = (message: string): void =>
      void walk.found.push({ code: "GRAPHQL_COST", message: `${name} of ${node.name.value} ${message}.` });
    if (Array.isArray(value) && value.length > maxListLength)
      say(`has ${value.length} values; ${maxListLength} are allowed`);
    else if (name === "orderBy" && Array.isArray(value) && new Set(value).size < value.length)
      say("has a value twice");
    const of = costOfValue(value, walk.limits.cost);
    if (of === null) say(`has more than ${maxValueDepth} lists or objects inside of each other`);
    cost += of ?? 0;
  }
  return cost;
}

/** How many values it has inside, and its texts; not counted on far above `most`. Null where it is too deep. */
function costOfValue(value: unknown, most: number): number | null {
  let cost = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0 && cost <= most; depth += 1) {
    if (depth > maxValueDepth) return null;
    const inner: unknown[] = [];
    for (const each of level) {
      if (typeof each === "string") cost += Math.floor(each.length / textOfCost);
      // Not spread into a call: a list may have more values than a call can have arguments.
      else if (typeof each === "object" && each !== null)
        for (const one of Object.values(each)) inner.push(one);
    }
    cost += inner.length;
    level = inner;
  }
  return cost;
}
