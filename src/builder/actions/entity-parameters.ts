/**
 * Writes a `parameters.yaml` for each entity of a skeleton. A `catalog-info.yaml` that begins with %SKELETON is rendered when its
 * entity is resolved, so the values from the user and the step must be stored with it. Configurations that are templates are
 * rendered then as well, and never here.
 */
import { posix } from "node:path";
import { yieldToEventLoop } from "../../platform/lib/files/small-files.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { heapBytesOf } from "../../platform/worker-pool/heap-bytes.ts";
import type { ReadDocuments } from "../catalogue/entities/read-documents.ts";
import { excessOf, yamlLimits, type YamlMap, type YamlValue } from "../catalogue/entities/yaml.ts";
import { asTextSection, type GivenSections } from "../descriptors/entities/parameters-text.ts";
import { builderFailure } from "../errors.ts";
import type { Tree, TreeFile } from "../git/tree.ts";
import { overrunReason } from "../renderer.ts";
import { hasTemplateMarks, isSkeletonFile, readEntityText } from "../templates/engine/expressions.ts";
import type { ActionContext } from "./action.ts";
import { maxRenderedBytes, renderFailure, renderTree, writtenPath } from "./render-tree.ts";

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
  const entities = await findEntities(tree, ctx, extension);
  if (entities.length === 0) return { tree, asTheyAre: new Set() };
  const given = givenSections(ctx);
  /** The same for every entity whose skeleton has none of its own. */
  let usual: Promise<Buffer> | undefined;
  const written: TreeFile[] = [];
  let bytes = 0;
  for (const { own, parametersPath: path } of entities) {
    await yieldToEventLoop();
    ctx.signal.throwIfAborted();
    const content = await (own === undefined
      ? (usual ??= writeText({ document: {}, given, path }, ctx))
      : writeText({ document: await readOwn(own, ctx, extension), given, path }, ctx));
    bytes += content.length;
    if (bytes > maxRenderedBytes) {
      const message = `The values make parameters.yaml files of more than ${maxRenderedBytes} bytes, one for each entity of the skeleton.`;
      throw builderFailure("BUILDER_FETCH_TOO_LARGE", { message });
    }
    written.push({ path, content, isExecutable: false });
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

async function findEntities(
  tree: Tree,
  { input, signal }: ActionContext,
  extension: string | null,
): Promise<SkeletonEntity[]> {
  const byName = new Map(tree.files.map((file) => [writtenPath(file.path, extension), file]));
  const byFolder = configurationsOf(byName);
  const entities: SkeletonEntity[] = [];
  for (const file of tree.files) {
    const path = writtenPath(file.path, extension);
    if (!/^catalog-info\.ya?ml$/.test(posix.basename(path))) continue;
    await yieldToEventLoop();
    signal.throwIfAborted();
    const folder = folderOf(path);
    // Cookiecutter tags are not understood when an entity is resolved.
    const configurations = input["cookiecutterCompat"] === true ? [] : (byFolder.get(folder) ?? []);
    if (!isSkeletonFile(file.content) && !configurations.some(isTemplate)) continue;
    const parametersPath = `${folder}parameters.yaml`;
    const own = byName.get(parametersPath);
    entities.push({ parametersPath: own?.path ?? parametersPath, own, configurations });
  }
  return entities;
}

/** The configurations of environments, by the folder of their entity. */
function configurationsOf(byName: ReadonlyMap<string, TreeFile>): Map<string, TreeFile[]> {
  const found = new Map<string, TreeFile[]>();
  for (const [path, file] of byName) {
    const folder = /^((?:.*\/)?)environments\/[^/]+\/configurations\.yaml$/s.exec(path)?.[1];
    if (folder === undefined) continue;
    const known = found.get(folder);
    if (known === undefined) found.set(folder, [file]);
    else known.push(file);
  }
  return found;
}

/** With its slash; empty for a file at the root. */
const folderOf = (path: string): string => {
  const folder = posix.dirname(path);
  return folder === "." ? "" : `${folder}/`;
};

const isTemplate = ({ content }: TreeFile): boolean => hasTemplateMarks(content.toString("utf8"));

/** Limit of the memory that the values take. Values that fit into one `parameters.yaml` never reach it. */
const maxGivenBytes = 32 * 1024 * 1024;

/** What every `parameters.yaml` gets. Refuses more than can be read again when the entity is resolved. */
function givenSections({ input, parameters, environment, withoutSecrets }: ActionContext): GivenSections {
  const given = input["values"];
  const values = isRecord(given) ? given : {};
  if (heapBytesOf([parameters, values, environment], maxGivenBytes) > maxGivenBytes) throw tooManyValues();
  const sections = {
    parameters: asYaml(withoutSecrets(parameters)),
    values: asYaml(withoutSecrets(values)),
    environmentParameters: Object.fromEntries(
      Object.entries(environment).map(([name, own]) => [name, asYaml(withoutSecrets(own))]),
    ),
  };
  if (excessOf(sections) !== null) throw tooManyValues();
  return sections;
}

const tooManyValues = () =>
  builderFailure("BUILDER_ACTION_INPUT", {
    message:
      `The parameters and \`values\` are more than a parameters.yaml may hold, which is ${yamlLimits.maxExpandedNodes} values ` +
      `and ${yamlLimits.maxExpandedCharacters} characters. Have the skeleton bring large content in files of its own.`,
  });

/** The values are JSON, which is a subset of YAML. */
const asYaml = (values: Record<string, unknown>): YamlMap => values as YamlMap;

interface NewText {
  document: YamlMap;
  given: GivenSections;
  path: string;
}

async function writeText({ document, given, path }: NewText, { deps }: ActionContext): Promise<Buffer> {
  const result = await deps.renderer.run("parameters", { document, given });
  if ("overrun" in result) {
    const reason = overrunReason(result, deps.settings.renderTimeoutMs);
    throw renderFailure([{ where: path, message: `it cannot be written: ${reason}` }]);
  }
  return Buffer.from(result.buffer, result.byteOffset, result.byteLength);
}

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
