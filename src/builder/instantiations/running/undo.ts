/**
 * After a step has failed, removes what it had created on other servers, such as a repository. A later attempt of the step might use
 * the same thing, so the removal is recorded in the database under the fence first, and a later attempt waits until it is over.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { UndoPlace } from "../store.ts";
import { checkpointName, handOver, type Run } from "./journal.ts";

const undoTimeoutMs = 30_000;
/** Between two looks at a removal that is under way. */
const lookMs = 250;

export const undoPlace = (step: number, iteration: string): UndoPlace => ({
  step,
  key: `undo ${iteration}`,
});

/** See `ActionContext.undo`. */
export async function undoAttempt(
  run: Run,
  place: UndoPlace,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (run.signal.reason === handOver) return false;
  const until = new Date(run.now().getTime() + undoTimeoutMs);
  const mayBegin = await run.journal.beginUndo(place, until).catch((error: Error) => {
    run.log.warn({ taskId: run.taskId, reason: error.message }, "what a step made is left, not removed");
    return false;
  });
  if (!mayBegin) return false;
  try {
    await work(AbortSignal.timeout(Math.max(until.getTime() - run.now().getTime(), 0)));
  } finally {
    await run.journal
      .endUndo(place, until)
      .catch((error: Error) =>
        run.log.warn({ taskId: run.taskId, reason: error.message }, "the end of a removal is not recorded"),
      );
  }
  return true;
}

/** Waits while an earlier attempt removes what it has made. */
export async function untilUndone(run: Run, place: UndoPlace, stepId: string): Promise<void> {
  if (!run.checkpoints.has(checkpointName(place.step, place.key))) return;
  const isUnderWay = async (): Promise<boolean> => {
    const until = await run.journal.readUndo(place);
    return until !== null && until > run.now();
  };
  if (!(await isUnderWay())) return;
  const message = "An earlier attempt is still removing what it made; this one waits for that.";
  run.journal.log({ message, stepId });
  do await delay(lookMs, undefined, { signal: run.signal });
  while (await isUnderWay());
}
