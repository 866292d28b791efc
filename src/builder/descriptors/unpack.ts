import type { Readable } from "node:stream";
import {
  ArchiveFault,
  readArchive,
  type ArchiveFaultReason,
  type EntryHeader,
  type TakeContent,
} from "../../platform/archive/read-archive.ts";
import type { Failure, Problem } from "../../platform/errors/failure.ts";
import { builderFailure } from "../errors.ts";
import type { EntityDirectory, EntityFileName } from "./entities/entity-files.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import { createNameRegister, readEntryPath, showName } from "./entry-path.ts";

export interface UnpackOptions {
  limits: ArchiveLimits;
  /** Environments whose `configurations.yaml` is kept. */
  environments: ReadonlySet<string>;
  signal?: AbortSignal;
  /** Called with a directory when the entry after its entries belongs to another directory. Not called for the last directory. */
  onLeft?: (directory: UnpackedDirectory) => void;
  /** Called when an entry belongs to a directory for which `onLeft` has been called. */
  onReturned?: () => void;
}

/** One top-level directory; its configurations are stored by environment until the environment is known. */
export interface UnpackedDirectory {
  directory: string;
  catalogInfo?: Uint8Array;
  parameters?: Uint8Array;
  configurations: Map<string, Uint8Array>;
}

export interface Unpacked {
  /** Sorted by name. */
  directories: UnpackedDirectory[];
  /** Problems of single entries. The rest of the archive was read nevertheless. */
  problems: Problem[];
  /** True when reading stopped early, at the last of the problems. */
  stopped: boolean;
}

/**
 * Reads a .tar.gz stream and keeps the entity files of its top-level directories in memory; nothing is
 * written to disk. A fatal violation (not gzip, corrupt, truncated, over a limit of the whole archive) stops
 * reading at once and destroys `source`; other problems are collected. Throws only for an aborted signal and
 * for an upload over `maxUploadBytes` (Failure `limit`).
 */
export const unpackArchive = async (source: Readable, options: UnpackOptions): Promise<Unpacked> => {
  const { limits, signal } = options;
  const collector = createCollector(options);
  let stopped = false;
  try {
    await readArchive(source, (header) => collector.visit(header), {
      limits: {
        packedBytes: limits.maxUploadBytes,
        unpackedBytes: limits.maxUnpackedBytes,
        entries: limits.maxEntries,
        ratio: limits.maxRatio,
        ratioFreeBytes: limits.ratioFreeBytes,
      },
      refusesTrailingData: true,
      signal,
    });
  } catch (error) {
    collector.problems.push(stopProblem(error, limits));
    stopped = true;
  }
  if (!stopped && collector.entryCount() === 0) {
    collector.problems.push({ where: "/archive", message: "The archive is empty." });
  }
  return { directories: collector.directories(), problems: collector.problems, stopped };
};

/** The files of a directory that apply to one environment. */
export const filesFor = (unpacked: UnpackedDirectory, environment: string): EntityDirectory => {
  const files: Partial<Record<EntityFileName, Uint8Array>> = {};
  const configurations = unpacked.configurations.get(environment);
  if (unpacked.catalogInfo !== undefined) files["catalog-info.yaml"] = unpacked.catalogInfo;
  if (unpacked.parameters !== undefined) files["parameters.yaml"] = unpacked.parameters;
  if (configurations !== undefined) files["configurations.yaml"] = configurations;
  return { directory: unpacked.directory, files };
};

const tooLarge = (limits: ArchiveLimits): Failure =>
  builderFailure("BUILDER_ARCHIVE_TOO_LARGE", {
    message: `The archive is larger than ${limits.maxUploadBytes} bytes.`,
    problems: [{ where: "/archive", message: `An archive has at most ${limits.maxUploadBytes} bytes.` }],
  });

/** Ends the reading of an archive whose entity files are too large together. */
class TooManyBytes extends Error {}

/** Throws what is no problem of the archive. */
const stopProblem = (error: unknown, limits: ArchiveLimits): Problem => {
  const where = "/archive";
  if (error instanceof TooManyBytes) {
    const message = `The entity files have more than ${limits.maxStoredBytes} bytes together.`;
    return { where, message, solution: "Split the system." };
  }
  if (!(error instanceof ArchiveFault)) throw error;
  if (error.reason === "packedBytes") throw tooLarge(limits);
  const [message, solution] = stopTexts(limits)[error.reason];
  return solution === undefined ? { where, message } : { where, message, solution };
};

const stopTexts = (
  limits: ArchiveLimits,
): Record<Exclude<ArchiveFaultReason, "packedBytes">, [message: string, solution?: string]> => {
  const cut: [string, string] = ["The archive is cut off before its end.", "Pack and upload it again."];
  return {
    empty: ["The archive has no content.", "Upload a .tar.gz file."],
    notGzip: ["The archive is not gzip data.", "Upload a .tar.gz file."],
    interrupted: ["The upload ended before the archive was complete."],
    cutGzip: cut,
    cutTar: cut,
    brokenGzip: ["The archive is not valid gzip data."],
    brokenTar: ["The archive is not a valid tar file."],
    trailingData: ["The archive has data after its end.", "Pack it again, without appending to the file."],
    unpackedBytes: [
      `The archive unpacks to more than ${limits.maxUnpackedBytes} bytes.`,
      "Leave large files out.",
    ],
    ratio: [`The archive unpacks to more than ${limits.maxRatio} times its size.`, "Leave filler files out."],
    entries: [`The archive has more than ${limits.maxEntries} entries.`, "Pack the entity files only."],
  };
};

const createCollector = ({ limits, environments, onLeft, onReturned }: UnpackOptions) => {
  const problems: Problem[] = [];
  const found = new Map<string, UnpackedDirectory>();
  const names = createNameRegister();
  let entries = 0;
  let storedBytes = 0;
  let current: UnpackedDirectory | undefined;

  const report = (header: EntryHeader, message: string): void => {
    problems.push({ where: showName(header.name), message });
  };

  const enter = (directory: string): void => {
    if (current?.directory === directory) return;
    if (current !== undefined) onLeft?.(current);
    const known = found.get(directory);
    if (known !== undefined) onReturned?.();
    current = known ?? { directory, configurations: new Map() };
    found.set(directory, current);
  };

  const store = (segments: readonly string[], content: Uint8Array): void => {
    const [directory = "", ...rest] = segments;
    const target = found.get(directory);
    if (target === undefined) return;
    if (rest.length === 1 && rest[0] === "catalog-info.yaml") target.catalogInfo = content;
    else if (rest.length === 1) target.parameters = content;
    else target.configurations.set(rest[1] ?? "", content);
  };

  return {
    problems,
    entryCount: () => entries,
    directories: (): UnpackedDirectory[] =>
      [...found.values()].sort((a, b) => (a.directory < b.directory ? -1 : 1)),

    visit(header: EntryHeader): TakeContent | null {
      entries += 1;
      const segments = checkEntry(header, { limits, names, report });
      const [directory] = segments ?? [];
      if (segments === null || directory === undefined) return null;
      enter(directory);
      if (header.type !== "file" || !isWanted(segments, environments)) return null;
      storedBytes += header.size ?? 0;
      if (storedBytes > limits.maxStoredBytes) throw new TooManyBytes();
      return (content) => store(segments, content);
    },
  };
};

interface EntryChecks {
  limits: ArchiveLimits;
  names: ReturnType<typeof createNameRegister>;
  report: (header: EntryHeader, message: string) => void;
}

/**
 * The segments of a valid entry's name; null for an entry that is reported or ignored. Of what is ignored only the path and the
 * type are checked: a `.git` may hold large files, and names that differ by case.
 */
const checkEntry = (header: EntryHeader, { limits, names, report }: EntryChecks): string[] | null => {
  const path = readEntryPath(header.name, limits);
  if (!path.ok) {
    report(header, path.message);
    return null;
  }
  if (header.type !== "file" && header.type !== "directory") {
    report(header, `Only files and directories are allowed, this is a ${header.type ?? "special file"}.`);
    return null;
  }
  if (Object.keys(header.pax ?? {}).some((key) => key.startsWith("GNU.sparse"))) {
    report(header, "Sparse files are not allowed.");
    return null;
  }
  if (isIgnored(path.segments, header)) return null;
  if ((header.size ?? 0) > limits.maxFileBytes) {
    report(header, `The file is larger than ${limits.maxFileBytes} bytes.`);
    return null;
  }
  const clash = names.add(path.segments, header.type === "file");
  if (clash !== null) report(header, clash);
  return clash === null ? path.segments : null;
};

/** Files at the top, and directories there whose name begins with a dot. */
const isIgnored = ([directory, ...below]: readonly string[], { type }: EntryHeader): boolean =>
  directory === undefined || directory.startsWith(".") || (below.length === 0 && type !== "directory");

const isWanted = (segments: readonly string[], environments: ReadonlySet<string>): boolean => {
  const [, second, third, fourth] = segments;
  if (segments.length === 2) return second === "catalog-info.yaml" || second === "parameters.yaml";
  return (
    segments.length === 4 &&
    second === "environments" &&
    fourth === "configurations.yaml" &&
    environments.has(third ?? "")
  );
};
