/** Compiles an expression into closures. Variables are slots of a frame, so that nothing is looked up by name. */
import { fieldIfPresent, fieldOf, itemIfPresent, itemOf } from "./access.ts";
import { callOf, noVariantText, type Frame, type Node, type StaticType } from "./calls.ts";
import { compileBinary } from "./binary.ts";
import { booleanOf, unknown, variableOf, type Compiler, type Scope } from "./compiler.ts";
import { functionsOf } from "./functions.ts";
import { macroOf } from "./macros.ts";
import { addEntry } from "./maps.ts";
import * as operators from "./operators.ts";
import { parse } from "./syntax/parse.ts";
import { CelSyntaxError, type Expr, type ExprOf } from "./syntax/expr.ts";
import { fail, namedTypes, Optional, typeNameOf, type Value } from "./values.ts";

export interface CompiledExpression {
  expr: Expr;
  type: StaticType;
  /** Takes the variables by name. Throws a `CelError`. */
  evaluate: (variables: Readonly<Record<string, Value>>) => Value;
}

/** A chain such as `a + a + a` is as deep as it is long. */
const maxDepth = 500;

/** Throws a `CelSyntaxError` for what can't be parsed, unknown names, and types that don't fit. */
export function compileExpression(
  text: string,
  variables: Readonly<Record<string, StaticType>>,
  { refusesUnknown = true }: { refusesUnknown?: boolean } = {},
): CompiledExpression {
  const expr = parse(text);
  const names = Object.keys(variables);
  const compiler: Compiler = {
    slots: names.length,
    given: names.length,
    used: new Set(),
    depth: 0,
    refusesUnknown,
    compile: (inner, each) => compileNode(compiler, inner, each),
  };
  const scope = { names: new Map(names.map((name, slot) => [name, { slot, type: variables[name]! }])) };
  const { type, run } = compileNode(compiler, scope, expr);
  const used = [...compiler.used].map((slot) => ({ slot, name: names[slot]! }));
  const empty: Frame = Array.from({ length: compiler.slots });
  return {
    expr,
    type,
    evaluate: (values) => {
      const frame = empty.slice();
      for (const { slot, name } of used) frame[slot] = values[name];
      return run(frame);
    },
  };
}

function compileNode(compiler: Compiler, scope: Scope, expr: Expr): Node {
  compiler.depth += 1;
  if (compiler.depth > maxDepth)
    throw new CelSyntaxError(`It is nested more than ${maxDepth} levels deep`, expr.start);
  const node = compileKind(compiler, scope, expr);
  compiler.depth -= 1;
  return node;
}

function compileKind(compiler: Compiler, scope: Scope, expr: Expr): Node {
  switch (expr.kind) {
    case "literal": {
      const { value } = expr;
      return { type: typeNameOf(value), run: () => value };
    }
    case "name":
      return compileName(compiler, scope, expr);
    case "select":
      return compileSelect(compiler, scope, expr);
    case "index":
      return compileIndex(compiler, scope, expr);
    case "call":
      return compileCall(compiler, scope, expr);
    case "unary":
      return compileUnary(compiler, scope, expr);
    case "binary":
      return compileBinary(compiler, scope, expr);
    case "conditional":
      return compileConditional(compiler, scope, expr);
    case "list":
      return compileList(compiler, scope, expr);
    default:
      return compileMap(compiler, scope, expr);
  }
}

function compileName(compiler: Compiler, scope: Scope, expr: ExprOf<"name">): Node {
  const variable = variableOf(scope, expr.name);
  const type = namedTypes.get(expr.name);
  if (variable) {
    const { slot } = variable;
    if (slot < compiler.given) compiler.used.add(slot);
    return {
      type: variable.type,
      run(frame) {
        const value = frame[slot];
        return value === undefined ? fail(`${expr.name} has no value`) : value;
      },
    };
  }
  if (type) return { type: "type", run: () => type };
  return unknown(compiler, expr, `There is no variable ${expr.name}`);
}

function compileSelect(compiler: Compiler, scope: Scope, expr: ExprOf<"select">): Node {
  const type = namedTypes.get(dottedName(expr) ?? "");
  if (type) return { type: "type", run: () => type };
  const operand = compileNode(compiler, scope, expr.operand);
  refuseOperand(compiler, operand.type, expr);
  const { run } = operand;
  const { field } = expr;
  if (expr.isOptional) return { type: "optional", run: (frame) => fieldIfPresent(run(frame), field) };
  return {
    type: operand.type === "optional" ? "optional" : "dyn",
    run: (frame) => fieldOf(run(frame), field),
  };
}

function refuseOperand(
  { refusesUnknown }: Compiler,
  type: StaticType,
  { field, end }: ExprOf<"select">,
): void {
  if (refusesUnknown && type !== "dyn" && type !== "map" && type !== "optional")
    throw new CelSyntaxError(`A ${type} has no field ${field}`, end - field.length);
}

/** Parts of the longest name of a type. */
const maxParts = 3;

/** Of a few names with dots between; undefined for any other expression. */
function dottedName(expr: Expr, parts = 1): string | undefined {
  if (expr.kind === "name") return expr.name;
  if (expr.kind !== "select" || parts === maxParts) return undefined;
  const outer = dottedName(expr.operand, parts + 1);
  return outer === undefined ? undefined : `${outer}.${expr.field}`;
}

function compileIndex(compiler: Compiler, scope: Scope, expr: ExprOf<"index">): Node {
  const operand = compileNode(compiler, scope, expr.operand);
  const { run: index } = compileNode(compiler, scope, expr.index);
  const { run } = operand;
  if (expr.isOptional) return { type: "optional", run: (frame) => itemIfPresent(run(frame), index(frame)) };
  return {
    type: operand.type === "optional" ? "optional" : "dyn",
    run: (frame) => itemOf(run(frame), index(frame)),
  };
}

function compileCall(compiler: Compiler, scope: Scope, expr: ExprOf<"call">): Node {
  const macro = macroOf(expr);
  if (macro) return macro(compiler, scope, expr);
  const qualified =
    expr.target?.kind === "name" && !variableOf(scope, expr.target.name)
      ? `${expr.target.name}.${expr.name}`
      : undefined;
  if (qualified !== undefined && functionsOf(qualified).length > 0)
    return compileArguments(compiler, scope, { expr, name: qualified, args: expr.args });
  const isMethod = expr.target !== undefined;
  const name = isMethod ? `.${expr.name}` : expr.name;
  const args = isMethod ? [expr.target!, ...expr.args] : expr.args;
  if (functionsOf(name).length === 0) return unknown(compiler, expr, `There is no function ${expr.name}`);
  return compileArguments(compiler, scope, { expr, name, args });
}

function compileArguments(
  compiler: Compiler,
  scope: Scope,
  { expr, name, args }: { expr: Expr; name: string; args: readonly Expr[] },
): Node {
  const nodes = args.map((arg) => compileNode(compiler, scope, arg));
  const call = callOf(functionsOf(name), nodes, name);
  return (
    call ??
    unknown(
      compiler,
      expr,
      noVariantText(
        name,
        nodes.map(({ type }) => type),
      ),
    )
  );
}

function compileUnary(compiler: Compiler, scope: Scope, expr: ExprOf<"unary">): Node {
  const { type, run } = compileNode(compiler, scope, expr.operand);
  if (expr.operator === "-") {
    if (!["double", "dyn", "int"].includes(type)) return unknown(compiler, expr, `There is no -${type}`);
    return { type, run: (frame) => operators.negate(run(frame)) };
  }
  if (type !== "bool" && type !== "dyn") return unknown(compiler, expr, `There is no !${type}`);
  return { type: "bool", run: (frame) => !booleanOf(run(frame), "!") };
}

function compileConditional(compiler: Compiler, scope: Scope, expr: ExprOf<"conditional">): Node {
  const condition = compileNode(compiler, scope, expr.condition);
  const yes = compileNode(compiler, scope, expr.yes);
  const no = compileNode(compiler, scope, expr.no);
  if (compiler.refusesUnknown && condition.type !== "bool" && condition.type !== "dyn")
    throw new CelSyntaxError(`? needs true or false, not a ${condition.type}`, expr.condition.start);
  return {
    type: yes.type === no.type ? yes.type : "dyn",
    run: (frame) => (booleanOf(condition.run(frame), "?") ? yes.run(frame) : no.run(frame)),
  };
}

function compileList(compiler: Compiler, scope: Scope, { items }: ExprOf<"list">): Node {
  const nodes = items.map(({ value }) => compileNode(compiler, scope, value).run);
  if (items.every(({ value, isOptional }) => value.kind === "literal" && !isOptional)) {
    const constant = nodes.map((run) => run([]));
    return { type: "list", run: () => constant };
  }
  if (!items.some(({ isOptional }) => isOptional))
    return { type: "list", run: (frame) => nodes.map((run) => run(frame)) };
  return {
    type: "list",
    run: (frame) =>
      nodes.flatMap((run, index) => {
        const value = run(frame);
        if (!items[index]!.isOptional) return [value];
        const optional = optionalValue(value);
        return optional.isPresent ? [optional.content] : [];
      }),
  };
}

const optionalValue = (value: Value): Optional =>
  value instanceof Optional ? value : fail(`? needs an optional value, not a ${typeNameOf(value)}`);

function compileMap(compiler: Compiler, scope: Scope, expr: ExprOf<"map">): Node {
  const entries = expr.entries.map(({ key, value, isOptional }) => ({
    key: compileNode(compiler, scope, key).run,
    value: compileNode(compiler, scope, value).run,
    isOptional,
  }));
  return {
    type: "map",
    run: (frame) => {
      const map = new Map<Value, Value>();
      for (const { key, value, isOptional } of entries) {
        const given = value(frame);
        if (!isOptional) addEntry(map, key(frame), given);
        else if (optionalValue(given).isPresent) addEntry(map, key(frame), (given as Optional).content);
      }
      return map;
    },
  };
}
