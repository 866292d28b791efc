/** Reads a location and everything that it leads to: from its target to checked entities and problems. */
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import { isMap, type YamlMap } from "../../descriptors/entities/yaml.ts";
import type { Renderer } from "../../templates/renderer.ts";
import { checkEntity } from "../entities/check-entity.ts";
import type { Entity } from "../entity.ts";
import { refOf } from "../entity-ref.ts";
import { openLocation, type SourceMeans } from "../sources/open-location.ts";
import { unreadable } from "../sources/refusal.ts";
import type { LocationSource } from "../sources/source.ts";
import { folderOf, locationRef, resolvePath, type LocationTarget } from "../sources/target.ts";
import { readFiles, type EntityFiles } from "./entity-files.ts";
import { createFileReader, loadLimits, type FileReader } from "./file-reader.ts";
import { resolveIncludes } from "./includes.ts";

export interface LoadedEntity {
  ref: string;
  /** As it stands in its file, with what it includes. */
  entity: Entity;
  /** `type:target` of its file. */
  managedBy: string;
  /** `file:line:column` of it, for problems. */
  where: string;
  /** What a descriptor is built from; empty for what is neither a system nor a component. */
  files: EntityFiles;
}

export interface LoadedLocation {
  /** What the location's own source says changes with its files; null when other sources are in it. */
  version: string | null;
  entities: LoadedEntity[];
  problems: Problem[];
}

export interface LoadMeans extends SourceMeans {
  renderer: Pick<Renderer, "readDocuments">;
}

/** Null when the source still has the version that is known. Throws a Failure when the target itself can't be read. */
export async function loadLocation(
  means: LoadMeans,
  target: LocationTarget,
  { signal, knownVersion = null }: { signal: AbortSignal; knownVersion?: string | null },
): Promise<LoadedLocation | null> {
  const { readTimeoutMs } = means.settings.catalogue;
  const limit = AbortSignal.timeout(readTimeoutMs);
  try {
    return await loadAll(means, target, { signal: AbortSignal.any([signal, limit]), knownVersion });
  } catch (error) {
    if (!limit.aborted || signal.aborted) throw error;
    throw unreadable("/target", `The location was not read within ${readTimeoutMs} ms.`);
  }
}

async function loadAll(
  means: LoadMeans,
  target: LocationTarget,
  { signal, knownVersion }: { signal: AbortSignal; knownVersion: string | null },
): Promise<LoadedLocation | null> {
  const load: Load = {
    means,
    signal,
    entities: new Map(),
    problems: [],
    seen: new Set(),
    files: 0,
    bytes: 0,
    isMixed: false,
  };
  const root = await openLocation(means, target, load.signal);
  try {
    if (root.version !== null && root.version === knownVersion) return null;
    await loadSource(root, { load, depth: 0, isRoot: true });
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
  means: LoadMeans;
  signal: AbortSignal;
  entities: Map<string, LoadedEntity>;
  problems: Problem[];
  /** Files that have been read, so that locations that name each other end. */
  seen: Set<string>;
  files: number;
  bytes: number;
  isMixed: boolean;
}

interface Place {
  load: Load;
  /** Locations that this one was named through. */
  depth: number;
  isRoot: boolean;
}

async function loadSource(source: LocationSource, place: Place): Promise<void> {
  const isDirectory = await source.isDirectory();
  const files = isDirectory ? (await source.list()).filter(isEntityFile) : [source.entry];
  if (isDirectory && files.length === 0) {
    place.load.problems.push({ where: "/target", message: "The folder holds no catalog-info.yaml." });
  }
  for (const file of files) await loadFile(source, file, place);
}

/** In a folder only files of these names are entities; skeletons of templates and hidden folders are left out. */
function isEntityFile(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const isHidden = parts.some(
    (part) => part.startsWith(".") || part === "skeleton" || part === "node_modules",
  );
  return !isHidden && /^(?:catalog-info|template|edit-template)\.ya?ml$/.test(name);
}

async function loadFile(source: LocationSource, file: string, place: Place): Promise<void> {
  const { load } = place;
  const managedBy = source.refOf(file);
  if (load.seen.has(managedBy)) return;
  load.seen.add(managedBy);
  const reader = createFileReader(source, {
    renderer: load.means.renderer,
    environment: load.means.settings.environments[0] ?? "",
    budget: load,
    shownAs: (path) => (place.isRoot ? path : source.refOf(path)),
  });
  try {
    const bytes = await reader.read(file);
    if (bytes === null) {
      const where = file === source.entry ? "/target" : file;
      if (place.isRoot && where === "/target") throw missing(file);
      load.problems.push(missing(file).problems[0] ?? { where, message: "" });
      return;
    }
    await loadDocuments({ source, file, managedBy, reader, bytes, place });
  } catch (error) {
    // The target itself is the caller's to correct; of the others every one is told.
    if (!(error instanceof Failure) || (place.isRoot && file === source.entry)) throw error;
    load.problems.push(...error.problems);
  }
}

const missing = (file: string): Failure =>
  unreadable(file === "" ? "/target" : file, "There is no such file.");

interface OpenFile {
  source: LocationSource;
  file: string;
  managedBy: string;
  reader: FileReader;
  bytes: Buffer;
  place: Place;
}

async function loadDocuments(open: OpenFile): Promise<void> {
  const { reader, file, bytes, place } = open;
  const { load } = place;
  const parsed = await reader.parse(file, bytes);
  load.problems.push(...parsed.problems);
  const documents = parsed.documents.map((document, index) => ({ document, index }));
  if (parsed.ok && documents.every(({ document }) => document === null)) {
    load.problems.push({ where: reader.shownAs(file), message: "The file holds no entity." });
  }
  for (const { document, index } of documents.filter(({ document: each }) => each !== null)) {
    const included = await resolveIncludes(document, file, reader);
    const found = included.problems.length > 0 ? included.problems : checkEntity(included.value);
    const wanted = [
      { document: index, pointer: "" },
      ...found.map(({ pointer }) => ({ document: index, pointer })),
    ];
    // Lines are only looked for where something is told about them.
    const places = found.length > 0 ? await reader.locate(file, bytes, wanted) : [];
    load.problems.push(
      ...found.map(({ pointer, message }, at) => ({
        where: `${places[at + 1] ?? file}#${pointer}`,
        message,
      })),
    );
    if (found.length > 0 || !isMap(included.value)) continue;
    const isPlain = documents.length === 1 && included.count === 0;
    await addEntity(included.value, { open, index, isPlain });
  }
}

interface Found {
  open: OpenFile;
  index: number;
  /** The file is this one document, without anything included. */
  isPlain: boolean;
}

async function addEntity(document: YamlMap, { open, index, isPlain }: Found): Promise<void> {
  const { load } = open.place;
  const entity = entityOf(document);
  const ref = refOf(entity);
  const first = load.entities.get(ref);
  if (first !== undefined) {
    const [where = open.file] = await open.reader.locate(open.file, open.bytes, [
      { document: index, pointer: "/metadata/name" },
    ]);
    load.problems.push({
      where,
      message: `The entity ${ref} is in this location already, in ${first.where}.`,
    });
    return;
  }
  if (load.entities.size >= loadLimits.entities) {
    if (!load.problems.includes(tooMany)) load.problems.push(tooMany);
    return;
  }
  const files = await readFiles(entity, {
    file: open.file,
    reader: open.reader,
    environments: load.means.settings.environments,
    own: isPlain ? open.bytes : Buffer.from(JSON.stringify(document)),
  });
  load.entities.set(ref, {
    ref,
    entity,
    managedBy: open.managedBy,
    where: open.reader.shownAs(open.file),
    files,
  });
  if (entity.kind.toLowerCase() === "location") await followTargets(entity, open);
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

/** A Location names further files: beside its own, or elsewhere by an address. */
async function followTargets({ spec = {} }: Entity, open: OpenFile): Promise<void> {
  const { load, depth } = open.place;
  const targets = [spec["target"], spec["targets"]].flat().filter((target) => typeof target === "string");
  if (targets.length > 0 && depth >= loadLimits.depth) {
    const message = `Locations name each other deeper than ${loadLimits.depth} levels.`;
    load.problems.push({ where: open.file, message });
    return;
  }
  const place = { ...open.place, depth: depth + 1 };
  for (const target of targets) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) {
      await followAddress(target, typeof spec["type"] === "string" ? spec["type"] : "url", { open, place });
      continue;
    }
    const inside = target.startsWith("/") ? null : resolvePath(folderOf(open.file), target);
    if (inside === null) {
      load.problems.push({
        where: open.file,
        message: `The target ${target.slice(0, 200)} leads out of the location.`,
      });
    } else {
      await loadFile(open.source, inside, place);
    }
  }
}

/** What comes over the network may name other addresses, never a file of this machine. */
async function followAddress(
  target: string,
  type: string,
  { open, place }: { open: OpenFile; place: Place },
): Promise<void> {
  const { load } = place;
  load.isMixed = true;
  const next = { type: type === "git" ? "git" : "url", target };
  const where = locationRef(next);
  try {
    const source = await openLocation(load.means, next, load.signal);
    try {
      await loadSource(source, { ...place, isRoot: false });
    } finally {
      await source.close();
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    load.problems.push(
      ...error.problems.map(({ message }) => ({ where: `${open.file} → ${where}`, message })),
    );
  }
}
