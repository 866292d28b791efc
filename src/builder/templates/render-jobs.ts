/** The jobs of the render workers, with their inputs and results. */
import type { FileToRead, ReadDocuments } from "../catalogue/entities/read-documents.ts";
import type { ResolvedUnit } from "../descriptors/checks.ts";
import type { BatchContext, DescribedBatch, EntityBatch } from "../descriptors/entities/entity-batch.ts";
import type { UnitInput } from "../descriptors/resolve-summaries.ts";
import type { CheckedValues, ValuesJob } from "./check-values.ts";
import type { ModuleNotes } from "./engine/module-notes.ts";
import type { RenderResult, TemplateContext, Json } from "./engine/template-value.ts";
import type { InputFault, InputJob, InputResult } from "./engine/render-input.ts";
import type { RenderedSkeleton, SkeletonBatch } from "./engine/skeleton.ts";

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
  /** Renders every text of one nested input; the time limit is for all of them together. */
  input: { input: InputJob; result: InputResult };
  /** Finds errors in the texts of an input without rendering them. */
  check: { input: Json; result: InputFault[] };
  /** Validates the values of a form. */
  values: { input: ValuesJob; result: CheckedValues };
  /** Describes the filters and globals of the configured modules. */
  extensions: { input: null; result: ModuleNotes };
};
