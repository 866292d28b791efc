/** What the parser makes of an expression. Places are offsets into its text. */
import type { Value } from "../values.ts";

export type Expr = { start: number; end: number } & (
  | { kind: "literal"; value: Value }
  | { kind: "name"; name: string }
  | { kind: "select"; operand: Expr; field: string; isOptional: boolean }
  | { kind: "index"; operand: Expr; index: Expr; isOptional: boolean }
  | { kind: "call"; name: string; target?: Expr; args: readonly Expr[] }
  | { kind: "unary"; operator: "!" | "-"; operand: Expr }
  | { kind: "binary"; operator: BinaryOperator; left: Expr; right: Expr }
  | { kind: "conditional"; condition: Expr; yes: Expr; no: Expr }
  | { kind: "list"; items: readonly { value: Expr; isOptional: boolean }[] }
  | { kind: "map"; entries: readonly { key: Expr; value: Expr; isOptional: boolean }[] }
);

export type ExprOf<Kind extends Expr["kind"]> = Extract<Expr, { kind: Kind }>;

export type BinaryOperator =
  | "!="
  | "%"
  | "&&"
  | "*"
  | "+"
  | "-"
  | "/"
  | "<"
  | "<="
  | "=="
  | ">"
  | ">="
  | "in"
  | "||";

/** An expression that can't be parsed or compiled; `start` is an offset into its text. */
export class CelSyntaxError extends Error {
  readonly start: number;
  constructor(message: string, start: number) {
    super(message);
    this.start = start;
  }
}
