/** Takes the entities of one file that has been read into the location that is loaded. */
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import { yieldToEventLoop } from "../../../platform/lib/files/small-files.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";
import { type Entity, refOf } from "../../entity.ts";
import type { Renderer } from "../../renderer.ts";
import { checkEntity } from "../entities/check-entity.ts";
import type { YamlMap } from "../entities/yaml.ts";
import {
  beside,
  loadLimits,
  parametersPath,
  type FileBytes,
  type FileReader,
  type FoundDocument,
} from "./file-reader.ts";
import { resolveIncludes, type IncludeReader } from "./includes.ts";
import type { SourceDeps } from "./open-location.ts";
import type { LocationSource } from "./source.ts";

export interface LoadedEntity {
  ref: string;
  /** As in its file, with includes resolved. */
  entity: Entity;
  /** `type:target` of its file. */
  managedBy: string;
  /** References of the Location entities that name its file. */
  parents: string[];
  /** `file:line:column` of it, for problems. */
  where: string;
  /** The files that a descriptor is built from; empty unless it is a system or a component. */
  files: EntityFiles;
}

export interface LoadDeps extends SourceDeps {
  renderer: Pick<Renderer, "run">;
}

/** A location while it is read. */
export interface Load {
  deps: LoadDeps;
  signal: AbortSignal;
  onProgress: () => void;
  entities: Map<string, LoadedEntity>;
  problems: Problem[];
  /** The Location entities that name each file that has been read, so that circular references end. */
  namedBy: Map<string, string[]>;
  files: number;
  bytes: number;
  documents: number;
  characters: number;
  overruns: number;
  isMixed: boolean;
}

export interface Place {
  load: Load;
  /** Location entities through which this one was reached. */
  depth: number;
  /** Reference of the last of them. */
  parent: string | null;
  isRoot: boolean;
}

export interface OpenSource {
  source: LocationSource;
  reader: FileReader;
  place: Place;
}

export interface OpenFile extends OpenSource, FileBytes {
  managedBy: string;
  includes: IncludeReader;
  /** Reads what a Location entity of the file names. */
  follow: (location: LoadedEntity, open: OpenFile) => Promise<void>;
}

/** Cached, because many documents of one file may refer to the same file beside it. */
export function fileOf(open: OpenSource, { path, bytes }: FileBytes, follow: OpenFile["follow"]): OpenFile {
  const { reader, source } = open;
  const once = new Map<string, Promise<Buffer | null>>();
  const read = async (wanted: string): Promise<Buffer | null> => {
    const known = once.get(wanted);
    if (known === undefined) {
      const first = reader.read(wanted);
      once.set(wanted, first);
      return first;
    }
    const content = await known;
    reader.countBytes(content?.length ?? 0);
    return content;
  };
  const includes: IncludeReader = {
    read,
    async parse(included, content) {
      const [parsed = { documents: [], problems: [] }] = await reader.parse([
        { path: included, bytes: content },
      ]);
      const { documents, problems } = parsed;
      return { ok: problems.length === 0, value: documents[0]?.value ?? null, problems };
    },
  };
  return { ...open, path, bytes, managedBy: source.refOf(path), includes, follow };
}

export async function takeDocuments(open: OpenFile, documents: readonly FoundDocument[]): Promise<void> {
  const { signal } = open.place.load;
  for (const document of documents) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    if (document.value !== null) await takeDocument(open, document, documents.length === 1);
  }
}

async function takeDocument(open: OpenFile, document: FoundDocument, isOnly: boolean): Promise<void> {
  const { load } = open.place;
  try {
    const included = await resolveIncludes(document.value, open.path, open.includes);
    const found = included.problems.length > 0 ? included.problems : checkEntity(included.value);
    if (found.length > 0) return await reportProblems(open, document, found);
    if (!isRecord(included.value)) return;
    await addEntity(included.value, { open, document, isPlain: isOnly && included.count === 0 });
  } catch (error) {
    // A file that may not be read is a problem of this entity alone; for the target itself it is the caller's
    // error.
    if (!(error instanceof Failure) || (open.place.isRoot && open.path === open.source.entry)) throw error;
    addProblems(load, error.problems);
  }
}

/** Problems beyond the limit are reported to nobody. */
export function addProblems(load: Load, problems: readonly Problem[]): void {
  load.problems.push(...problems.slice(0, problemsLeft(load)));
}

const problemsLeft = ({ problems }: Load): number => Math.max(0, loadLimits.problems - problems.length);

/** Positions are computed only for problems that are reported. */
async function reportProblems(
  { path, reader, place: { load } }: OpenFile,
  document: FoundDocument,
  found: readonly { pointer: string; message: string }[],
): Promise<void> {
  const reported = found.slice(0, problemsLeft(load));
  if (reported.length === 0) return;
  const places = await reader.locate(
    document,
    reported.map(({ pointer }) => pointer),
  );
  addProblems(
    load,
    reported.map(({ pointer, message }, at) => ({ where: `${places[at] ?? path}#${pointer}`, message })),
  );
}

interface Found {
  open: OpenFile;
  document: FoundDocument;
  /** The file contains only this document, without includes. */
  isPlain: boolean;
}

async function addEntity(value: YamlMap, { open, document, isPlain }: Found): Promise<void> {
  const { load } = open.place;
  const entity = entityOf(value);
  const ref = refOf(entity);
  const first = load.entities.get(ref);
  if (first !== undefined) {
    if (problemsLeft(load) === 0) return;
    const [where = open.path] = await open.reader.locate(document, ["/metadata/name"]);
    const message = `The entity ${ref} is in this location already, in ${first.where}.`;
    addProblems(load, [{ where, message }]);
    return;
  }
  if (load.entities.size >= loadLimits.entities) {
    if (!load.problems.includes(tooMany)) load.problems.unshift(tooMany);
    return;
  }
  const files = await readFiles(entity, {
    file: open.path,
    reader: open.includes,
    environments: load.deps.settings.environments,
    own: isPlain ? open.bytes : Buffer.from(JSON.stringify(value)),
  });
  const loaded: LoadedEntity = {
    ref,
    entity,
    managedBy: open.managedBy,
    // One array for all entities of a file, because another Location may name it later.
    parents: load.namedBy.get(open.managedBy) ?? [],
    where: open.reader.shownAs(open.path),
    files,
  };
  load.entities.set(ref, loaded);
  if (entity.kind.toLowerCase() === "location") await open.follow(loaded, open);
}

const tooMany: Problem = {
  where: "/target",
  message: `The location has more than ${loadLimits.entities} entities; the rest was left out.`,
};

const entityOf = (document: YamlMap): Entity => {
  const { relations: _relations, status: _status, ...rest } = document;
  // oxlint-disable-next-line no-unsafe-type-assertion -- checkEntity has looked at every part of it
  return rest as unknown as Entity;
};

// The files of a system or a component that its descriptor is built from.

/**
 * By name, as in a directory of an archive: `catalog-info.yaml`,
 * `environments/<environment>/configurations.yaml`.
 */
export type EntityFiles = ReadonlyMap<string, Buffer>;

interface EntityFilesOptions {
  /** Path of the entity's own file in its location. */
  file: string;
  reader: Pick<FileReader, "read">;
  environments: readonly string[];
  own: Buffer;
}

/** Parameters and configurations are read beside an entity file that has the same name as in an archive. */
async function readFiles(entity: Entity, options: EntityFilesOptions): Promise<EntityFiles> {
  const files = new Map<string, Buffer>();
  if (!/^(?:system|component)$/i.test(entity.kind)) return files;
  const { file, reader, environments, own } = options;
  files.set("catalog-info.yaml", own);
  if (!/(?:^|\/)catalog-info\.ya?ml$/.test(file)) return files;
  const wanted = new Map([["parameters.yaml", parametersPath(file)]]);
  for (const environment of environments) {
    const name = `environments/${environment}/configurations.yaml`;
    wanted.set(name, beside(file, name));
  }
  const found = await Promise.all(
    [...wanted].map(async ([name, path]) => ({ name, content: await reader.read(path) })),
  );
  for (const { name, content } of found) if (content !== null) files.set(name, content);
  return files;
}
