/** Sends the files of a skeleton to the render worker in batches and assembles the results. */
import { posix } from "node:path";
import { isSkeletonFile, hasTemplateMarks, readEntityText } from "../templates/engine/expressions.ts";
import { builderFailure } from "../errors.ts";
import { isBinary, type Tree, type TreeFile } from "../git/tree.ts";
import type { RenderedSkeleton, SkeletonFile } from "../templates/engine/skeleton.ts";
import type { TemplateContext } from "../templates/engine/template-value.ts";
import type { ActionContext } from "./action.ts";
import type { ReadDocuments } from "../catalogue/entities/read-documents.ts";
import { asTextSection, mergeSections, writeParameters } from "../descriptors/entities/parameters-text.ts";
import type { YamlMap, YamlValue } from "../catalogue/entities/yaml.ts";
import { overrunReason } from "../renderer.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

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
const maxRenderedBytes = 100 * 1024 * 1024;

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
      else
        rendered.files.push({
          ...file,
          path,
          content: content === null ? file.content : Buffer.from(content),
        });
      bytes += content?.length ?? 0;
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
    // Copy the content: posting a view would transfer its whole underlying buffer.
    content: isText ? new Uint8Array(content) : null,
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

// Writes a `parameters.yaml` for each entity of a skeleton. A `catalog-info.yaml` that begins with %SKELETON
// is rendered when its entity is resolved, so the values from the user and the step must be stored with it.
// Configurations that are templates are rendered then as well, and never here.

interface PreparedTree {
  tree: Tree;
  /** Paths of files that are rendered when the entity is resolved, or that are already complete. */
  asTheyAre: ReadonlySet<string>;
}

/** The tree with the `parameters.yaml` of every entity in it. `extension` as in RenderTreeOptions. */
export async function addParameters(
  tree: Tree,
  ctx: ActionContext,
  extension: string | null,
): Promise<PreparedTree> {
  const entities = findEntities(tree, ctx, extension);
  if (entities.length === 0) return { tree, asTheyAre: new Set() };
  const written: TreeFile[] = [];
  for (const entity of entities) {
    const content = await parametersOf(entity, ctx, extension);
    written.push({ path: entity.parametersPath, content, isExecutable: false });
  }
  const own = new Set(entities.map((entity) => entity.own));
  return {
    tree: { ...tree, files: [...tree.files.filter((file) => !own.has(file)), ...written] },
    asTheyAre: new Set(
      entities.flatMap(({ parametersPath, configurations }) => [
        parametersPath,
        ...configurations.map(({ path }) => path),
      ]),
    ),
  };
}

interface SkeletonEntity {
  /** Path of the file in the skeleton; its name may contain an expression. */
  parametersPath: string;
  /** The `parameters.yaml` that the skeleton itself contains. */
  own: TreeFile | undefined;
  configurations: TreeFile[];
}

function findEntities(tree: Tree, { input }: ActionContext, extension: string | null): SkeletonEntity[] {
  const byName = new Map(tree.files.map((file) => [writtenPath(file.path, extension), file]));
  return tree.files.flatMap((file): SkeletonEntity[] => {
    const path = writtenPath(file.path, extension);
    if (!/^catalog-info\.ya?ml$/.test(posix.basename(path))) return [];
    const folder = posix.dirname(path) === "." ? "" : `${posix.dirname(path)}/`;
    const configurations = [...byName].flatMap(([name, each]) =>
      name.startsWith(`${folder}environments/`) &&
      /^[^/]+\/configurations\.yaml$/.test(name.slice(folder.length + "environments/".length))
        ? [each]
        : [],
    );
    // Cookiecutter tags are not understood when an entity is resolved.
    const templates = input["cookiecutterCompat"] === true ? [] : configurations;
    if (!isSkeletonFile(file.content) && !templates.some(isTemplate)) return [];
    const parametersPath = `${folder}parameters.yaml`;
    const own = byName.get(parametersPath);
    return [{ parametersPath: own?.path ?? parametersPath, own, configurations: templates }];
  });
}

const isTemplate = ({ content }: TreeFile): boolean => hasTemplateMarks(content.toString("utf8"));

/** The extension that marks template files; null when every file is one. */
export const extensionOf = (given: string | boolean | undefined): string | null => {
  if (given === undefined || given === false || given === "") return null;
  if (given === true) return ".njk";
  return given.startsWith(".") ? given : `.${given}`;
};

/** The path without the extension that marks template files. */
const writtenPath = (path: string, extension: string | null): string =>
  extension !== null && posix.extname(path) === extension ? path.slice(0, -extension.length) : path;

async function parametersOf(
  entity: SkeletonEntity,
  ctx: ActionContext,
  extension: string | null,
): Promise<Buffer> {
  const { input, parameters, environment, withoutSecrets } = ctx;
  const document = entity.own === undefined ? {} : await readOwn(entity.own, ctx, extension);
  const values = input["values"];
  const merged = mergeSections(document, {
    parameters: asYaml(withoutSecrets(parameters)),
    values: asYaml(withoutSecrets(typeof values === "object" && values !== null ? { ...values } : {})),
    environmentParameters: Object.fromEntries(
      Object.entries(environment).map(([name, own]) => [name, asYaml(withoutSecrets(own))]),
    ),
  });
  return Buffer.from(writeParameters(merged));
}

/** The values are JSON, which is a subset of YAML. */
const asYaml = (values: Record<string, unknown>): YamlMap => values as YamlMap;

/**
 * The sections of a skeleton's own `parameters.yaml`. Expressions in valid YAML stay, to be evaluated when
 * the entity is resolved. A file that is only valid YAML once rendered is rendered now, and its values are
 * then plain text.
 */
async function readOwn(own: TreeFile, ctx: ActionContext, extension: string | null): Promise<YamlMap> {
  const { path } = own;
  const isChosen = extension !== null && posix.extname(path) === extension;
  const plain = isChosen ? null : await parse(own, ctx);
  if (plain !== null && "value" in plain) return plain.value;
  const tree: Tree = { files: [own], folders: [], skipped: [] };
  const options = { copyOnly: [], rendersCopiedNames: false, rendersNames: false, extension: null };
  const [rendered = own] = (await renderTree(tree, ctx, options)).files;
  const parsed = await parse(rendered, ctx);
  if (!("value" in parsed)) throw renderFailure(parsed.problems);
  return asText(parsed.value);
}

const asText = (document: YamlMap): YamlMap =>
  Object.fromEntries(
    Object.entries(document).map(([key, section]) => [
      key,
      !isRecord(section)
        ? section
        : key === "environmentParameters"
          ? Object.fromEntries(
              Object.entries(section).map(([name, own]) => [name, isRecord(own) ? asTextSection(own) : own]),
            )
          : asTextSection(section),
    ]),
  );

type Parsed = { value: YamlMap } | { problems: { where: string; message: string }[] };

async function parse({ path, content }: TreeFile, { deps }: ActionContext): Promise<Parsed> {
  const read = readEntityText(content, path);
  if (!("text" in read)) return { problems: [read] };
  const result = await deps.renderer.run("documents", [
    { file: path, bytes: Buffer.from(read.text), environment: "" },
  ]);
  if ("overrun" in result) {
    const reason = overrunReason(result, deps.settings.renderTimeoutMs);
    return { problems: [{ where: path, message: `it cannot be read: ${reason}` }] };
  }
  const [{ documents, problems }] = result as [ReadDocuments];
  if (problems.length > 0) return { problems };
  const value: YamlValue = documents[0] ?? {};
  if (isRecord(value) && documents.length < 2) return { value };
  return { problems: [{ where: path, message: "the file must hold one map of sections" }] };
}
