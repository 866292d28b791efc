import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, type Gunzip } from "node:zlib";
import { extract, type ExtractEvents, type Header } from "tar-stream";
import { Failure, type Problem } from "../../../platform/errors/failure.ts";
import { builderFailure } from "../../errors.ts";
import type { EntityDirectory, EntityFileName } from "../entities/describe-entity.ts";
import type { ArchiveLimits } from "./archive-limits.ts";
import { createNameRegister, readEntryPath, showName } from "./entry-path.ts";

export interface UnpackOptions {
  limits: ArchiveLimits;
  /** Environments whose `configurations.yaml` is kept. */
  environments: ReadonlySet<string>;
  signal?: AbortSignal;
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
  const collector = createCollector(options);
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const tar = extract();
  tar.on("entry", (header, stream, next) => {
    try {
      collector.onEntry(header, stream, next);
    } catch (error) {
      next(error instanceof Error ? error : new Error("the entry was not read", { cause: error }));
    }
  });
  const upload = { bytes: 0 };
  let stopped = false;
  try {
    await pipeline(
      source,
      (chunks) => meterUpload(chunks as AsyncIterable<Buffer>, upload, options.limits),
      gunzip,
      (chunks) => meterUnpacked(chunks as AsyncIterable<Buffer>, gunzip, options.limits),
      tar,
      options.signal === undefined ? {} : { signal: options.signal },
    );
    // zlib stops at the end of the gzip data; anything after it has not been read.
    if (gunzip.bytesWritten < upload.bytes) {
      throw new HardStop(
        "The archive has data after its end.",
        "Pack it again, without appending to the file.",
      );
    }
  } catch (error) {
    if (options.signal?.aborted === true || error instanceof Failure) throw error;
    collector.problems.push(stopProblem(error));
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

type EntryStream = ExtractEvents["entry"][1];

class HardStop extends Error {
  readonly solution: string;
  constructor(message: string, solution: string) {
    super(message);
    this.solution = solution;
  }
}

async function* meterUpload(
  chunks: AsyncIterable<Buffer>,
  upload: { bytes: number },
  limits: ArchiveLimits,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (upload.bytes === 0 && (chunk[0] !== 0x1f || (chunk.length > 1 && chunk[1] !== 0x8b))) {
      throw new HardStop("The archive is not gzip data.", "Upload a .tar.gz file.");
    }
    upload.bytes += chunk.length;
    if (upload.bytes > limits.maxUploadBytes) {
      throw tooLarge(limits);
    }
    yield chunk;
  }
  if (upload.bytes === 0) throw new HardStop("The archive has no content.", "Upload a .tar.gz file.");
}

/** The failure of an upload over its limit, also when the HTTP layer detected it. */
export const tooLarge = (limits: Pick<ArchiveLimits, "maxUploadBytes">): Failure =>
  builderFailure("BUILDER_ARCHIVE_TOO_LARGE", {
    message: `The archive is larger than ${limits.maxUploadBytes} bytes.`,
    problems: [{ where: "/archive", message: `An archive has at most ${limits.maxUploadBytes} bytes.` }],
  });

async function* meterUnpacked(
  chunks: AsyncIterable<Buffer>,
  gunzip: Gunzip,
  limits: ArchiveLimits,
): AsyncGenerator<Buffer> {
  let unpacked = 0;
  for await (const chunk of chunks) {
    unpacked += chunk.length;
    if (unpacked > limits.maxUnpackedBytes) {
      throw new HardStop(
        `The archive unpacks to more than ${limits.maxUnpackedBytes} bytes.`,
        "Leave large files out.",
      );
    }
    // `bytesWritten` counts the bytes that zlib has consumed, without those buffered ahead.
    if (unpacked > limits.ratioFreeBytes && unpacked > gunzip.bytesWritten * limits.maxRatio) {
      throw new HardStop(
        `The archive unpacks to more than ${limits.maxRatio} times its size.`,
        "Leave filler files out.",
      );
    }
    yield chunk;
  }
}

const stopProblem = (error: unknown): Problem => {
  const where = "/archive";
  if (error instanceof HardStop) return { where, message: error.message, solution: error.solution };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? error.message : "";
  if (code === "Z_BUF_ERROR" || text === "Unexpected end of data") {
    return {
      where,
      message: "The archive is cut off before its end.",
      solution: "Pack and upload it again.",
    };
  }
  if (code.startsWith("Z_")) return { where, message: "The archive is not valid gzip data." };
  if (code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET") {
    return { where, message: "The upload ended before the archive was complete." };
  }
  if (/^Invalid (?:tar )?header|^Header exceeds/.test(text)) {
    return { where, message: "The archive is not a valid tar file." };
  }
  throw error;
};

const createCollector = ({ limits, environments }: UnpackOptions) => {
  const problems: Problem[] = [];
  const found = new Map<string, UnpackedDirectory>();
  const names = createNameRegister();
  let entries = 0;
  let storedBytes = 0;

  const report = (header: Header, message: string): void => {
    problems.push({ where: showName(header.name), message });
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

    onEntry(header: Header, stream: EntryStream, next: () => void): void {
      // When the archive fails within an entry, the entry's stream fails too; without a listener that would
      // end the process.
      stream.on("error", ignore);
      entries += 1;
      if (entries > limits.maxEntries) {
        throw new HardStop(
          `The archive has more than ${limits.maxEntries} entries.`,
          "Pack the entity files only.",
        );
      }
      const segments = checkEntry(header, { limits, names, report });
      const [directory] = segments ?? [];
      const isEntityDirectory =
        segments !== null &&
        directory !== undefined &&
        !directory.startsWith(".") &&
        (segments.length > 1 || header.type === "directory");
      if (isEntityDirectory && !found.has(directory))
        found.set(directory, { directory, configurations: new Map() });
      if (!isEntityDirectory || header.type !== "file" || !isWanted(segments, environments)) {
        stream.on("end", next);
        stream.resume();
        return;
      }
      storedBytes += header.size ?? 0;
      if (storedBytes > limits.maxStoredBytes) {
        throw new HardStop(
          `The entity files have more than ${limits.maxStoredBytes} bytes together.`,
          "Split the system.",
        );
      }
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk) => chunk instanceof Uint8Array && chunks.push(chunk));
      stream.on("end", () => {
        // Concatenating copies, so that a small file does not retain the whole chunk it arrived in.
        store(segments, Buffer.concat(chunks));
        next();
      });
    },
  };
};

const ignore = (): void => {};

interface EntryChecks {
  limits: ArchiveLimits;
  names: ReturnType<typeof createNameRegister>;
  report: (header: Header, message: string) => void;
}

/** The segments of a valid entry's name; null for an entry that is reported or ignored. */
const checkEntry = (header: Header, { limits, names, report }: EntryChecks): string[] | null => {
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
  if ((header.size ?? 0) > limits.maxFileBytes) {
    report(header, `The file is larger than ${limits.maxFileBytes} bytes.`);
    return null;
  }
  const clash = path.segments.length === 0 ? null : names.add(path.segments, header.type === "file");
  if (clash !== null) report(header, clash);
  return clash === null ? path.segments : null;
};

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
