/**
 * Pure: how many values the introspection in a document has in its answer. The schema is in memory, so they are counted one by one, up
 * to a limit; what is left out by @skip and @include counts, too. The document was found valid before: its fragments are in no circle.
 */
import {
  getIntrospectionQuery,
  getNamedType,
  Kind,
  parse,
  valueFromASTUntyped,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type SelectionSetNode,
} from "grafast/graphql";
import { fieldOf, metaFields, valuesOf, type AnyField } from "./limits.ts";

interface Counting {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Values of the operation's variables. */
  values: Record<string, unknown>;
  /** Values until the count ends. */
  left: number;
}

/** Twice what the standard introspection has at most: some tools ask for a little more. */
export function mostIntrospected(schema: GraphQLSchema): number {
  const everything = getIntrospectionQuery({
    directiveIsRepeatable: true,
    inputValueDeprecation: true,
    schemaDescription: true,
    specifiedByUrl: true,
  });
  return 2 * countIntrospected(schema, parse(everything), { variables: {}, most: Number.MAX_SAFE_INTEGER });
}

/** Of all operations of the document; one more than `most` where there are more. */
export function countIntrospected(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  { variables, most }: { variables: Readonly<Record<string, unknown>>; most: number },
): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  const counting: Counting = { schema, fragments, values: {}, left: most };
  for (const each of definitions) {
    if (each.kind !== Kind.OPERATION_DEFINITION) continue;
    counting.values = valuesOf(each, variables);
    countSelections(each.selectionSet, { type: schema.getQueryType() ?? undefined }, counting);
  }
  return most - counting.left;
}

interface Place {
  type: GraphQLNamedType | undefined;
  /** What is asked of the schema; nothing where data is asked for. */
  source?: unknown;
}

function countSelections({ selections }: SelectionSetNode, place: Place, counting: Counting): void {
  for (const selection of selections) {
    if (counting.left < 0) return;
    if (selection.kind === Kind.FIELD) {
      countField(selection, place, counting);
      continue;
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : counting.fragments.get(selection.name.value);
    const condition = inner?.typeCondition?.name.value;
    const type = condition === undefined ? place.type : counting.schema.getType(condition);
    if (inner !== undefined) countSelections(inner.selectionSet, { ...place, type }, counting);
  }
}

function countField(node: FieldNode, place: Place, counting: Counting): void {
  const { selectionSet } = node;
  const field = fieldOf(node.name.value, place.type, counting.schema);
  const isMeta = place.source !== undefined || field === metaFields.get(node.name.value);
  // What a query asks for beside an introspection is measured with the limits.
  if (isMeta) counting.left -= 1;
  if (field === undefined || selectionSet === undefined) return;
  const type = getNamedType(field.type);
  if (!isMeta) return countSelections(selectionSet, { type }, counting);
  const value = valueOf(node, field, { source: place.source, counting });
  for (const source of Array.isArray(value) ? value : [value]) {
    if (counting.left < 0) return;
    if (source !== undefined && source !== null) countSelections(selectionSet, { type, source }, counting);
  }
}

/** As the library itself reads it, with what is deprecated. */
function valueOf(
  node: FieldNode,
  field: AnyField,
  { source, counting: { schema, values } }: { source: unknown; counting: Counting },
): unknown {
  const argument = node.arguments?.find(({ name }) => name.value === "name")?.value;
  const name = argument && valueFromASTUntyped(argument, values);
  // The values of variables are not checked yet: there is no type of that name, and the request is refused afterwards.
  if (argument !== undefined && typeof name !== "string") return undefined;
  const args = { includeDeprecated: true, ...(argument === undefined ? {} : { name }) };
  return field.resolve?.(source, args, undefined, { schema } as never);
}
