/** The files of an entity that can be edited: their location and content. */
import type { Failure } from "../../platform/errors/failure.ts";
import type { Entity } from "../catalogue/entity.ts";
import { parseEntityRef, refOf } from "../catalogue/entity-ref.ts";
import { beside, parametersPath } from "../catalogue/locations/file-reader.ts";
import { openGitObjects } from "../catalogue/sources/git-objects.ts";
import {
  parseLocationRef,
  parseTarget,
  type GitTarget,
  type LocationTarget,
} from "../catalogue/sources/target.ts";
import type { BuilderDeps } from "../context.ts";
import { isSkeletonFile } from "../descriptors/entities/entity-text.ts";
import type { YamlMap } from "../descriptors/entities/yaml.ts";
import { builderFailure } from "../errors.ts";
import { withBranch, type OpenBranch } from "../git/change-branch.ts";
import { hostKindOf } from "../git/integrations.ts";
import type { EditPlan } from "../templates/template.ts";
import { readKnownValues, readOne, type KnownValues, type ReadDeps } from "./known-values.ts";
import { isRecord } from "../../platform/lib/is-record.ts";

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
