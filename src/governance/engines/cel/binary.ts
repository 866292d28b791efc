/** Operators with two sides. */
import type { Node, Run, StaticType } from "./calls.ts";
import { areEqual, compare } from "./compare.ts";
import { booleanOf, unknown, type Compiler, type Scope } from "./compiler.ts";
import { entryOf } from "./maps.ts";
import * as operators from "./operators.ts";
import { CelSyntaxError, type BinaryOperator, type ExprOf } from "./syntax/expr.ts";
import { CelError, typeNameOf, type Value } from "./values.ts";

export function compileBinary(compiler: Compiler, scope: Scope, expr: ExprOf<"binary">): Node {
  const left = compiler.compile(scope, expr.left);
  const right = compiler.compile(scope, expr.right);
  const { operator } = expr;
  if (operator === "&&" || operator === "||") {
    for (const [node, side] of [
      [left, expr.left],
      [right, expr.right],
    ] as const)
      if (compiler.refusesUnknown && node.type !== "bool" && node.type !== "dyn")
        throw new CelSyntaxError(`${operator} needs true or false, not a ${node.type}`, side.start);
    return { type: "bool", run: logical(operator === "||", left.run, right.run) };
  }
  const type = typeOfBinary(operator, left.type, right.type);
  if (type === undefined)
    return unknown(compiler, expr, operators.noOperator(operator, left.type, right.type));
  return { type, run: binary(operator, left.run, right.run) };
}

function typeOfBinary(operator: BinaryOperator, left: StaticType, right: StaticType): StaticType | undefined {
  if (!isArithmetic(operator)) return "bool";
  if (left === "dyn" || right === "dyn") return "dyn";
  return operators.arithmetic[operator][`${left} ${right}`];
}

const isArithmetic = (operator: BinaryOperator): operator is operators.Arithmetic =>
  operator in operators.arithmetic;

/** One side that decides is enough, also where the other one fails. */
function logical(deciding: boolean, left: Run, right: Run): Run {
  const name = deciding ? "||" : "&&";
  return (frame) => {
    let failure: CelError | undefined;
    try {
      if (booleanOf(left(frame), name) === deciding) return deciding;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      failure = error;
    }
    if (booleanOf(right(frame), name) === deciding) return deciding;
    if (failure) throw failure;
    return !deciding;
  };
}

function binary(operator: Exclude<BinaryOperator, "&&" | "||">, left: Run, right: Run): Run {
  switch (operator) {
    case "==":
      return (frame) => areEqual(left(frame), right(frame));
    case "!=":
      return (frame) => !areEqual(left(frame), right(frame));
    case "<":
      return (frame) => compare(left(frame), right(frame)) < 0;
    case "<=":
      return (frame) => compare(left(frame), right(frame)) <= 0;
    case ">":
      return (frame) => compare(left(frame), right(frame)) > 0;
    case ">=":
      return (frame) => compare(left(frame), right(frame)) >= 0;
    case "in":
      return (frame) => isIn(left(frame), right(frame));
    case "+":
      return (frame) => operators.add(left(frame), right(frame));
    case "-":
      return (frame) => operators.subtract(left(frame), right(frame));
    case "*":
      return (frame) => operators.multiply(left(frame), right(frame));
    case "/":
      return (frame) => operators.divide(left(frame), right(frame));
    default:
      return (frame) => operators.remainder(left(frame), right(frame));
  }
}

function isIn(value: Value, collection: Value): boolean {
  if (Array.isArray(collection))
    return typeof value === "string"
      ? collection.includes(value)
      : collection.some((item) => areEqual(item, value));
  if (typeNameOf(collection) === "map") return entryOf(collection as object, value) !== undefined;
  throw operators.noOverload("in", value, collection);
}
