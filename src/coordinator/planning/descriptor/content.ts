import type { Problem } from "../../../platform/errors/failure.ts";
import { escapeKey } from "../../../platform/lib/json-pointer.ts";
import { descriptorLimits } from "./limits.ts";

/**
 * Checks that a value can be stored, hashed and sent: limited in depth, size and count, and without text that
 * a database or a JSON parser refuses. Code that runs after this check may recurse over the value and copy
 * it.
 *
 * `value` is what a JSON or YAML reader made; YAML aliases share objects, so shared parts count each time
 * they are reached and a reference cycle ends at the depth limit.
 */
export function checkContent(value: unknown, base: string): Problem[] {
  const verdict = measure(value);
  if (verdict === "sound") return [];
  if (verdict === "bad text") return findBadText(value, base);
  return [{ where: base, ...limitTexts[verdict] }];
}

type Verdict = "sound" | "bad text" | keyof typeof limitTexts;

const limitTexts = {
  depth: {
    message: `The descriptor is nested deeper than ${descriptorLimits.depth} levels.`,
    solution: "Flatten the nested maps and lists.",
  },
  nodes: {
    message: `The descriptor holds more than ${descriptorLimits.nodes} values.`,
    solution: "Split the deployment unit, or move bulk content out of the descriptor.",
  },
  characters: {
    message: `The descriptor holds more than ${descriptorLimits.characters} characters of text.`,
    solution: "Split the deployment unit, or move bulk content out of the descriptor.",
  },
};

/** One pass without computing paths, because almost every descriptor is valid. */
function measure(root: unknown): Verdict {
  const sums: Sums = { nodes: 0, characters: 0, tooDeep: false, badText: false, goodKeys: new Set() };
  visit(root, 1, sums);
  if (sums.tooDeep) return "depth";
  if (sums.nodes > descriptorLimits.nodes) return "nodes";
  if (sums.characters > descriptorLimits.characters) return "characters";
  return sums.badText ? "bad text" : "sound";
}

interface Sums {
  nodes: number;
  characters: number;
  tooDeep: boolean;
  badText: boolean;
  /** Checked keys; the same keys occur in every component. */
  goodKeys: Set<string>;
}

/** The depth limit bounds the recursion; the count bounds values that YAML aliases multiply. */
function visit(value: unknown, depth: number, sums: Sums): void {
  if (typeof value === "string") {
    sums.characters += value.length;
    if (isBadText(value)) sums.badText = true;
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (depth > descriptorLimits.depth) sums.tooDeep = true;
  if (sums.tooDeep || sums.nodes > descriptorLimits.nodes) return;
  if (Array.isArray(value)) {
    sums.nodes += value.length;
    for (let index = 0; index < value.length; index += 1) visit(value[index], depth + 1, sums);
  } else if (isMap(value)) {
    for (const key in value) {
      sums.nodes += 1;
      sums.characters += key.length;
      if (!sums.goodKeys.has(key)) judgeKey(key, sums);
      visit(value[key], depth + 1, sums);
    }
  }
}

function judgeKey(key: string, sums: Sums): void {
  if (isBadText(key)) sums.badText = true;
  else sums.goodKeys.add(key);
}

// oxlint-disable-next-line no-control-regex -- NUL is one of the two things that are looked for.
const suspicious = /[\u0000\ud800-\udfff]/;

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
function isBadText(text: string): boolean {
  return suspicious.test(text) && (text.includes("\0") || !text.isWellFormed());
}

function findBadText(root: unknown, base: string): Problem[] {
  const problems: Problem[] = [];
  const pending: { value: unknown; where: string }[] = [{ value: root, where: base }];
  while (pending.length > 0 && problems.length < descriptorLimits.problems) {
    const { value, where } = pending.pop()!;
    if (typeof value === "string" && isBadText(value)) problems.push(badTextProblem(where));
    if (typeof value !== "object" || value === null) continue;
    const entries = Object.entries(value).toReversed();
    for (const [key, child] of entries) {
      if (isBadText(key)) problems.push(badTextProblem(where));
      pending.push({ value: child, where: `${where}/${escapeKey(key)}` });
    }
  }
  return problems;
}

function badTextProblem(where: string): Problem {
  return {
    where: where.replaceAll("\0", "\\u0000").toWellFormed(),
    message: "The text holds a NUL character or half of a surrogate pair.",
    solution: "Remove the character; such text cannot be stored.",
  };
}

function isMap(value: object): value is Record<string, unknown> {
  return !Array.isArray(value);
}
