/** The pool of threads in which untrusted templates, YAML and schemas are worked on. */
import { createWorkerPool, type Overrun, type WorkerPool } from "../platform/worker-pool/worker-pool.ts";
import type { ExtensionModules } from "./templates/engine/module-extensions.ts";
import { noExtensions, type ModuleNotes } from "./templates/engine/module-notes.ts";
import type { FileToRead, ReadDocuments } from "./catalogue/entities/read-documents.ts";
import type { YamlMap } from "./catalogue/entities/yaml.ts";
import type { ResolvedUnit } from "./descriptors/checks.ts";
import type { BatchContext, DescribedBatch, EntityBatch } from "./descriptors/entities/entity-batch.ts";
import type { GivenSections } from "./descriptors/entities/parameters-text.ts";
import type { UnitInput } from "./descriptors/resolve-summaries.ts";
import type { CheckedValues, ValuesJob } from "./templates/check-values.ts";
import type { RenderResult, TemplateContext, Json } from "./templates/engine/template-value.ts";
import type { InputFault, InputJob, InputResult } from "./templates/engine/render-input.ts";
import type { PathSearch } from "./templates/engine/path-pattern.ts";
import type { RenderedSkeleton, SkeletonBatch } from "./templates/engine/skeleton.ts";

/**
 * Largest input of a job, as `heapBytesOf` counts it; a quarter of a thread's heap, which also holds what the thread keeps and makes
 * of it. The forms of public templates take at most 0.3 MB.
 */
const maxInputMb = 64;

export interface RendererOptions {
  /** Threads. Default 2. */
  workers?: number;
  /** Longest that one step (one file, one template) may work. Default 1000. */
  stepTimeoutMs?: number;
  /** Heap of one thread. Default 256. */
  maxMemoryMb?: number;
  /** Jobs that may wait. Default 1000. */
  maxQueuedJobs?: number;
  /** Starts the threads with the first job, for a process that may never have one. */
  startLate?: boolean;
  /** Time without a job after which the threads end. */
  idleMs?: number;
  /** Modules whose filters and globals templates may use. */
  extensions?: ExtensionModules;
}

export interface Renderer extends WorkerPool<RenderJobs> {
  /** The filters and globals of the modules, and those that cannot be used. */
  extensions: () => Promise<ModuleNotes>;
}

export const createRenderer = (options: RendererOptions = {}): Renderer => {
  const { workers = 2, stepTimeoutMs = 1_000, maxMemoryMb = 256, maxQueuedJobs = 1_000 } = options;
  const pool = createWorkerPool<RenderJobs>({
    entry: new URL("./render-worker.ts", import.meta.url),
    title: "renderer",
    workerData: options.extensions ?? null,
    threads: workers,
    stepTimeoutMs,
    maxMemoryMb,
    maxInputMb,
    maxQueuedJobs,
    startLate: options.startLate ?? false,
    idleMs: options.idleMs,
    sentTogether: new Set(["describe"]),
    // Whoever wrote the template also chose the number of its steps.
    limitedAsOne: new Set(["input", "check"]),
    limitedInThread: new Set(["render", "input", "values"]),
  });
  return {
    ...pool,
    async extensions() {
      if (options.extensions === undefined) return noExtensions().notes;
      const notes = await pool.run("extensions", null);
      if ("overrun" in notes) throw new Error("the modules of filters do not load in time");
      return notes;
    },
  };
};

/** The reason of an overrun, as part of a sentence. */
export const overrunReason = ({ overrun }: Overrun, stepTimeoutMs: number): string =>
  ({
    time: `it took longer than ${stepTimeoutMs} ms`,
    memory: "it took too much memory",
    size: `it takes more than the ${maxInputMb} MB that a thread may be sent`,
  })[overrun];

// The jobs of the render workers, with their inputs and results.

// A type and not an interface, so that it has the index signature of the pool's job types.
// oxlint-disable-next-line typescript/consistent-type-definitions
export type RenderJobs = {
  /** Renders one template; a template that is a single expression keeps the type of its value. */
  render: { input: { template: string; context: TemplateContext }; result: RenderResult };
  /** Renders files of a skeleton; a step is one file. */
  skeleton: { input: SkeletonBatch; result: RenderedSkeleton };
  /** Describes entities of an archive; `fileOfStep` says which file a step is. */
  describe: { input: { batch: EntityBatch; context: BatchContext }; result: DescribedBatch };
  /** Puts the entities of an archive together. */
  resolve: { input: UnitInput; result: ResolvedUnit };
  /** Parses files of the catalogue, and renders those that are templates; a step is one file. */
  documents: { input: readonly FileToRead[]; result: ReadDocuments[] };
  /** The paths that a pattern of a template matches. */
  paths: { input: PathSearch; result: string[] };
  /** Writes the `parameters.yaml` of an entity: a document with the given sections merged over its own. */
  parameters: { input: { document: YamlMap; given: GivenSections }; result: Uint8Array<ArrayBuffer> };
  /** Renders every text of one nested input; the time limit is for all of them together. */
  input: { input: InputJob; result: InputResult };
  /** Finds errors in the texts of an input without rendering them. */
  check: { input: Json; result: InputFault[] };
  /** Validates the values of a form. */
  values: { input: ValuesJob; result: CheckedValues };
  /** Describes the filters and globals of the configured modules. */
  extensions: { input: null; result: ModuleNotes };
};
