/** That the reference finds each planted mistake. */
import { expect } from "vitest";
import { drawSequence } from "./commands.ts";
import { mistakes } from "./mistakes.ts";
import { tryOut } from "./shrink.ts";
import type { System } from "./system.ts";

export const mistakeNames = Object.keys(mistakes);

/** These take seconds, the others a moment. */
export const isSlowToFind = (name: string): boolean =>
  ["force is taken for safety", "unchanged components are deployed again"].includes(name);

/** From this seed on each mistake shows soon; most of them in the first sequence. */
const soonAt: Record<string, number> = {
  "force is taken for safety": 11,
  "a disabled adapter is used": 3,
  "unchanged components are deployed again": 7,
  "what has no target is refused": 14,
};
const maxSequences = 30;

export async function expectFound(system: System, name: string): Promise<void> {
  const mistaken = mistakes[name]!({ ...system, waitLimitMs: 3_000 });
  const first = soonAt[name] ?? 1;
  for (let seed = first; seed < first + maxSequences; seed++) {
    if ((await tryOut(mistaken, drawSequence(seed, 25))) !== null) return;
  }
  expect.fail(`Not found in ${maxSequences} sequences.`);
}
