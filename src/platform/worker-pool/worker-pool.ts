/**
 * A pool of threads for work that may never end or take all memory. A job is a kind with its input; it works in steps,
 * and a thread that takes too long for one step is terminated and replaced. A pool begins with one
 * thread and starts more when jobs wait too long. Threads stay warm between jobs, end after a time without jobs, and never keep the
 * process alive. What a thread does with a job is in its entry file, see serve-jobs.ts.
 */
import { Worker } from "node:worker_threads";
import { heapBytesOf } from "./heap-bytes.ts";
import { threadLimits } from "./thread-memory.ts";
import { coreShare, workedMs } from "./thread-time.ts";

/** Input and result of each kind of job. */
export type JobTypes = Record<string, { input: unknown; result: unknown }>;
type Kind<J extends JobTypes> = keyof J & string;

export interface WorkerPoolOptions<J extends JobTypes> {
  /** The file that the threads run; it calls `serveJobs`. */
  entry: URL;
  /** Names the pool in messages, and its threads. */
  title: string;
  workerData: unknown;
  /** Maximum number of threads. */
  threads: number;
  /** Longest that one step may work. */
  stepTimeoutMs: number;
  /** Heap of one thread. */
  maxMemoryMb: number;
  /**
   * A larger input is not sent, whoever made it. A thread that runs out of memory while it receives one ends the whole process:
   * V8 can't stop there. Leave it out only where something else limits the inputs.
   */
  maxInputMb?: number | undefined;
  /** Jobs that may wait; more are a sign that nothing limits the callers. */
  maxQueuedJobs: number;
  /** Start no thread before the first job, in a process that may never have a job. */
  startLate: boolean;
  /** Threads without a job for so long are ended; the next job starts one again. A minute unless given. */
  idleMs?: number | undefined;
  /** Kinds of which one caller sends many jobs at once and waits for all. Such a job starts a further thread at once if none is free. */
  sentTogether?: ReadonlySet<Kind<J>>;
  /** For these kinds the time limit of a step applies to the whole job. */
  limitedAsOne: ReadonlySet<Kind<J>>;
  /** For these kinds the thread limits the time itself, and is terminated only when it fails to. */
  limitedInThread: ReadonlySet<Kind<J>>;
}

export interface WorkerPool<J extends JobTypes> {
  /** Buffers in `transfer` are handed over to the thread instead of copied. */
  run: <K extends Kind<J>>(
    kind: K,
    input: J[K]["input"],
    transfer?: ArrayBuffer[],
  ) => Promise<J[K]["result"] | Overrun>;
  /** Stops the threads; jobs that are still waiting are rejected. */
  close: () => Promise<void>;
}

/** The job was given up, because one step took too long or too much memory; or not begun, because its input is too large. */
export interface Overrun {
  overrun: "time" | "memory" | "size";
  step: number;
}

export interface JobRequest {
  id: number;
  kind: string;
  input: unknown;
  /** Two shared numbers: the current step, `notStarted` before the first; and the id of the thread. */
  progress: Int32Array<SharedArrayBuffer>;
  limitMs: number;
}

export type JobResponse =
  | { id: number; result: unknown }
  | { id: number; defect: string }
  | { id: number; isLate: true };

interface Pending extends Pick<JobRequest, "id" | "kind" | "input"> {
  since: number;
  transfer: ArrayBuffer[];
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

interface Slot {
  worker: Worker | null;
  current: Pending | null;
  progress: Int32Array<SharedArrayBuffer>;
  lastStep: number;
  /** CPU time of the current step, as far as it is known. */
  stepMs: number;
  /** Time of the current step by the clock. */
  clockMs: number;
  /** CPU time of the thread at the last look; null when it is not known. */
  seenMs: number | null;
}

type Finish = (slot: Slot, settle: (pending: Pending) => void) => void;

const notStarted = -1;
/** The progress of a job that has not begun. */
const notBegun = { lastStep: notStarted, stepMs: 0, clockMs: 0, seenMs: null };
const watchEveryMs = 25;
/** Added to the limit of a job that the thread should have ended itself. */
const graceMs = 150;
/** Before its first step a thread may still be starting, which does not count for the job. */
const startTimeoutMs = 30_000;
const usualIdleMs = 60_000;
/**
 * How long the first job of the queue waits, in ms, before a further thread is started for it. A new thread takes about 20 MB and compiles
 * its own code; its first jobs take less than this.
 */
const growAfterMs = 300;
const megabyte = 1024 * 1024;

export function createWorkerPool<J extends JobTypes>(options: WorkerPoolOptions<J>): WorkerPool<J> {
  const { threads, stepTimeoutMs, maxQueuedJobs, title, idleMs = usualIdleMs } = options;
  const queue: Pending[] = [];
  let nextId = 1;
  let closed = false;
  const slots = Array.from({ length: threads }, (): Slot => {
    const progress = new Int32Array(new SharedArrayBuffer(8));
    return { worker: null, current: null, progress, ...notBegun };
  });

  let idleTimer: NodeJS.Timeout | undefined;
  const beginIdle = (): void => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => endIdle(slots), idleMs).unref();
  };
  const finish: Finish = (slot, settle) => {
    beginIdle();
    const pending = slot.current;
    slot.current = null;
    slot.worker?.unref();
    if (pending !== null) settle(pending);
    dispatch();
  };
  const watch = createWatch(slots, options, (slot) => {
    const step = stepOf(slot);
    endThread(slot);
    finish(slot, (pending) => pending.resolve({ overrun: "time", step }));
  });
  const begin = (slot: Slot, pending: Pending): void => {
    slot.current = pending;
    Object.assign(slot, notBegun);
    Atomics.store(slot.progress, 0, notStarted);
    const how = { progress: slot.progress, limitMs: stepTimeoutMs };
    send(slot.worker ?? startThread(slot, options, finish), pending, how);
    watch.start();
  };
  let growTimer: NodeJS.Timeout | undefined;
  const dispatch = (): void => {
    clearTimeout(growTimer);
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const slot = slotFor(slots, dueOf(next, options));
      if (slot === undefined) break;
      queue.shift();
      begin(slot, next);
    }
    const mayGrow = slots.some(({ worker }) => worker === null);
    if (queue[0] !== undefined && mayGrow)
      growTimer = setTimeout(dispatch, Math.max(1, dueOf(queue[0], options) - performance.now()));
  };

  if (!options.startLate) {
    if (slots[0] !== undefined) startThread(slots[0], options, finish);
    beginIdle();
  }
  return {
    run: (kind, input, transfer = []) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error(`the ${title} is closed`));
        if (queue.length >= maxQueuedJobs) return reject(new Error(`too many jobs wait for the ${title}`));
        if (isTooLarge(input, options)) return resolve({ overrun: "size", step: 0 });
        const since = performance.now();
        queue.push({ id: nextId++, kind, input, since, transfer, resolve, reject });
        dispatch();
      }),
    async close() {
      closed = true;
      clearTimeout(idleTimer);
      clearTimeout(growTimer);
      watch.stop();
      const waiting = [...queue.splice(0), ...slots.flatMap((slot) => slot.current ?? [])];
      const running = slots.flatMap((slot) => slot.worker ?? []);
      for (const slot of slots) {
        slot.worker = null;
        slot.current = null;
      }
      for (const pending of waiting) pending.reject(new Error(`the ${title} is closed`));
      await Promise.all(running.map((worker) => worker.terminate()));
    },
  };
}

/** Time at which a further thread is started for the job if it still waits. */
const dueOf = ({ kind, since }: Pending, { sentTogether }: { sentTogether?: ReadonlySet<string> }): number =>
  sentTogether?.has(kind) === true ? since : since + growAfterMs;

/**
 * The slot for the next job: one with a free thread, else an empty one when no thread runs yet or the job is due for a further thread.
 * Undefined when the job has to wait.
 */
function slotFor(slots: readonly Slot[], dueAt: number): Slot | undefined {
  const free = slots.filter(({ current }) => current === null);
  const mayStart = performance.now() >= dueAt || slots.every(({ worker }) => worker === null);
  return free.find(({ worker }) => worker !== null) ?? (mayStart ? free[0] : undefined);
}

function endIdle(slots: readonly Slot[]): void {
  for (const slot of slots) if (slot.current === null) endThread(slot);
}

function endThread(slot: Slot): void {
  const { worker } = slot;
  slot.worker = null;
  void worker?.terminate();
}

function send(
  worker: Worker,
  { id, kind, input, transfer }: Pending,
  how: Pick<JobRequest, "progress" | "limitMs">,
): void {
  worker.ref();
  const request: JobRequest = { id, kind, input, ...how };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(request, transfer);
}

function isTooLarge(input: unknown, { maxInputMb }: { maxInputMb?: number | undefined }): boolean {
  if (maxInputMb === undefined) return false;
  const most = maxInputMb * megabyte;
  return heapBytesOf(input, most) > most;
}

function startThread<J extends JobTypes>(
  slot: Slot,
  { entry, title, workerData, maxMemoryMb }: WorkerPoolOptions<J>,
  finish: Finish,
): Worker {
  const worker = new Worker(entry, {
    // The code of a job has no use for these; hostile input that takes the thread over finds nothing of the process.
    env: {},
    argv: [],
    execArgv: [],
    workerData,
    name: `plinth-${title}`,
    resourceLimits: threadLimits(maxMemoryMb),
  });
  const onMessage = (response: JobResponse): void => {
    if (slot.worker !== worker || slot.current?.id !== response.id) return;
    finish(slot, (pending) => {
      if ("result" in response) pending.resolve(response.result);
      else if ("isLate" in response) pending.resolve({ overrun: "time", step: stepOf(slot) });
      else pending.reject(new Error(`a thread of the ${title} failed: ${response.defect}`));
    });
  };
  const onError = (error: Error & { code?: string }): void => {
    if (slot.worker !== worker) return;
    slot.worker = null;
    finish(slot, (pending) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
        pending.resolve({ overrun: "memory", step: stepOf(slot) });
      else pending.reject(new Error(`a thread of the ${title} stopped`, { cause: error }));
    });
  };
  worker.unref();
  worker.on("message", onMessage);
  worker.on("error", onError);
  worker.on("exit", () => onError(new Error("the thread ended")));
  slot.worker = worker;
  return worker;
}

/** Looks at the running jobs at intervals, as long as there are any, and reports those over their time. */
function createWatch<J extends JobTypes>(
  slots: readonly Slot[],
  { stepTimeoutMs, limitedAsOne, limitedInThread }: WorkerPoolOptions<J>,
  onSlow: (slot: Slot) => void,
): { start: () => void; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  /** By the clock; longer as long as the thread had hardly a core. */
  const limitOf = ({ current, stepMs }: Slot, step: number): number => {
    if (step === notStarted) return startTimeoutMs;
    const endsItself = current !== null && limitedInThread.has(current.kind);
    const isOver = stepMs >= stepTimeoutMs * (endsItself ? 1 : coreShare);
    return isOver ? stepTimeoutMs + (endsItself ? graceMs : 0) : Math.max(startTimeoutMs, stepTimeoutMs);
  };
  const look = (slot: Slot, { kind }: Pending): void => {
    const step = Atomics.load(slot.progress, 0);
    const goesOn = step === slot.lastStep || (slot.lastStep !== notStarted && limitedAsOne.has(kind));
    const seenMs = step === notStarted ? null : workedMs(Atomics.load(slot.progress, 1));
    // Counted in intervals and not by the clock: when this thread was held up, the other may have been too.
    const passed = seenMs === null || slot.seenMs === null ? watchEveryMs : seenMs - slot.seenMs;
    slot.stepMs = goesOn ? slot.stepMs + passed : 0;
    slot.clockMs = goesOn ? slot.clockMs + watchEveryMs : 0;
    slot.seenMs = seenMs;
    slot.lastStep = step;
    if (slot.clockMs > limitOf(slot, step)) onSlow(slot);
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const lookAtAll = (): void => {
    for (const slot of slots) if (slot.current !== null) look(slot, slot.current);
    if (slots.every((slot) => slot.current === null)) stop();
  };
  return { start: () => void (timer ??= setInterval(lookAtAll, watchEveryMs)), stop };
}

const stepOf = (slot: Slot): number => Math.max(0, Atomics.load(slot.progress, 0));
