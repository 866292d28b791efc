/** Renders the files of a skeleton; runs in the render worker, one step for each file. */
import { createPathMatcher } from "./path-pattern.ts";
import { createTemplateScope } from "./render.ts";
import type { RenderResult, TemplateContext } from "./template-value.ts";

export interface SkeletonFile {
  path: string;
  /** Null for a folder, and for a file whose content is not rendered. */
  content: string | null;
}

export interface SkeletonBatch {
  files: SkeletonFile[];
  /** Variables of the files, mostly `values`. */
  context: TemplateContext;
  trimBlocks: boolean;
  lstripBlocks: boolean;
  /** Uses the tags of cookiecutter: `{{ }}`. */
  cookiecutterCompat: boolean;
  rendersNames: boolean;
  /** Patterns of files whose content is not rendered. They are untrusted and may be slow to match. */
  copyOnly: readonly string[];
  /** Whether the names of those are rendered. */
  rendersCopiedNames: boolean;
}

export interface RenderedFile {
  /** Null when the path renders to nothing. */
  path: string | null;
  /** Null for a folder, and when unchanged. */
  content: string | null;
}

export interface SkeletonProblem {
  /** `path`, or `path:line:column`. */
  where: string;
  message: string;
}

export interface RenderedSkeleton {
  /** The rendered files, in the order of the batch. */
  files: RenderedFile[];
  problems: SkeletonProblem[];
}

export function renderSkeleton(batch: SkeletonBatch, onStep: (step: number) => void): RenderedSkeleton {
  const { files, context, trimBlocks, lstripBlocks, cookiecutterCompat, copyOnly } = batch;
  const scope = createTemplateScope([], context, { trimBlocks, lstripBlocks, cookiecutterCompat });
  const copied = copyOnly.map(createPathMatcher);
  const problems: SkeletonProblem[] = [];
  const textOf = (result: RenderResult, path: string): string => {
    if (result.ok) return typeof result.value === "string" ? result.value : "";
    const position = result.line === undefined ? "" : `:${result.line}:${result.column ?? 1}`;
    problems.push({ where: `${path}${position}`, message: result.reason });
    return "";
  };
  const rendered = files.map((file, step): RenderedFile => {
    onStep(step);
    const isCopied = copied.some((matches) => matches(file.path));
    const rendersName = batch.rendersNames && (batch.rendersCopiedNames || !isCopied);
    const path = rendersName ? textOf(scope.render(file.path), `name of ${file.path}`) : file.path;
    if (isLeftOut(path)) return { path: null, content: null };
    if (file.content === null || isCopied) return { path, content: null };
    const text = textOf(scope.render(file.content), file.path);
    return { path, content: text === file.content ? null : text };
  });
  return { files: rendered, problems };
}

/** A folder or file whose name renders to nothing is omitted, with everything in it. */
const isLeftOut = (path: string): boolean =>
  path === "" || path.startsWith("/") || path.endsWith("/") || path.includes("//");
