/** Sends the files of a skeleton to the render worker in batches and assembles the results. */
import { posix } from "node:path";
import { isSkeletonFile } from "../templates/engine/expressions.ts";
import { builderFailure } from "../errors.ts";
import { isBinary, type Tree, type TreeFile } from "../git/tree.ts";
import type { RenderedSkeleton, SkeletonFile } from "../templates/engine/skeleton.ts";
import type { TemplateContext } from "../templates/engine/template-value.ts";
import type { ActionContext } from "./action.ts";
import { overrunReason } from "../renderer.ts";

export interface RenderTreeOptions {
  /** Patterns of files whose content is not rendered. */
  copyOnly: readonly string[];
  /** Whether the names of those files are rendered. */
  rendersCopiedNames: boolean;
  /** When given, only files with this extension are rendered. */
  extension: string | null;
  /** False leaves every name as it is. */
  rendersNames?: boolean;
  /** Paths of files whose content is not rendered; their names are. */
  asTheyAre?: ReadonlySet<string>;
}

/** One batch: the most that the worker holds at a time, and that is lost when a file takes too long. */
const portionFiles = 200;
const portionBytes = 2 * 1024 * 1024;
/** Larger files are copied without rendering. */
const maxTemplateBytes = 1024 * 1024;
export const maxRenderedBytes = 100 * 1024 * 1024;

/** The rendered tree. Rejects with a Failure that lists every file that cannot be rendered. */
export async function renderTree(tree: Tree, ctx: ActionContext, options: RenderTreeOptions): Promise<Tree> {
  const entries: Entry[] = [
    ...tree.folders.map((path) => ({ file: null, job: { path, content: null } })),
    ...tree.files.map((file) => ({ file, job: fileJob(file, options) })),
  ];
  const rendered: Tree = { files: [], folders: [], skipped: [] };
  const problems: { where: string; message: string }[] = [];
  let bytes = 0;
  for (const portion of portionsOf(entries)) {
    ctx.signal.throwIfAborted();
    const result = await renderPortion(portion, ctx, options);
    problems.push(...result.problems);
    for (const [index, { path, content }] of result.files.entries()) {
      const file = portion[index]?.file;
      if (path === null || file === undefined) continue;
      if (file === null) rendered.folders.push(path);
      else if (content === null) rendered.files.push({ ...file, path });
      else {
        const written = Buffer.from(content);
        rendered.files.push({ ...file, path, content: written });
        bytes += written.length;
      }
      if (bytes > maxRenderedBytes) {
        throw builderFailure("BUILDER_FETCH_TOO_LARGE", {
          message: `The skeleton renders to more than ${maxRenderedBytes} bytes.`,
        });
      }
    }
  }
  if (problems.length > 0) throw renderFailure(problems);
  return rendered;
}

interface Entry {
  /** Null for a folder. */
  file: TreeFile | null;
  job: SkeletonFile;
}

/** A `%SKELETON` file is only rendered when its entity is resolved, with the values known then. */
const fileJob = (
  { path, content }: TreeFile,
  { extension, asTheyAre }: Pick<RenderTreeOptions, "extension" | "asTheyAre">,
): SkeletonFile => {
  const isChosen = extension === null || posix.extname(path) === extension;
  const isLeft = asTheyAre?.has(path) === true || isSkeletonFile(content);
  const isText = isChosen && !isLeft && content.length <= maxTemplateBytes && !isBinary(content);
  return {
    path: isChosen && extension !== null ? path.slice(0, -extension.length) : path,
    content: isText ? content.toString("utf8") : null,
  };
};

function* portionsOf(entries: readonly Entry[]): Generator<Entry[]> {
  let portion: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = entry.job.content?.length ?? 0;
    if (portion.length > 0 && (portion.length >= portionFiles || bytes + size > portionBytes)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(entry);
    bytes += size;
  }
  if (portion.length > 0) yield portion;
}

async function renderPortion(
  portion: Entry[],
  { deps, input }: ActionContext,
  { copyOnly, rendersCopiedNames, rendersNames = true }: RenderTreeOptions,
): Promise<RenderedSkeleton> {
  const isForCookiecutter = input["cookiecutterCompat"] === true;
  const result = await deps.renderer.run("skeleton", {
    files: portion.map(({ job }) => job),
    context: { [isForCookiecutter ? "cookiecutter" : "values"]: (input["values"] ?? {}) as TemplateContext },
    cookiecutterCompat: isForCookiecutter,
    trimBlocks: input["trimBlocks"] === true,
    lstripBlocks: input["lstripBlocks"] === true,
    rendersNames,
    copyOnly,
    rendersCopiedNames,
  });
  if (!("overrun" in result)) return result;
  if (result.overrun === "size") {
    const message = `The \`values\` are too large: ${overrunReason(result, deps.settings.renderTimeoutMs)}.`;
    throw builderFailure("BUILDER_ACTION_INPUT", { message });
  }
  const message =
    result.overrun === "time" ? "it takes too long to render" : "it takes too much memory to render";
  throw renderFailure([{ where: portion[result.step]?.job.path ?? "", message }]);
}

const maxListed = 50;

export const renderFailure = (problems: readonly { where: string; message: string }[]) => {
  const [first] = problems;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more problems` : "";
  return builderFailure("BUILDER_RENDER_FAILED", {
    message: `The skeleton cannot be rendered: ${first?.where}: ${first?.message}${more}.`,
    problems: problems.slice(0, maxListed),
  });
};

/** The extension that marks template files; null when every file is one. */
export const extensionOf = (given: string | boolean | undefined): string | null => {
  if (given === undefined || given === false || given === "") return null;
  if (given === true) return ".njk";
  return given.startsWith(".") ? given : `.${given}`;
};

/** The path without the extension that marks template files. */
export const writtenPath = (path: string, extension: string | null): string =>
  extension !== null && posix.extname(path) === extension ? path.slice(0, -extension.length) : path;
