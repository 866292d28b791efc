/** What the parts of the compiler share. */
import type { Node, StaticType } from "./calls.ts";
import { CelSyntaxError, type Expr } from "./syntax/expr.ts";
import { CelError, fail, typeNameOf, type Value } from "./values.ts";

export interface Variable {
  /** Its place in the frame. */
  slot: number;
  type: StaticType;
}

export interface Scope {
  readonly names: ReadonlyMap<string, Variable>;
  readonly outer?: Scope;
}

export interface Compiler {
  /** How many slots the frame has. */
  slots: number;
  /** Slots of the variables that are given to an evaluation; those of loops stand behind them. */
  readonly given: number;
  /** Slots of the given variables that the expression reads. */
  readonly used: Set<number>;
  /** Of the part that is compiled now. */
  depth: number;
  /** Whether an unknown name is refused now, or fails where it is evaluated. */
  readonly refusesUnknown: boolean;
  readonly compile: (scope: Scope, expr: Expr) => Node;
}

export function variableOf(scope: Scope, name: string): Variable | undefined {
  return scope.names.get(name) ?? (scope.outer && variableOf(scope.outer, name));
}

export function booleanOf(value: Value, what: string): boolean {
  if (typeof value === "boolean") return value;
  throw new CelError(`${what} needs true or false, not a ${typeNameOf(value)}`);
}

/** A node that fails when it is evaluated, where unknown names are not refused. */
export function unknown(compiler: Compiler, { start }: Expr, message: string): Node {
  if (compiler.refusesUnknown) throw new CelSyntaxError(message, start);
  return { type: "dyn", run: () => fail(message) };
}
