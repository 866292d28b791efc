/** Pure. Regular expressions that are written in an expression, which otherwise would fail only when it is evaluated. */
import type { ASTNode } from "@marcbachmann/cel-js";

export interface BadPattern {
  /** Place in the expression. */
  start: number;
  message: string;
}

/** The first one that can't be compiled. */
export function findBadPattern(root: ASTNode): BadPattern | undefined {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) open.push(...(next as unknown[]).toReversed());
    else if (isNode(next)) {
      const found = badPatternOf(next);
      if (found) return found;
      open.push(next.args);
    }
  }
  return undefined;
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;

function badPatternOf(node: ASTNode): BadPattern | undefined {
  if ((node.op !== "rcall" && node.op !== "call") || node.args[0] !== "matches") return undefined;
  const given = node.args.at(-1) as ASTNode[];
  const pattern = given.at(-1);
  if (pattern?.op !== "value" || typeof pattern.args !== "string") return undefined;
  try {
    new RegExp(pattern.args).test("");
    return undefined;
  } catch (error) {
    return { start: pattern.range.start, message: error instanceof Error ? error.message : String(error) };
  }
}
