import { Worker } from "node:worker_threads";
import type { BatchContext, DescribedBatch, EntityBatch } from "../descriptors/entities/entity-batch.ts";
import type { FileToRead, ReadDocuments } from "../catalogue/entities/read-documents.ts";
import type { ResolvedUnit } from "../descriptors/checks.ts";
import type { UnitInput } from "../descriptors/resolve-summaries.ts";
import type { CheckedValues, ValuesJob } from "./check-values.ts";
import type { ExtensionModules } from "./module-extensions.ts";
import { noExtensions, type ModuleNotes } from "./module-notes.ts";
import type { RenderResult, TemplateContext } from "./render.ts";
import type { RenderedSkeleton, SkeletonBatch } from "./skeleton.ts";
import { coreShare, workedMs } from "./thread-time.ts";
import type { InputFault, InputJob, InputResult, Json } from "./render-input.ts";

export type WorkerJob =
  | { kind: "render"; template: string; context: TemplateContext }
  | { kind: "skeleton"; batch: SkeletonBatch }
  | { kind: "describe"; batch: EntityBatch; context: BatchContext }
  | { kind: "resolve"; input: UnitInput }
  | { kind: "documents"; inputs: readonly FileToRead[] }
  | { kind: "input"; job: InputJob }
  | { kind: "check"; input: Json }
  | { kind: "values"; job: ValuesJob }
  | { kind: "extensions" };

export type WorkerResult =
  | ({ kind: "render" } & RenderResult)
  | ({ kind: "skeleton" } & RenderedSkeleton)
  | ({ kind: "describe" } & DescribedBatch)
  | { kind: "resolve"; unit: ResolvedUnit }
  | { kind: "documents"; files: ReadDocuments[] }
  | { kind: "input"; answer: InputResult }
  | { kind: "check"; faults: InputFault[] }
  | { kind: "values"; checked: CheckedValues }
  | { kind: "extensions"; notes: ModuleNotes };

export interface WorkerRequest {
  id: number;
  job: WorkerJob;
  /** Two shared numbers: the step the worker is at, `notStarted` before it has begun; and the number of its thread. */
  progress: Int32Array<SharedArrayBuffer>;
  /** After this time the worker itself gives a job up where it can. */
  limitMs: number;
}

export type WorkerResponse =
  | { id: number; result: WorkerResult }
  | { id: number; defect: string }
  | { id: number; isLate: true };

/** Given up, because one step took too long or too much memory. */
export interface Overrun {
  overrun: "time" | "memory";
  step: number;
}

export interface RendererOptions {
  /** Threads. Default 2. */
  workers?: number;
  /** Longest that one step (one file, one template) may work. Default 1000. */
  stepTimeoutMs?: number;
  /** Heap of one thread. Default 256. */
  maxMemoryMb?: number;
  /** Jobs that may wait; more are a sign that nobody limits the callers. Default 1000. */
  maxQueuedJobs?: number;
  /** Starts the threads with the first job, for a process that may never have one. */
  startLate?: boolean;
  /** Modules whose filters and globals templates may use. */
  extensions?: ExtensionModules;
}

export interface Renderer {
  /** Renders one template; a template that is a single expression keeps the type of its value. */
  render: (template: string, context: TemplateContext) => Promise<RenderResult>;
  /** Renders files of a skeleton; a step is one file. */
  renderSkeleton: (batch: SkeletonBatch) => Promise<RenderedSkeleton | Overrun>;
  describe: (batch: EntityBatch, context: BatchContext) => Promise<DescribedBatch | Overrun>;
  resolve: (input: UnitInput) => Promise<ResolvedUnit | Overrun>;
  /** Renders files of the catalogue, where they are templates, and parses them; a step is one file. */
  readDocuments: (inputs: readonly FileToRead[]) => Promise<ReadDocuments[] | Overrun>;
  /** Renders every text of one nested input; the time is for all of them together. */
  renderInput: (job: InputJob) => Promise<InputResult | Overrun>;
  /** Looks for what is wrong in the texts of an input without running them. */
  checkInput: (input: Json) => Promise<InputFault[] | Overrun>;
  checkValues: (job: ValuesJob) => Promise<CheckedValues | Overrun>;
  /** What the modules bring, and what of them can't be used. */
  extensions: () => Promise<ModuleNotes>;
  /** Stops the threads; jobs that are still waiting are rejected. */
  close: () => Promise<void>;
}

interface Pending {
  id: number;
  job: WorkerJob;
  transfer: ArrayBuffer[];
  resolve: (result: WorkerResult | Overrun) => void;
  reject: (error: Error) => void;
}

interface Slot {
  worker: Worker | null;
  current: Pending | null;
  progress: Int32Array<SharedArrayBuffer>;
  lastStep: number;
  /** What the current step has worked so far, as far as this thread could see. */
  stepMs: number;
  /** How long the current step goes on, by the clock. */
  clockMs: number;
  /** What the thread had worked when it was looked at last; null when that is not known. */
  seenMs: number | null;
}

const notStarted = -1;
/** What is known of a job that has not begun. */
const notBegun = { lastStep: notStarted, stepMs: 0, clockMs: 0, seenMs: null };
/** Of these jobs the whole has the time of one step: whoever wrote the template also chose the number of steps. */
const timedAsOne = new Set<WorkerJob["kind"]>(["input", "check"]);
const watchEveryMs = 25;
/** Of these the thread watches the time itself, and is killed only when it does not. */
const watchesItself = new Set<WorkerJob["kind"]>(["render", "input", "values"]);
const graceMs = 150;
/** Before its first step a worker may still be starting, which is not the fault of the job. */
const startTimeoutMs = 30_000;

/** Starts the threads, which stay warm between jobs and never keep the process alive. */
export const createRenderer = (options: RendererOptions = {}): Renderer => {
  const { workers = 2, stepTimeoutMs = 1_000, maxMemoryMb = 256, maxQueuedJobs = 1_000 } = options;
  const queue: Pending[] = [];
  let nextId = 1;
  let closed = false;
  let watch: NodeJS.Timeout | undefined;

  const slots = Array.from({ length: workers }, (): Slot => {
    const progress = new Int32Array(new SharedArrayBuffer(8));
    return { worker: null, current: null, progress, ...notBegun };
  });

  const startWorker = (slot: Slot): Worker => {
    const worker = new Worker(new URL("./render-worker.ts", import.meta.url), {
      // Templates never reach these, and nothing of the process should be there if one ever does.
      env: {},
      argv: [],
      execArgv: [],
      workerData: options.extensions ?? null,
      name: "plinth-render",
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 },
    });
    worker.unref();
    worker.on("message", (response: WorkerResponse) => onMessage(slot, worker, response));
    worker.on("error", (error: Error & { code?: string }) => onError(slot, worker, error));
    worker.on("exit", () => onError(slot, worker, new Error("the render worker ended")));
    slot.worker = worker;
    return worker;
  };

  const finish = (slot: Slot, settle: (pending: Pending) => void): void => {
    const pending = slot.current;
    slot.current = null;
    slot.worker?.unref();
    if (pending !== null) settle(pending);
    dispatch();
  };

  const onMessage = (slot: Slot, worker: Worker, response: WorkerResponse): void => {
    if (slot.worker !== worker || slot.current?.id !== response.id) return;
    finish(slot, (pending) => {
      if ("result" in response) pending.resolve(response.result);
      else if ("isLate" in response) pending.resolve({ overrun: "time", step: stepOf(slot) });
      else pending.reject(new Error(`the render worker failed: ${response.defect}`));
    });
  };

  const onError = (slot: Slot, worker: Worker, error: Error & { code?: string }): void => {
    if (slot.worker !== worker) return;
    slot.worker = null;
    finish(slot, (pending) => {
      if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
        pending.resolve({ overrun: "memory", step: stepOf(slot) });
      else pending.reject(new Error("the render worker stopped", { cause: error }));
    });
  };

  const stopSlow = (slot: Slot): void => {
    const { worker } = slot;
    const step = stepOf(slot);
    slot.worker = null;
    void worker?.terminate();
    finish(slot, (pending) => pending.resolve({ overrun: "time", step }));
  };

  const onWatch = (): void => {
    for (const slot of slots) {
      if (slot.current === null) continue;
      const step = Atomics.load(slot.progress, 0);
      const goesOn =
        step === slot.lastStep || (slot.lastStep !== notStarted && timedAsOne.has(slot.current.job.kind));
      const seenMs = step === notStarted ? null : workedMs(Atomics.load(slot.progress, 1));
      // Counted in ticks and not by the clock: when this thread was held up, the worker may have been too.
      const passed = seenMs === null || slot.seenMs === null ? watchEveryMs : seenMs - slot.seenMs;
      slot.stepMs = goesOn ? slot.stepMs + passed : 0;
      slot.clockMs = goesOn ? slot.clockMs + watchEveryMs : 0;
      slot.seenMs = seenMs;
      slot.lastStep = step;
      if (slot.clockMs > limitOf(slot, step)) stopSlow(slot);
    }
    if (slots.every((slot) => slot.current === null)) {
      clearInterval(watch);
      watch = undefined;
    }
  };

  /** By the clock; longer as long as the thread had hardly a core. */
  const limitOf = ({ current, stepMs }: Slot, step: number): number => {
    if (step === notStarted) return startTimeoutMs;
    const isWatched = current !== null && watchesItself.has(current.job.kind);
    const isOver = stepMs >= stepTimeoutMs * (isWatched ? 1 : coreShare);
    return isOver ? stepTimeoutMs + (isWatched ? graceMs : 0) : Math.max(startTimeoutMs, stepTimeoutMs);
  };

  const dispatch = (): void => {
    for (const slot of slots) {
      if (slot.current !== null || queue.length === 0) continue;
      const pending = queue.shift()!;
      slot.current = pending;
      Object.assign(slot, notBegun);
      Atomics.store(slot.progress, 0, notStarted);
      const worker = slot.worker ?? startWorker(slot);
      worker.ref();
      const { id, job } = pending;
      const request: WorkerRequest = { id, job, progress: slot.progress, limitMs: stepTimeoutMs };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(request, pending.transfer);
      watch ??= setInterval(onWatch, watchEveryMs);
    }
  };

  const run = (job: WorkerJob, transfer: ArrayBuffer[]): Promise<WorkerResult | Overrun> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new Error("the renderer is closed"));
      if (queue.length >= maxQueuedJobs)
        return reject(new Error("too many jobs wait for the render workers"));
      queue.push({ id: nextId++, job, transfer, resolve, reject });
      dispatch();
    });

  if (options.startLate !== true) for (const slot of slots) startWorker(slot);

  return {
    async render(template, context) {
      const result = await run({ kind: "render", template, context }, []);
      if ("overrun" in result) return { ok: false, reason: overrunReason(result, stepTimeoutMs) };
      if (result.kind !== "render") throw new Error("the render worker gave another job's answer");
      const { kind: _kind, ...rendered } = result;
      return rendered;
    },
    async renderSkeleton(batch) {
      const result = await run({ kind: "skeleton", batch }, []);
      if ("overrun" in result) return result;
      if (result.kind !== "skeleton") throw new Error("the render worker gave another job's answer");
      return result;
    },
    async describe(batch, context) {
      const result = await run({ kind: "describe", batch, context }, [batch.bytes.buffer]);
      if ("overrun" in result) return result;
      if (result.kind !== "describe") throw new Error("the render worker gave another job's answer");
      return result;
    },
    async resolve(input) {
      const result = await run(
        { kind: "resolve", input },
        input.described.map(({ buffer }) => buffer),
      );
      if ("overrun" in result) return result;
      if (result.kind !== "resolve") throw new Error("the render worker gave another job's answer");
      return result.unit;
    },
    async readDocuments(inputs) {
      const result = await run({ kind: "documents", inputs }, []);
      if ("overrun" in result) return result;
      if (result.kind !== "documents") throw new Error("the render worker gave another job's answer");
      return result.files;
    },
    async renderInput(job) {
      const result = await run({ kind: "input", job }, []);
      if ("overrun" in result) return result;
      if (result.kind !== "input") throw new Error("the render worker gave another job's answer");
      return result.answer;
    },
    async checkInput(input) {
      const result = await run({ kind: "check", input }, []);
      if ("overrun" in result) return result;
      if (result.kind !== "check") throw new Error("the render worker gave another job's answer");
      return result.faults;
    },
    async checkValues(job) {
      const result = await run({ kind: "values", job }, []);
      if ("overrun" in result) return result;
      if (result.kind !== "values") throw new Error("the render worker gave another job's answer");
      return result.checked;
    },
    async extensions() {
      if (options.extensions === undefined) return noExtensions().notes;
      const result = await run({ kind: "extensions" }, []);
      if ("overrun" in result) throw new Error("the modules of filters do not load in time");
      if (result.kind !== "extensions") throw new Error("the render worker gave another job's answer");
      return result.notes;
    },
    async close() {
      closed = true;
      clearInterval(watch);
      const waiting = [...queue.splice(0), ...slots.flatMap((slot) => slot.current ?? [])];
      const running = slots.flatMap((slot) => slot.worker ?? []);
      for (const slot of slots) {
        slot.worker = null;
        slot.current = null;
      }
      for (const pending of waiting) pending.reject(new Error("the renderer is closed"));
      await Promise.all(running.map((worker) => worker.terminate()));
    },
  };
};

const stepOf = (slot: Slot): number => Math.max(0, Atomics.load(slot.progress, 0));

/** What an overrun means, as part of a sentence. */
export const overrunReason = ({ overrun }: Overrun, stepTimeoutMs: number): string =>
  overrun === "time" ? `it took longer than ${stepTimeoutMs} ms` : "it took too much memory";
