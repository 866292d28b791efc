import { parentPort } from "node:worker_threads";
import { readDocuments } from "../catalogue/entities/read-documents.ts";
import { describeBatch } from "../descriptors/entities/entity-batch.ts";
import { resolveSummaries } from "../descriptors/resolve-summaries.ts";
import type { WorkerRequest, WorkerResponse, WorkerResult } from "./renderer.ts";
import { render } from "./render.ts";
import { renderSkeleton } from "./skeleton.ts";
import { checkInput, renderInput } from "./render-input.ts";

/**
 * Entry of the render worker. Everything that comes from outside and takes time runs here, in a thread that can be
 * killed: templates (with their regular expressions), YAML, and what is made of them.
 */

const answer = async ({ id, job, progress }: WorkerRequest): Promise<WorkerResponse> => {
  Atomics.store(progress, 0, 0);
  const atStep = (step: number): void => void Atomics.store(progress, 0, step);
  if (job.kind === "input") return { id, result: { kind: "input", answer: renderInput(job.job, atStep) } };
  if (job.kind === "check") return { id, result: { kind: "check", faults: checkInput(job.input, atStep) } };
  if (job.kind === "values") {
    // Most builds never need the validator, and it is the largest part of what a thread would load.
    const { checkValues } = await import("./check-values.ts");
    return { id, result: { kind: "values", checked: checkValues(job.job) } };
  }
  if (job.kind === "render") return { id, result: { kind: "render", ...render(job.template, job.context) } };
  if (job.kind === "resolve") return { id, result: { kind: "resolve", unit: resolveSummaries(job.input) } };
  if (job.kind === "skeleton")
    return { id, result: { kind: "skeleton", ...renderSkeleton(job.batch, atStep) } };
  if (job.kind === "documents") return { id, result: { kind: "documents", ...readDocuments(job.input) } };
  const described = describeBatch(job.batch, job.context, atStep);
  return { id, result: { kind: "describe", ...described } };
};

/** What is handed over instead of copied. */
const buffersOf = (result: WorkerResult): ArrayBuffer[] =>
  result.kind === "describe" ? [result.bytes.buffer, result.summaries.buffer] : [];

const onRequest = async (request: WorkerRequest): Promise<void> => {
  let response: WorkerResponse;
  try {
    response = await answer(request);
  } catch (error) {
    // A defect of ours: the text goes to the log of the main thread, never to a caller.
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
