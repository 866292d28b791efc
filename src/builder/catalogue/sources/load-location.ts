/** Reads a location and everything it refers to, and returns checked entities and problems. */
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import type { YamlMap } from "../entities/yaml.ts";
import type { Renderer } from "../../renderer.ts";
import { checkEntity } from "../entities/check-entity.ts";
import { type Entity, refOf } from "../../entity.ts";
import { openLocation, type SourceDeps } from "./open-location.ts";
import { unreadable, type LocationSource } from "./source.ts";
import { folderOf, locationRef, resolvePath, type LocationTarget } from "./target.ts";
import { readFiles, type EntityFiles } from "./entity-files.ts";
import {
  createFileReader,
  loadLimits,
  type FileBytes,
  type FileReader,
  type FoundDocument,
} from "./file-reader.ts";
import { resolveIncludes, type IncludeReader } from "./includes.ts";
import { limitReading } from "./reading-limit.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

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

export interface LoadedLocation {
  /**
   * A version of the location's own source that changes with its files; null when the location includes other
   * sources.
   */
  version: string | null;
  entities: LoadedEntity[];
  problems: Problem[];
}

export interface LoadDeps extends SourceDeps {
  renderer: Pick<Renderer, "run">;
}

export interface LoadOptions {
  signal: AbortSignal;
  knownVersion?: string | null;
  /** Called repeatedly while files are read. */
  onProgress?: () => void;
}

/**
 * Null when the source still has the known version. Throws a Failure when the target itself cannot be read.
 */
export async function loadLocation(
  deps: LoadDeps,
  target: LocationTarget,
  { signal, knownVersion = null, onProgress }: LoadOptions,
): Promise<LoadedLocation | null> {
  const { readTimeoutMs } = deps.settings.catalogue;
  const limit = limitReading(readTimeoutMs);
  const load: Load = {
    deps,
    signal: AbortSignal.any([signal, limit.signal]),
    onProgress() {
      limit.extend();
      onProgress?.();
    },
    entities: new Map(),
    problems: [],
    namedBy: new Map(),
    files: 0,
    bytes: 0,
    overruns: 0,
    isMixed: false,
  };
  try {
    return await loadAll(load, target, knownVersion);
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    throw unreadable("/target", limit.reason());
  } finally {
    limit.end();
  }
}

async function loadAll(
  load: Load,
  target: LocationTarget,
  knownVersion: string | null,
): Promise<LoadedLocation | null> {
  const root = await openLocation(load.deps, target, load.signal);
  try {
    if (root.version !== null && root.version === knownVersion) return null;
    await loadSource(root, { load, depth: 0, parent: null, isRoot: true });
    // After an abort the source may report existing files as missing.
    load.signal.throwIfAborted();
    return {
      version: load.isMixed ? null : root.version,
      entities: [...load.entities.values()],
      problems: load.problems.slice(0, loadLimits.problems),
    };
  } finally {
    await root.close();
  }
}

interface Load {
  deps: LoadDeps;
  signal: AbortSignal;
  onProgress: () => void;
  entities: Map<string, LoadedEntity>;
  problems: Problem[];
  /** The Location entities that name each file that has been read, so that circular references end. */
  namedBy: Map<string, string[]>;
  files: number;
  bytes: number;
  overruns: number;
  isMixed: boolean;
}

interface Place {
  load: Load;
  /** Location entities through which this one was reached. */
  depth: number;
  /** Reference of the last of them. */
  parent: string | null;
  isRoot: boolean;
}

interface OpenSource {
  source: LocationSource;
  reader: FileReader;
  place: Place;
}

/** Files that are read concurrently and parsed together. */
const filesAtOnce = 64;
/** Documents that are processed before the event loop gets control again. */
const documentsAtOnce = 50;

async function loadSource(source: LocationSource, place: Place): Promise<void> {
  const { load } = place;
  const isDirectory = await source.isDirectory();
  const files = isDirectory ? (await source.list()).filter(isEntityFile) : [source.entry];
  if (isDirectory && files.length === 0) {
    load.problems.push({ where: "/target", message: "The folder holds no catalog-info.yaml." });
  }
  const reader = createFileReader(source, {
    renderer: load.deps.renderer,
    environment: load.deps.settings.environments[0] ?? "",
    budget: load,
    onProgress: load.onProgress,
    signal: load.signal,
    shownAs: (path) => (place.isRoot ? path : source.refOf(path)),
  });
  await loadFiles({ source, reader, place }, files);
}

/**
 * In a folder, only files with these names are entities; skeletons of templates and hidden folders are
 * ignored.
 */
function isEntityFile(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const isHidden = parts.some(
    (part) => part.startsWith(".") || part === "skeleton" || part === "node_modules",
  );
  return !isHidden && /^(?:catalog-info|template|edit-template)\.ya?ml$/.test(name);
}

async function loadFiles(open: OpenSource, files: readonly string[]): Promise<void> {
  for (let start = 0; start < files.length; start += filesAtOnce) {
    const { load } = open.place;
    load.signal.throwIfAborted();
    const group = files.slice(start, start + filesAtOnce);
    const read = await Promise.all(group.map((file) => readFile(open, file)));
    const found = read.filter((file) => file !== null && "bytes" in file);
    for (const file of read) if (file !== null && "problems" in file) load.problems.push(...file.problems);
    const parsed = await open.reader.parse(found);
    for (const [index, { path, bytes }] of found.entries()) {
      const { documents, problems } = parsed[index]!;
      load.problems.push(...problems);
      if (problems.length === 0 && documents.every(({ value }) => value === null)) {
        load.problems.push({ where: open.reader.shownAs(path), message: "The file holds no entity." });
      }
      await takeDocuments(fileOf(open, { path, bytes }), documents);
    }
  }
}

/** Null for a file that has already been read. */
async function readFile(
  { source, reader, place }: OpenSource,
  path: string,
): Promise<FileBytes | { problems: readonly Problem[] } | null> {
  const { load, isRoot, parent } = place;
  const managedBy = source.refOf(path);
  const known = load.namedBy.get(managedBy);
  if (known !== undefined) {
    if (parent !== null && !known.includes(parent)) known.push(parent);
    return null;
  }
  load.namedBy.set(managedBy, parent === null ? [] : [parent]);
  const isTarget = isRoot && path === source.entry;
  try {
    const bytes = await reader.read(path);
    if (bytes !== null) return { path, bytes };
    throw unreadable(isTarget || path === "" ? "/target" : path, "There is no such file.");
  } catch (error) {
    // A failure of the target itself is the response to the caller; a failure of any other file is reported
    // as a problem.
    if (!(error instanceof Failure) || isTarget) throw error;
    return { problems: error.problems };
  }
}

interface OpenFile extends OpenSource, FileBytes {
  managedBy: string;
  includes: IncludeReader;
}

/** Cached, because many documents of one file may refer to the same file beside it. */
function fileOf(open: OpenSource, { path, bytes }: FileBytes): OpenFile {
  const { reader, source } = open;
  const once = new Map<string, Promise<Buffer | null>>();
  const read = (beside: string): Promise<Buffer | null> => {
    const known = once.get(beside) ?? reader.read(beside);
    once.set(beside, known);
    return known;
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
  return { ...open, path, bytes, managedBy: source.refOf(path), includes };
}

async function takeDocuments(open: OpenFile, documents: readonly FoundDocument[]): Promise<void> {
  for (const [index, document] of documents.entries()) {
    if (index % documentsAtOnce === documentsAtOnce - 1) await yieldToEventLoop();
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
    load.problems.push(...error.problems);
  }
}

/** Positions are computed only for problems that are reported. */
async function reportProblems(
  { path, reader, place: { load } }: OpenFile,
  document: FoundDocument,
  found: readonly { pointer: string; message: string }[],
): Promise<void> {
  if (load.problems.length >= loadLimits.problems) return;
  const places = await reader.locate(
    document,
    found.map(({ pointer }) => pointer),
  );
  load.problems.push(
    ...found.map(({ pointer, message }, at) => ({ where: `${places[at] ?? path}#${pointer}`, message })),
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
    const [where = open.path] = await open.reader.locate(document, ["/metadata/name"]);
    load.problems.push({
      where,
      message: `The entity ${ref} is in this location already, in ${first.where}.`,
    });
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
  if (entity.kind.toLowerCase() === "location") await followTargets(loaded, open);
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

/** A Location entity names further files: relative to its own, or elsewhere by an address. */
async function followTargets({ ref, entity: { spec = {} } }: LoadedEntity, open: OpenFile): Promise<void> {
  const { load, depth } = open.place;
  const targets = [spec["target"], spec["targets"]].flat().filter((target) => typeof target === "string");
  if (targets.length > 0 && depth >= loadLimits.depth) {
    const message = `Locations name each other deeper than ${loadLimits.depth} levels.`;
    load.problems.push({ where: open.path, message });
    return;
  }
  const place = { ...open.place, depth: depth + 1, parent: ref };
  const beside: string[] = [];
  const addresses: string[] = [];
  for (const target of targets) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) {
      addresses.push(target);
      continue;
    }
    const inside = target.startsWith("/") ? null : resolvePath(folderOf(open.path), target);
    if (inside !== null) beside.push(inside);
    else {
      load.problems.push({
        where: open.path,
        message: `The target ${target.slice(0, 200)} leads out of the location.`,
      });
    }
  }
  await loadFiles({ source: open.source, reader: open.reader, place }, beside);
  const type = spec["type"] === "git" ? "git" : "url";
  for (const target of addresses) await followAddress({ type, target }, { open, place });
}

/** A location from the network may refer to other addresses, but never to a file on this machine. */
async function followAddress(
  target: LocationTarget,
  { open, place }: { open: OpenFile; place: Place },
): Promise<void> {
  const { load } = place;
  load.isMixed = true;
  try {
    const source = await openLocation(load.deps, target, load.signal);
    try {
      await loadSource(source, { ...place, isRoot: false });
    } finally {
      await source.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const where = `${open.path} → ${locationRef(target)}`;
    load.problems.push(...error.problems.map(({ message }) => ({ where, message })));
  }
}
