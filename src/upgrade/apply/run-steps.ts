/** Runs the steps of an upgrade one after the other; where one fails, what earlier ones took away is given back. */
import type { Logger } from "../../platform/lib/logger.ts";

export interface Step {
  id: string;
  title: string;
  /** Returns what was changed, in words; null where there was nothing to do. */
  run: () => Promise<string | null>;
  /** Gives back what it took away, where a later step fails; null where there was nothing to give back. */
  undo?: () => Promise<string | null>;
}

export interface DoneStep {
  id: string;
  title: string;
  /** Null where there was nothing to do, or nothing was to be done. */
  changed: string | null;
}

export interface Watching {
  signal: AbortSignal;
  log: Logger;
  /** Whoever watches sees where it was when it was cut short. */
  say: (line: string) => void;
}

export async function runSteps(steps: readonly Step[], watching: Watching): Promise<DoneStep[]> {
  const { signal, say } = watching;
  const done: DoneStep[] = [];
  const begun: Step[] = [];
  try {
    for (const step of steps) {
      signal.throwIfAborted();
      const { id, title } = step;
      say(`${id}: ${title}`);
      begun.push(step);
      const changed = await step.run();
      say(`${id}: ${changed === null ? "nothing to do" : `done (${changed})`}`);
      done.push({ id, title, changed });
    }
    return done;
  } catch (error) {
    for (const step of begun.toReversed()) await undo(step, watching);
    throw error;
  }
}

/** The error that is told is that of the step that failed. */
async function undo({ id, undo: giveBack }: Step, { say, log }: Watching): Promise<void> {
  if (giveBack === undefined) return;
  try {
    const restored = await giveBack();
    if (restored !== null) say(`${id}: ${restored}`);
  } catch (error) {
    log.error({ error, step: id }, "a step of the upgrade could not be undone");
    say(`${id}: could not be restored; the next run of apply goes on from here`);
  }
}
