/** Regular expressions of `matches`. Time is limited by the thread that evaluates them. */
import type { Expr } from "./syntax/expr.ts";
import { CelError } from "./values.ts";

const maxPatterns = 500;
const patterns = new Map<string, RegExp>();

/** Compiled once; flags may stand in front, as in `(?i)name`. */
export function patternOf(text: string): RegExp {
  const known = patterns.get(text);
  if (known) return known;
  if (patterns.size >= maxPatterns) patterns.clear();
  const pattern = compilePattern(text);
  patterns.set(text, pattern);
  return pattern;
}

function compilePattern(text: string): RegExp {
  const [whole = "", flags = ""] = /^\(\?([ims]+)\)/.exec(text) ?? [];
  try {
    return new RegExp(text.slice(whole.length), `u${flags}`);
  } catch {
    // Escapes that Unicode patterns refuse, such as \- outside a class, are usual elsewhere.
  }
  try {
    return new RegExp(text.slice(whole.length), flags);
  } catch (error) {
    throw new CelError((error as Error).message);
  }
}

export interface BadPattern {
  /** Place in the expression. */
  start: number;
  message: string;
}

/** The first one that is written in the expression and can't be compiled: it would fail only when it is evaluated. */
export function findBadPattern(root: Expr): BadPattern | undefined {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) open.push(...(next as unknown[]).toReversed());
    else if (typeof next === "object" && next !== null) {
      const bad = badPatternOf(next as Expr);
      if (bad) return bad;
      open.push(Object.values(next));
    }
  }
  return undefined;
}

function badPatternOf(expr: Expr): BadPattern | undefined {
  const pattern = expr.kind === "call" && expr.name === "matches" ? expr.args.at(-1) : undefined;
  if (pattern?.kind !== "literal" || typeof pattern.value !== "string") return undefined;
  try {
    patternOf(pattern.value);
    return undefined;
  } catch (error) {
    return { start: pattern.start, message: (error as Error).message };
  }
}
