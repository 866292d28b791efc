/**
 * Reads what SQL an expression of the sources stands for, without running it: templates, and the constants, helper
 * functions, lists and conditions that they are put together from. What is known only at run time is a parameter.
 */
import { deepest, evaluateName } from "./names.ts";
import { placeOf, textOf } from "./sources.ts";
import type { Node, Project } from "./sources.ts";
import {
  append,
  asSql,
  asText,
  choiceOf,
  emptyScope,
  fieldOf,
  holdsSql,
  itemAt,
  nothing,
  textValue,
  value,
} from "./values.ts";
import type { Part, Scope, State, Value } from "./values.ts";

export interface Reader {
  read(node: Node): Value;
  /** The templates that were read so far. */
  seen: ReadonlySet<Node>;
}

export function createReader(project: Project): Reader {
  const state: State = { project, seen: new Set(), stack: [], evaluate };
  return { seen: state.seen, read: (node) => evaluate(state, node, emptyScope) };
}

function evaluate(state: State, node: Node, scope: Scope): Value {
  switch (node.type) {
    case "TaggedTemplateExpression":
      return evaluateTagged(state, node, scope);
    case "Literal":
      if (node.value === null) return nothing;
      return ["string", "number"].includes(typeof node.value) ? textValue(String(node.value)) : value;
    case "TemplateLiteral":
      return evaluateText(state, node, scope);
    case "BinaryExpression":
      return evaluateSum(state, node, scope);
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
      return evaluate(state, node.expression, scope);
    case "ConditionalExpression": {
      const then = evaluate(state, node.consequent, scope);
      return choiceOf(node.test, then, evaluate(state, node.alternate, scope));
    }
    case "LogicalExpression":
      return evaluateLogical(state, node, scope);
    case "ArrayExpression":
      return evaluateArray(state, node.elements, scope);
    case "ObjectExpression":
      return evaluateObject(state, node, scope);
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "FunctionDeclaration":
      return { is: "function", node, scope };
    case "Identifier":
      return evaluateName(state, node, scope);
    case "MemberExpression":
      return evaluateMember(state, node, scope);
    case "CallExpression":
      return evaluateCall(state, node, scope);
    default:
      return value;
  }
}

function evaluateTagged(state: State, node: Node, scope: Scope): Value {
  if (node.tag.name !== "sql")
    return textOf(node.tag) === "String.raw" ? evaluateText(state, node.quasi, scope) : value;
  state.seen.add(node);
  const parts = interleave(node.quasi, (each) => asSql(evaluate(state, each, scope)));
  return { is: "sql", parts, claim: node.typeArguments?.params[0] ?? null };
}

const interleave = (template: Node, partsOf: (expression: Node) => Part[]): Part[] =>
  (template.quasis as Node[]).flatMap((quasi, index) => {
    const expression: Node | undefined = template.expressions[index];
    return [quasi.value.cooked as string, ...(expression === undefined ? [] : partsOf(expression))];
  });

function evaluateText(state: State, template: Node, scope: Scope): Value {
  const texts = (template.expressions as Node[]).map((each) => asText(state, evaluate(state, each, scope)));
  if (texts.includes(undefined)) return value;
  return {
    is: "text",
    parts: interleave(template, (each) => texts[template.expressions.indexOf(each)] ?? []),
  };
}

function evaluateSum(state: State, node: Node, scope: Scope): Value {
  if (node.operator !== "+") return value;
  const left = asText(state, evaluate(state, node.left, scope));
  const right = left && asText(state, evaluate(state, node.right, scope));
  return right === undefined ? value : { is: "text", parts: [...(left ?? []), ...right] };
}

function evaluateLogical(state: State, node: Node, scope: Scope): Value {
  const left = evaluate(state, node.left, scope);
  const right = evaluate(state, node.right, scope);
  if (node.operator === "&&") return choiceOf(node.left, right, nothing);
  if (left.is === "nothing") return right;
  if (left.is === "choice") {
    return { ...left, options: left.options.map((each) => (each.is === "nothing" ? right : each)) };
  }
  return holdsSql(left) || holdsSql(right) || asText(state, right) ? choiceOf(node.left, left, right) : left;
}

function evaluateArray(state: State, elements: readonly Node[], scope: Scope): Value {
  return elements.reduce(
    (list: Value, element): Value => {
      if (element.type !== "SpreadElement")
        return append(list, { is: "list", items: [evaluate(state, element, scope)] });
      return append(list, evaluate(state, element.argument, scope));
    },
    { is: "list", items: [] },
  );
}

function evaluateObject(state: State, node: Node, scope: Scope): Value {
  let choice: Extract<Value, { is: "choice" }> | undefined;
  const fields = new Map<string, () => Value>();
  for (const property of node.properties as Node[]) {
    if (property.type === "SpreadElement") {
      const spread = evaluate(state, property.argument, scope);
      if (spread.is === "object") for (const [name, each] of spread.fields) fields.set(name, each);
      if (spread.is === "choice") choice = spread;
      continue;
    }
    const name: string | undefined = property.key.name ?? property.key.value;
    if (name !== undefined) fields.set(name, () => evaluate(state, property.value, scope));
  }
  if (choice === undefined) return { is: "object", fields };
  const options = choice.options.map((each): Value => {
    if (each.is !== "object") return value;
    return { is: "object", fields: new Map([...each.fields, ...fields]) };
  });
  return { ...choice, options };
}

function evaluateMember(state: State, node: Node, scope: Scope): Value {
  const name: string = node.property.name;
  if (!node.computed && name === "text" && node.object.callee?.property?.name === "compile") {
    const compiled = evaluate(state, node.object.callee.object, scope);
    return compiled.is === "sql" ? { is: "text", parts: compiled.parts } : value;
  }
  const object = evaluate(state, node.object, scope);
  if (!node.computed) return fieldOf(state, object, name);
  const [index, ...more] = asText(state, evaluate(state, node.property, scope)) ?? [];
  if (typeof index === "string" && more.length === 0) {
    return object.is === "list" ? itemAt(object, Number(index)) : fieldOf(state, object, index);
  }
  const key = textOf(node.property);
  if (object.is === "object")
    return { is: "choice", key, options: [...object.fields.values()].map((each) => each()) };
  return object.is === "list" ? { is: "choice", key, options: object.items } : value;
}

function evaluateCall(state: State, node: Node, scope: Scope): Value {
  const callee: Node = node.callee;
  if (callee.type === "MemberExpression" && callee.object.name === "sql")
    return evaluateSqlCall(state, node, scope);
  if (callee.type === "MemberExpression" && !callee.computed) {
    const method = evaluateMethod(state, node, scope);
    if (method !== undefined) return method;
  }
  const called = evaluate(state, callee, scope);
  const args = (node.arguments as Node[]).map((each) => evaluate(state, each, scope));
  return called.is === "function" ? callFunction(state, called, args) : value;
}

/** Methods of lists, whatever they are called on otherwise. */
function evaluateMethod(state: State, node: Node, scope: Scope): Value | undefined {
  const name: string = node.callee.property.name;
  if (["filter", "slice", "toSorted", "toReversed"].includes(name))
    return evaluate(state, node.callee.object, scope);
  if (name === "map") return evaluateMap(state, node, scope);
  if (name !== "join") return undefined;
  const list = evaluate(state, node.callee.object, scope);
  const separator = node.arguments[0] ? asText(state, evaluate(state, node.arguments[0], scope)) : [","];
  const texts = list.is === "list" ? list.items.map((each) => asText(state, each)) : [undefined];
  if (separator === undefined || texts.includes(undefined)) return value;
  return {
    is: "text",
    parts: texts.flatMap((each, index) => [...(index > 0 ? separator : []), ...(each ?? [])]),
  };
}

/** A list that is known only at run time is evaluated with one item for all. */
function evaluateMap(state: State, node: Node, scope: Scope): Value {
  const callback = evaluate(state, node.arguments[0], scope);
  if (callback.is !== "function") return value;
  return mapList(state, evaluate(state, node.callee.object, scope), callback);
}

function mapList(state: State, list: Value, callback: Extract<Value, { is: "function" }>): Value {
  if (list.is === "choice") {
    return { ...list, options: list.options.map((each) => mapList(state, each, callback)) };
  }
  const listType = list.is === "value" ? list.type : undefined;
  const itemType: Node | undefined = (listType?.typeAnnotation ?? listType)?.elementType;
  const items: readonly Value[] = list.is === "list" ? list.items : [{ is: "value", type: itemType }];
  return {
    is: "list",
    items: items.map((item, index): Value => {
      const mapped = (each: Value): Value => callFunction(state, callback, [each, textValue(String(index))]);
      return item.is === "choice"
        ? { ...item, options: item.options.map((each) => (each.is === "nothing" ? each : mapped(each))) }
        : mapped(item);
    }),
  };
}

const unknownPart = (node: Node): Part => ({ is: "unknown", place: placeOf(node), text: textOf(node) });

function evaluateSqlCall(state: State, node: Node, scope: Scope): Value {
  const [first, second] = (node.arguments as Node[]).map((each) => evaluate(state, each, scope));
  if (first === undefined) return value;
  const sqlOf = (...parts: Part[]): Value => ({ is: "sql", parts, claim: null });
  const name: string = node.callee.property.name;
  if (name === "join") return sqlOf(joined(first, second ?? textValue(", ")));
  if (name === "val" || name === "value") return sqlOf({ is: "parameter" });
  const text = asText(state, first);
  if (text === undefined) return sqlOf(unknownPart(node));
  if (name === "raw") return sqlOf(...text);
  const isNumber = text.every((each) => typeof each === "string" && /^\d+$/.test(each));
  const quote = name === "lit" ? (isNumber ? "" : "'") : '"';
  return sqlOf(quote, ...text, quote);
}

function joined(list: Value, between: Value): Part {
  const separator = between.is === "text" ? between.parts : asSql(between);
  if (list.is === "choice")
    return { is: "choice", key: list.key, options: list.options.map((each) => [joined(each, between)]) };
  if (list.is !== "list") return { is: "parameter" };
  const items = list.items.map((item) => {
    if (item.is !== "choice") return { key: "", options: [asSql(item)] };
    return {
      key: item.key,
      options: item.options.map((each) => (each.is === "nothing" ? null : asSql(each))),
    };
  });
  return { is: "join", items, separator };
}

function callFunction(
  state: State,
  { node, scope }: Extract<Value, { is: "function" }>,
  args: readonly Value[],
): Value {
  // A condition that is made of conditions of the same kind: one level stands for all.
  if (state.stack.filter((each) => each === node).length > 1)
    return { is: "sql", parts: ["true"], claim: null };
  if (state.stack.length > deepest) return value;
  state.stack.push(node);
  const inner = new Map(scope).set(node, args);
  const result =
    node.body.type === "BlockStatement"
      ? (evaluateBody(state, node.body.body, inner) ?? value)
      : evaluate(state, node.body, inner);
  state.stack.pop();
  const returned: Node | undefined = node.returnType?.typeAnnotation;
  if (result.is !== "sql" || result.claim !== null || returned?.typeName?.name !== "Sql") return result;
  const claim: Node | undefined = returned.typeArguments?.params[0];
  return { ...result, claim: claim === undefined || claim.type === "TSUnknownKeyword" ? null : claim };
}

/** What a function returns from these statements on; undefined where they return nothing. */
function evaluateBody(state: State, statements: readonly Node[], scope: Scope): Value | undefined {
  const [statement, ...rest] = statements;
  if (statement === undefined) return undefined;
  if (statement.type === "ReturnStatement")
    return statement.argument === null ? nothing : evaluate(state, statement.argument, scope);
  if (statement.type === "BlockStatement") return evaluateBody(state, [...statement.body, ...rest], scope);
  if (statement.type === "SwitchStatement") {
    const options = (statement.cases as Node[])
      .map((each) => evaluateBody(state, each.consequent, scope))
      .filter((each) => each !== undefined);
    const after = evaluateBody(state, rest, scope);
    return {
      is: "choice",
      key: textOf(statement.discriminant),
      options: after === undefined ? options : [...options, after],
    };
  }
  if (statement.type !== "IfStatement") return evaluateBody(state, rest, scope);
  const then = evaluateBody(state, [statement.consequent], scope);
  const otherwise =
    statement.alternate === null ? undefined : evaluateBody(state, [statement.alternate], scope);
  if (then === undefined && otherwise === undefined) return evaluateBody(state, rest, scope);
  const after = evaluateBody(state, rest, scope);
  return choiceOf(statement.test, then ?? after ?? value, otherwise ?? after ?? value);
}
