/** The thread's side of a worker pool. */
import { parentPort } from "node:worker_threads";
import { ownThreadId } from "./thread-time.ts";
import { withTimeLimit } from "./time-limit.ts";
import type { JobRequest, JobResponse, JobTypes } from "./worker-pool.ts";

export interface JobHandler<Input, Result> {
  /** Calls `atStep` with the number of each step before it begins; the first is 0. */
  run: (input: Input, atStep: (step: number) => void) => Result;
  /** Whether this thread limits the time of the job itself. Only for work without side effects, see time-limit.ts. */
  mayTakeLong?: (input: Input) => boolean;
  /** Buffers of the result that are handed over instead of copied. */
  transfer?: (result: Result) => ArrayBuffer[];
}

/** A handler, or a function that loads one when the first job of its kind comes. */
export type JobHandlers<J extends JobTypes> = {
  [K in keyof J]:
    | JobHandler<J[K]["input"], J[K]["result"]>
    | (() => Promise<JobHandler<J[K]["input"], J[K]["result"]>>);
};

/** Answers the jobs of the pool. The time until the handlers are ready does not count for any job. */
export function serveJobs<J extends JobTypes>(handlers: Promise<JobHandlers<J>>): void {
  const threadId = ownThreadId();

  const onRequest = async (request: JobRequest): Promise<void> => {
    const { id, kind, input, progress, limitMs } = request;
    let response: JobResponse;
    let transfer: ArrayBuffer[] = [];
    try {
      const entry = (await handlers)[kind]!;
      Atomics.store(progress, 1, threadId);
      Atomics.store(progress, 0, 0);
      const handler = typeof entry === "function" ? await entry() : entry;
      const work = () => handler.run(input, (step) => void Atomics.store(progress, 0, step));
      const done = handler.mayTakeLong?.(input) === true ? withTimeLimit(work, limitMs) : { value: work() };
      response = done === null ? { id, isLate: true } : { id, result: done.value };
      if (done !== null) transfer = handler.transfer?.(done.value) ?? [];
    } catch (error) {
      // A defect of ours: the text goes to the log of the main thread, never to a caller.
      response = { id, defect: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(response, transfer);
  };

  parentPort?.on("message", (request: JobRequest) => void onRequest(request));
}
