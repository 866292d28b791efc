/** Reads a location and everything it refers to, and returns checked entities and problems. */
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import { createFileReader, loadLimits, type FileBytes } from "./file-reader.ts";
import { openLocation } from "./open-location.ts";
import {
  addProblems,
  fileOf,
  takeDocuments,
  type Load,
  type LoadDeps,
  type LoadedEntity,
  type OpenFile,
  type OpenSource,
  type Place,
} from "./read-entities.ts";
import { limitReading } from "./reading-limit.ts";
import { unreadable, type LocationSource } from "./source.ts";
import { folderOf, locationRef, resolvePath, type LocationTarget } from "./target.ts";

export interface LoadedLocation {
  /**
   * A version of the location's own source that changes with its files; null when the location includes other
   * sources.
   */
  version: string | null;
  entities: LoadedEntity[];
  problems: Problem[];
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
    documents: 0,
    characters: 0,
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

/** Files that are read concurrently and parsed together. */
const filesAtOnce = 64;
async function loadSource(source: LocationSource, place: Place): Promise<void> {
  const { load } = place;
  const isDirectory = await source.isDirectory();
  const files = isDirectory ? (await source.list()).filter(isEntityFile) : [source.entry];
  if (isDirectory && files.length === 0) {
    addProblems(load, [{ where: "/target", message: "The folder holds no catalog-info.yaml." }]);
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
    for (const file of read) if (file !== null && "problems" in file) addProblems(load, file.problems);
    const parsed = await open.reader.parse(found);
    for (const [index, { path, bytes }] of found.entries()) {
      const { documents, problems } = parsed[index]!;
      addProblems(load, problems);
      if (problems.length === 0 && documents.every(({ value }) => value === null)) {
        addProblems(load, [{ where: open.reader.shownAs(path), message: "The file holds no entity." }]);
      }
      await takeDocuments(fileOf(open, { path, bytes }, followTargets), documents);
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

/** A Location entity names further files: relative to its own, or elsewhere by an address. */
async function followTargets({ ref, entity: { spec = {} } }: LoadedEntity, open: OpenFile): Promise<void> {
  const { load, depth } = open.place;
  const targets = [spec["target"], spec["targets"]].flat().filter((target) => typeof target === "string");
  if (targets.length > 0 && depth >= loadLimits.depth) {
    const message = `Locations name each other deeper than ${loadLimits.depth} levels.`;
    addProblems(load, [{ where: open.path, message }]);
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
      const message = `The target ${target.slice(0, 200)} leads out of the location.`;
      addProblems(load, [{ where: open.path, message }]);
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
    const found = error.problems.map(({ message }) => ({ where, message }));
    addProblems(load, found);
  }
}
