import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { readFiles } from "../catalogue/entities/read-documents.ts";
import { describeBatch } from "../descriptors/entities/entity-batch.ts";
import { resolveSummaries } from "../descriptors/resolve-summaries.ts";
import type { ValuesJob } from "./check-values.ts";
import type { WorkerJob, WorkerRequest, WorkerResponse, WorkerResult } from "./renderer.ts";
import { loadExtensions, type ExtensionModules } from "./module-extensions.ts";
import { noExtensions } from "./module-notes.ts";
import { installExtensions, isKnownFilter, render } from "./render.ts";
import { renderSkeleton } from "./skeleton.ts";
import { checkInput, renderInput, textsOf } from "./render-input.ts";
import { ownThreadId } from "./thread-time.ts";
import { withTimeLimit } from "./time-limit.ts";

/**
 * Entry of the render worker. Untrusted and potentially slow work runs here, in a thread that can be
 * terminated: templates (with their regular expressions), YAML, and the processing of both.
 */

// Linux has a priority per thread: request handling goes before templates.
if (process.platform === "linux") setPriority(0, 5);

const threadId = ownThreadId();

/** Extensions of the configured modules are installed before the first job. */
const named = (workerData ?? null) as ExtensionModules | null;
const extensions =
  named === null ? Promise.resolve(noExtensions()) : loadExtensions(named, isKnownFilter).then(install);

function install(found: Awaited<ReturnType<typeof loadExtensions>>): typeof found {
  installExtensions(found);
  return found;
}

const answer = async (request: WorkerRequest): Promise<WorkerResponse> => {
  const { id, job, limitMs } = request;
  const { notes } = await extensions;
  if (job.kind === "extensions") return { id, result: { kind: "extensions", notes } };
  Atomics.store(request.progress, 1, threadId);
  Atomics.store(request.progress, 0, 0);
  // Loaded on demand: most builds do not need the validator, and it is the largest dependency of the thread.
  const { checkValues } = job.kind === "values" ? await import("./check-values.ts") : {};
  const work = (): WorkerResult =>
    job.kind === "values" ? { kind: "values", checked: checkValues!(job.job) } : resultOf(job, request);
  if (!mayTakeLong(job)) return { id, result: work() };
  const timed = withTimeLimit(work, limitMs);
  return timed === null ? { id, isLate: true } : { id, result: timed.value };
};

function resultOf(
  job: Exclude<WorkerJob, { kind: "values" | "extensions" }>,
  { progress }: WorkerRequest,
): WorkerResult {
  const atStep = (step: number): void => void Atomics.store(progress, 0, step);
  if (job.kind === "input") return { kind: "input", answer: renderInput(job.job, atStep) };
  if (job.kind === "check") return { kind: "check", faults: checkInput(job.input, atStep) };
  if (job.kind === "render") return { kind: "render", ...render(job.template, job.context) };
  if (job.kind === "resolve") return { kind: "resolve", unit: resolveSummaries(job.input) };
  if (job.kind === "skeleton") return { kind: "skeleton", ...renderSkeleton(job.batch, atStep) };
  if (job.kind === "documents") return { kind: "documents", files: readFiles(job.inputs, atStep) };
  return { kind: "describe", ...describeBatch(job.batch, job.context, atStep) };
}

/**
 * Whether a job may be slow although the engine limits its steps: block loops are slow, regular expressions
 * unlimited.
 */
function mayTakeLong(job: WorkerJob): boolean {
  if (job.kind === "input") return textsOf(job.job.input).some(({ text }) => slowText.test(text));
  if (job.kind === "render") return slowText.test(job.template);
  return job.kind === "values" && hasPatterns(job.job);
}

const slowText = /\{%|r\/|range/;

const patterned = new Map<string, boolean>();
const maxSchemas = 200;

function hasPatterns({ key, schemas, pages = [] }: ValuesJob): boolean {
  let found = patterned.get(key);
  if (found === undefined) {
    found =
      JSON.stringify(schemas).includes('"pattern') || JSON.stringify(pages).includes('"regularExpression"');
    if (patterned.size >= maxSchemas) patterned.clear();
    patterned.set(key, found);
  }
  return found;
}

/** Buffers that are transferred instead of copied. */
const buffersOf = (result: WorkerResult): ArrayBuffer[] =>
  result.kind === "describe" ? [result.bytes.buffer, result.summaries.buffer] : [];

const onRequest = async (request: WorkerRequest): Promise<void> => {
  let response: WorkerResponse;
  try {
    response = await answer(request);
  } catch (error) {
    // A defect of ours: the text is logged by the main thread and never sent to a caller.
    response = {
      id: request.id,
      defect: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
  const bytes = "result" in response ? buffersOf(response.result) : [];
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(response, bytes);
};

parentPort?.on("message", (request: WorkerRequest) => void onRequest(request));
