/** The files of an entity that can be edited: their location and content. */
import type { Failure, Problem } from "../../../platform/errors/failure.ts";
import { type Entity, parseEntityRef, refOf } from "../../entity.ts";
import { beside, parametersPath } from "../../catalogue/sources/file-reader.ts";
import { openGitObjects } from "../../catalogue/sources/git-objects.ts";
import {
  parseLocationRef,
  parseTarget,
  type GitTarget,
  type LocationTarget,
} from "../../catalogue/sources/target.ts";
import type { BuilderDeps } from "../../context.ts";
import { isSkeletonFile, readEntityText } from "../../templates/engine/expressions.ts";
import type { YamlMap, YamlValue } from "../../catalogue/entities/yaml.ts";
import { builderFailure } from "../../errors.ts";
import { withBranch, type OpenBranch } from "../../git/change-branch.ts";
import { hostKindOf } from "../../git/integrations.ts";
import type { EditPlan } from "../../templates/template.ts";
import type { FileToRead, ReadDocuments } from "../../catalogue/entities/read-documents.ts";
import { overrunReason, type Renderer } from "../../renderer.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** Where the files of an entity are. */
export interface EntityPlace {
  ref: string;
  /** Path of its own file. */
  git: GitTarget;
  /** The same as a location. */
  location: LocationTarget;
  /** The location that provides it. */
  origin: LocationTarget;
}

export interface EditableFiles {
  isSkeleton: boolean;
  catalogInfo: { path: string; bytes: Buffer };
  parameters: { path: string; bytes: Buffer | null };
  known: KnownValues;
  /** The entity's document, when the entity is not a skeleton. */
  document: YamlMap | null;
}

type Deps = Pick<BuilderDeps, "settings" | "outbound" | "renderer">;

const annotationOf = (entity: Entity, name: string): LocationTarget | null =>
  parseLocationRef(entity.metadata.annotations?.[`backstage.io/${name}`] ?? "");

/**
 * Throws a Failure for an entity that is not a system or component, or whose files are not in a repository.
 */
export function placeOf({ settings }: Pick<BuilderDeps, "settings">, entity: Entity): EntityPlace {
  const ref = refOf(entity);
  if (!/^(?:system|component)$/i.test(entity.kind))
    throw notEditable(`${ref} is neither a system nor a component.`);
  const location = annotationOf(entity, "managed-by-location");
  const parsed =
    location === null
      ? null
      : parseTarget(location, {
          ownUrl: settings.baseUrl,
          hostKind: (host) => hostKindOf(settings.integrations, host),
        });
  if (parsed?.kind !== "git" || location === null)
    throw notEditable(`The files of ${ref} are in no git repository, so no change of them can be published.`);
  const { kind: _kind, ...git } = parsed;
  return { ref, git, location, origin: annotationOf(entity, "managed-by-origin-location") ?? location };
}

/** The same, as stored with the task. */
export function placeOfPlan(
  deps: Pick<BuilderDeps, "settings">,
  { entityRef, location, origin }: EditPlan,
): EntityPlace {
  const ref = parseEntityRef(entityRef);
  const annotations = {
    "backstage.io/managed-by-location": location,
    "backstage.io/managed-by-origin-location": origin,
  };
  const metadata = { name: ref?.name ?? "", namespace: ref?.namespace ?? "", annotations };
  return placeOf(deps, { apiVersion: "", kind: ref?.kind ?? "", metadata });
}

export const notEditable = (message: string): Failure => builderFailure("BUILDER_NOT_EDITABLE", { message });

export interface EditableAccess {
  deps: Deps;
  signal: AbortSignal;
  now: () => Date;
}

/**
 * Opens the repository of an entity, reads its files at the head of their branch, and passes both to the
 * work.
 */
export function withEditable<T>(
  place: EntityPlace,
  access: EditableAccess,
  work: (files: EditableFiles, open: OpenBranch) => Promise<T>,
): Promise<T> {
  return withBranch(place.git, access, async (open) => work(await readFiles(place, access, open), open));
}

const maxFileBytes = 1024 * 1024;

async function readFiles(
  { git }: EntityPlace,
  { deps, signal }: EditableAccess,
  { gitDir, head }: OpenBranch,
): Promise<EditableFiles> {
  const { settings } = deps;
  const objects = openGitObjects(head, { gitDir, timeoutMs: settings.git.timeoutMs, signal });
  try {
    const path = git.path;
    const bytes = await objects.read(path, maxFileBytes);
    if (bytes === null) throw notEditable(`The repository has no ${path} any more.`);
    const parameters = {
      path: parametersPath(path),
      bytes: await objects.read(parametersPath(path), maxFileBytes),
    };
    const reading = readDeps(deps);
    const known = await readKnownValues(
      reading,
      { file: parameters.path, bytes: parameters.bytes },
      settings.environments,
    );
    const isSkeleton = isSkeletonFile(bytes);
    const document = isSkeleton ? null : await readOne(reading, { file: path, bytes, environment: "" });
    if (document !== null && !isRecord(document)) throw notEditable(`${path} holds no entity.`);
    const catalogInfo = { path, bytes };
    return { isSkeleton, catalogInfo, parameters, known: withLegacy(known, document), document };
  } finally {
    objects.close();
  }
}

export const readDeps = ({ renderer, settings }: Deps): ReadDeps => ({
  renderer,
  renderTimeoutMs: settings.renderTimeoutMs,
});

/** Entities from before skeletons have their parameters in `witboost.parameters` of their own file. */
function withLegacy(known: KnownValues, document: YamlMap | null): KnownValues {
  const legacy = legacyParameters(document);
  return legacy === null ? known : { ...known, parameters: { ...legacy, ...known.parameters } };
}

export function legacyParameters(document: YamlMap | null): YamlMap | null {
  const block = document?.["witboost"];
  const parameters = isRecord(block) ? block["parameters"] : undefined;
  return isRecord(parameters) ? parameters : null;
}

/** The input of an adapter for one environment: the resolved entity and its configuration. */
export async function readForEnvironment(
  { git }: EntityPlace,
  { deps, signal }: EditableAccess,
  { open, files, environment }: { open: OpenBranch; files: EditableFiles; environment: string },
): Promise<{ catalogInfo: YamlMap; configuration: YamlMap | null }> {
  const { gitDir, head } = open;
  const { settings } = deps;
  const { bytes } = files.parameters;
  const parameters = bytes === null ? {} : { parameters: { file: files.parameters.path, bytes } };
  const own = { file: files.catalogInfo.path, bytes: files.catalogInfo.bytes, environment, ...parameters };
  const catalogInfo = await readOne(readDeps(deps), own);
  if (!isRecord(catalogInfo)) throw notEditable(`${git.path} holds no entity.`);
  const path = beside(git.path, `environments/${environment}/configurations.yaml`);
  const objects = openGitObjects(head, { gitDir, timeoutMs: settings.git.timeoutMs, signal });
  try {
    const text = await objects.read(path, maxFileBytes);
    if (text === null) return { catalogInfo, configuration: null };
    // Configurations are always rendered; this first line marks them as templates.
    const asSkeleton = Buffer.concat([Buffer.from("%SKELETON\n"), text]);
    const configuration = await readOne(readDeps(deps), {
      file: path,
      bytes: asSkeleton,
      environment,
      ...parameters,
    });
    return { catalogInfo, configuration: isRecord(configuration) ? configuration : null };
  } finally {
    objects.close();
  }
}

export interface KnownValues {
  /** As written, with its expressions. */
  document: YamlMap;
  /** Evaluated. */
  parameters: YamlMap;
  values: YamlMap;
  /** Evaluated, by environment. */
  environments: Record<string, YamlMap>;
}

interface ParametersFile {
  /** Path of the file, for problems. */
  file: string;
  /** Null when there is none. */
  bytes: Buffer | null;
}

export interface ReadDeps {
  renderer: Pick<Renderer, "run">;
  renderTimeoutMs: number;
}

/** Rejects with a Failure that lists all problems of the file. */
async function readKnownValues(
  deps: ReadDeps,
  { file, bytes }: ParametersFile,
  environments: readonly string[],
): Promise<KnownValues> {
  const known: KnownValues = { document: {}, parameters: {}, values: {}, environments: {} };
  if (bytes === null) return known;
  const read = readEntityText(bytes, file);
  if (!("text" in read)) throw unreadable([read]);
  const document = await readOne(deps, { file, bytes: Buffer.from(read.text), environment: "" });
  if (!isRecord(document) && document !== null)
    throw unreadable([{ where: file, message: "The file must hold a map of sections." }]);
  known.document = document ?? {};
  for (const environment of environments) {
    const [parameters, values, own] = await readAll(deps, {
      file,
      bytes: Buffer.alloc(0),
      parameters: { file, bytes },
      environment,
      sections: ["parameters", "values", "env"],
    });
    if (environment === environments[0]) {
      known.parameters = mapOf(parameters);
      known.values = mapOf(values);
    }
    known.environments[environment] = mapOf(own);
  }
  return known;
}

const mapOf = (value: YamlValue | undefined): YamlMap => (isRecord(value) ? value : {});

/** The single document of a file, rendered when it is a template. */
export async function readOne(deps: ReadDeps, input: FileToRead): Promise<YamlValue> {
  const documents = await readAll(deps, input);
  if (documents.length > 1)
    throw unreadable([{ where: input.file, message: "The file holds more than one document." }]);
  return documents[0] ?? null;
}

async function readAll({ renderer, renderTimeoutMs }: ReadDeps, input: FileToRead): Promise<YamlValue[]> {
  const result = await renderer.run("documents", [input]);
  if ("overrun" in result) {
    const message = `The file was given up: ${overrunReason(result, renderTimeoutMs)}.`;
    throw unreadable([{ where: input.file, message }]);
  }
  const [{ documents, problems }] = result as [ReadDocuments];
  if (problems.length > 0) throw unreadable(problems);
  return documents;
}

const unreadable = (problems: Problem[]): Failure =>
  builderFailure("BUILDER_NOT_EDITABLE", {
    message: "The files of the entity cannot be read, so they cannot be changed.",
    problems,
  });
