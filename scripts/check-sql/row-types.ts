/** The shape of a type as it is written in the sources: enough of TypeScript for rows. */
import { findBinding } from "./sources.ts";
import type { Node, Project } from "./sources.ts";

export type Shape =
  /** Fits everything: `unknown`, and what can't be read. */
  | { is: "any" }
  | {
      is: "primitive";
      name: "string" | "number" | "boolean" | "bigint" | "null" | "undefined";
      literal?: string;
    }
  | { is: "date" }
  | { is: "buffer" }
  | { is: "array"; item: () => Shape }
  /** An open object has further fields that are not named. */
  | { is: "object"; fields: ReadonlyMap<string, Field>; isOpen: boolean }
  | { is: "union"; options: readonly Shape[] };

export interface Field {
  shape: () => Shape;
  node: Node | undefined;
  isOptional: boolean;
}

type Names = ReadonlyMap<string, Shape>;

const anything: Shape = { is: "any" };
const anyObject: Shape = { is: "object", fields: new Map(), isOpen: true };
const noNames: Names = new Map();

const keywords: Record<string, Shape> = {
  TSStringKeyword: { is: "primitive", name: "string" },
  TSNumberKeyword: { is: "primitive", name: "number" },
  TSBooleanKeyword: { is: "primitive", name: "boolean" },
  TSBigIntKeyword: { is: "primitive", name: "bigint" },
  TSNullKeyword: { is: "primitive", name: "null" },
  TSUndefinedKeyword: { is: "primitive", name: "undefined" },
  TSObjectKeyword: anyObject,
  TSMappedType: anyObject,
  TSTemplateLiteralType: { is: "primitive", name: "string" },
};

export function shapeOf(project: Project, type: Node, names: Names = noNames): Shape {
  const inner = (node: Node): Shape => shapeOf(project, node, names);
  switch (type.type) {
    case "TSLiteralType":
      return literalShape(type.literal.value);
    case "TSParenthesizedType":
      return inner(type.typeAnnotation);
    case "TSTypeOperator":
      return type.operator === "keyof" ? { is: "primitive", name: "string" } : inner(type.typeAnnotation);
    case "TSArrayType":
      return { is: "array", item: () => inner(type.elementType) };
    case "TSTupleType":
      return { is: "array", item: () => ({ is: "union", options: type.elementTypes.map(inner) }) };
    case "TSUnionType":
      return { is: "union", options: type.types.map(inner) };
    case "TSIntersectionType":
      return (type.types as Node[]).map(inner).reduce(merge);
    case "TSTypeLiteral":
      return membersShape(project, type.members, names);
    case "TSIndexedAccessType":
      return indexed(inner(type.objectType), type.indexType, inner);
    case "TSTypeQuery":
      return constantShape(project, type);
    case "TSTypeReference":
      return referenceShape(project, type, names);
    default:
      return keywords[type.type] ?? anything;
  }
}

function literalShape(literal: unknown): Shape {
  if (typeof literal === "string") return { is: "primitive", name: "string", literal };
  if (typeof literal === "number") return { is: "primitive", name: "number" };
  return typeof literal === "boolean" ? { is: "primitive", name: "boolean" } : anything;
}

function membersShape(project: Project, members: readonly Node[], names: Names): Shape {
  const fields = new Map<string, Field>();
  for (const member of members) {
    if (member.type !== "TSPropertySignature") continue;
    const node: Node | undefined = member.typeAnnotation?.typeAnnotation;
    const shape = (): Shape => (node === undefined ? anything : shapeOf(project, node, names));
    fields.set(String(member.key.name ?? member.key.value), {
      shape,
      node,
      isOptional: member.optional === true,
    });
  }
  return { is: "object", fields, isOpen: members.some(({ type }) => type === "TSIndexSignature") };
}

function merge(left: Shape, right: Shape): Shape {
  if (left.is !== "object" || right.is !== "object") return left.is === "any" ? right : left;
  return {
    is: "object",
    fields: new Map([...left.fields, ...right.fields]),
    isOpen: left.isOpen || right.isOpen,
  };
}

function indexed(whole: Shape, index: Node, inner: (node: Node) => Shape): Shape {
  if (whole.is === "union") {
    return { is: "union", options: whole.options.map((each) => indexed(each, index, inner)) };
  }
  if (whole.is === "array") return whole.item();
  if (whole.is !== "object") return anything;
  const wanted = literalsOf(inner(index));
  const fields = [...whole.fields].filter(([name]) => wanted.length === 0 || wanted.includes(name));
  return { is: "union", options: fields.map(([, { shape }]) => shape()) };
}

/** `typeof statuses`, of a list of texts. */
function constantShape(project: Project, type: Node): Shape {
  const binding =
    type.exprName.name === undefined ? undefined : findBinding(project, type.exprName.name, type);
  let init: Node | undefined = binding?.is === "variable" ? binding.declarator.init : undefined;
  if (init?.type === "TSAsExpression") init = init.expression as Node;
  if (init?.type !== "ArrayExpression") return anything;
  const options = (init.elements as Node[]).map((each) => literalShape(each.value));
  return { is: "array", item: () => ({ is: "union", options }) };
}

function referenceShape(project: Project, type: Node, names: Names): Shape {
  const name: string | undefined = type.typeName.name;
  if (name === undefined) return anything;
  const args: Node[] = type.typeArguments?.params ?? [];
  const given = args.map((each) => (): Shape => shapeOf(project, each, names));
  const own = names.get(name);
  if (own !== undefined) return own;
  const binding = findBinding(project, name, type);
  if (binding?.is !== "type") return builtInShape(name, given);
  const { node } = binding;
  const params: Node[] = node.typeParameters?.params ?? [];
  const inner = new Map(
    params.map((each, index) => [each.name.name as string, given[index]?.() ?? anything]),
  );
  if (node.type === "TSTypeAliasDeclaration") return shapeOf(project, node.typeAnnotation, inner);
  if (node.type !== "TSInterfaceDeclaration") return anything;
  const bases = (node.extends as Node[]).map((each) =>
    referenceShape(project, { ...each, type: "TSTypeReference", typeName: each.expression }, inner),
  );
  return [...bases, membersShape(project, node.body.body, inner)].reduce(merge);
}

/** Types that the language and Node.js bring. */
function builtInShape(name: string, given: readonly (() => Shape)[]): Shape {
  const [first, second] = given;
  if (name === "Date") return { is: "date" };
  if (name === "Buffer" || name === "Uint8Array") return { is: "buffer" };
  if (name === "Record") return anyObject;
  if (first === undefined) return anything;
  if (name === "Array" || name === "ReadonlyArray") return { is: "array", item: first };
  if (name === "Readonly") return first();
  if (name === "NonNullable") return withoutNull(first());
  if (name === "Exclude") return excluded(first(), literalsOf(second?.() ?? anything));
  if (name === "Partial") return mapFields(first(), (field) => ({ ...field, isOptional: true }));
  if (name === "Required") return mapFields(first(), (field) => ({ ...field, isOptional: false }));
  if (name !== "Pick" && name !== "Omit") return anything;
  const named = literalsOf(second?.() ?? anything);
  return mapFields(first(), (field, each) =>
    named.includes(each) === (name === "Pick") ? field : undefined,
  );
}

function mapFields(shape: Shape, change: (field: Field, name: string) => Field | undefined): Shape {
  if (shape.is !== "object") return shape;
  const fields = new Map<string, Field>();
  for (const [name, field] of shape.fields) {
    const changed = change(field, name);
    if (changed !== undefined) fields.set(name, changed);
  }
  return { ...shape, fields };
}

/** The options of a union, those of unions within it too. */
export const optionsOf = (shape: Shape): readonly Shape[] =>
  shape.is === "union" ? shape.options.flatMap(optionsOf) : [shape];

export const isNull = (shape: Shape): boolean =>
  shape.is === "primitive" && (shape.name === "null" || shape.name === "undefined");

const withoutNull = (shape: Shape): Shape => ({
  is: "union",
  options: optionsOf(shape).filter((each) => !isNull(each)),
});

const excluded = (shape: Shape, literals: readonly string[]): Shape => ({
  is: "union",
  options: optionsOf(shape).filter(
    (each) => each.is !== "primitive" || !literals.includes(each.literal ?? ""),
  ),
});

const literalsOf = (shape: Shape): string[] =>
  optionsOf(shape).flatMap((each) =>
    each.is === "primitive" && each.literal !== undefined ? [each.literal] : [],
  );

/** The texts of a union of texts; none for any other type. */
export function stringLiterals(project: Project, type: Node): string[] {
  const shape = shapeOf(project, type);
  const literals = literalsOf(shape);
  return literals.length === optionsOf(shape).length ? literals : [];
}

/** The type of a field, where it is written. */
export function memberType(project: Project, type: Node, name: string): Node | undefined {
  const shape = shapeOf(project, type);
  return shape.is === "object" ? shape.fields.get(name)?.node : undefined;
}
