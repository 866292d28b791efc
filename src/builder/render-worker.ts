/**
 * Entry of the render worker. Untrusted and potentially slow work runs here, in a thread that can be terminated:
 * templates (with their regular expressions), YAML, and the processing of both.
 */
import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { serveJobs, type JobHandlers } from "../platform/worker-pool/serve-jobs.ts";
import { readFiles } from "./catalogue/entities/read-documents.ts";
import { describeBatch } from "./descriptors/entities/describe-batch.ts";
import { mergeSections, writeParameters } from "./descriptors/entities/parameters-text.ts";
import { resolveSummaries } from "./descriptors/resolve-summaries.ts";
import { loadExtensions, type ExtensionModules } from "./templates/engine/module-extensions.ts";
import { noExtensions, type ModuleNotes } from "./templates/engine/module-notes.ts";
import { installExtensions, isKnownFilter, render } from "./templates/engine/render.ts";
import { findPaths } from "./templates/engine/path-pattern.ts";
import { checkInput, renderInput } from "./templates/engine/render-input.ts";
import { textsOf } from "./templates/engine/template-value.ts";
import type { RenderJobs } from "./renderer.ts";
import { renderSkeleton } from "./templates/engine/skeleton.ts";

// Linux has a priority per thread: request handling goes before templates.
if (process.platform === "linux") setPriority(0, 5);

/** Extensions of the configured modules are installed before the first job. */
async function install(modules: ExtensionModules | null): Promise<ModuleNotes> {
  if (modules === null) return noExtensions().notes;
  const found = await loadExtensions(modules, isKnownFilter);
  installExtensions(found);
  return found.notes;
}

/** Tags and functions that may be slow although the engine limits its steps: regular expressions have no limit. */
const slowText = /\{%|r\/|range/;

const handlersWith = (notes: ModuleNotes): JobHandlers<RenderJobs> => ({
  render: {
    run: ({ template, context }) => render(template, context),
    mayTakeLong: ({ template }) => slowText.test(template),
  },
  skeleton: { run: renderSkeleton },
  describe: {
    run: ({ batch, context }, atStep) => describeBatch(batch, context, atStep),
    transfer: ({ bytes, summaries }) => [bytes.buffer, summaries.buffer],
  },
  resolve: { run: resolveSummaries },
  documents: { run: readFiles },
  paths: { run: findPaths },
  parameters: {
    run: ({ document, given }) => new TextEncoder().encode(writeParameters(mergeSections(document, given))),
    transfer: ({ buffer }) => [buffer],
  },
  input: {
    run: renderInput,
    mayTakeLong: ({ input }) => textsOf(input).some(({ text }) => slowText.test(text)),
  },
  check: { run: checkInput },
  // Loaded on demand: most builds do not need the validator, and it is the largest dependency of the thread.
  values: async () => {
    const { checkValues, hasSlowChecks } = await import("./templates/check-values.ts");
    return { run: checkValues, mayTakeLong: hasSlowChecks };
  },
  extensions: { run: () => notes },
});

serveJobs(install((workerData ?? null) as ExtensionModules | null).then(handlersWith));
