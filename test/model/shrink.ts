/** Makes a sequence that diverges shorter while it still does. */
import type { Command } from "./commands.ts";
import { runSequence } from "./sequence.ts";
import type { System } from "./system.ts";

export interface Shrunk {
  commands: Command[];
  message: string;
}

/** Null when the sequence runs as it should. */
export async function tryOut(system: System, commands: readonly Command[]): Promise<string | null> {
  try {
    await runSequence(system, commands);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Takes out ever smaller pieces; each trial is a run of its own. */
export async function shrink(system: System, first: Shrunk, maxTrials = 80): Promise<Shrunk> {
  let best = first;
  let trials = 0;
  for (let size = Math.ceil(best.commands.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < best.commands.length && trials < maxTrials;) {
      const commands = [...best.commands.slice(0, at), ...best.commands.slice(at + size)];
      trials++;
      const message = await tryOut(system, commands);
      if (message === null) at += size;
      else best = { commands, message };
    }
  }
  return best;
}
