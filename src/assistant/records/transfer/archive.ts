/** Packs texts into a .tar.gz and unpacks hostile ones; nothing is written to disk. */
import { promisify } from "node:util";
import { createGzip, gunzip } from "node:zlib";
import { extract, pack, type Header } from "tar-stream";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { bodyProblem } from "../../body-problems.ts";
import { parseRecordPath, type RecordPath } from "./record-paths.ts";

/** The same texts give the same bytes. */
export async function packTexts(files: ReadonlyMap<string, string>): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of files) tar.entry({ name, mtime: new Date(0) }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  const zipped: AsyncIterable<Buffer> = tar.pipe(createGzip());
  for await (const chunk of zipped) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export interface PackedRecord extends RecordPath {
  path: string;
  bytes: Buffer;
}

export interface Unpacked {
  records: PackedRecord[];
  /** Files that are no records. */
  ignored: string[];
  problems: InputProblem[];
}

export async function unpackRecords(bytes: Buffer): Promise<Unpacked> {
  const unpacked: Unpacked = { records: [], ignored: [], problems: [] };
  const stop = (message: string): Unpacked => {
    unpacked.problems.push(bodyProblem(["archive"], message));
    return unpacked;
  };
  const tar = await unzip(bytes);
  if (typeof tar === "string") return stop(tar);
  try {
    const problem = await readEntries(tar, unpacked);
    if (problem !== null) return stop(problem);
  } catch {
    // The parser throws for broken headers and an early end.
    return stop("is not a whole tar file");
  }
  if (unpacked.records.length === 0 && unpacked.problems.length === 0)
    return stop("has no skills/<key>/SKILL.md, agents/<key>/AGENT.md or external-agents/<key>.json");
  return unpacked;
}

const unzipAll = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

async function unzip(bytes: Buffer): Promise<Buffer | string> {
  try {
    return await unzipAll(bytes, { maxOutputLength: archiveLimits.unpackedBytes });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    return code === "ERR_BUFFER_TOO_LARGE"
      ? `unpacks to more than ${archiveLimits.unpackedBytes} bytes`
      : "is not a whole .tar.gz file";
  }
}

async function readEntries(tar: Buffer, unpacked: Unpacked): Promise<string | null> {
  const entries = extract();
  entries.end(tar);
  const seen = new Set<string>();
  let count = 0;
  for await (const entry of entries) {
    count += 1;
    if (count > archiveLimits.entries) return `has more than ${archiveLimits.entries} entries`;
    const path = entry.header.name.replace(/^\.\//, "");
    const place = parseRecordPath(path);
    const problem = place === null ? null : entryProblem(entry.header, seen.has(path));
    if (place === null || problem !== null) {
      if (problem !== null) unpacked.problems.push(bodyProblem([path], problem));
      else if (entry.header.type !== "directory") unpacked.ignored.push(path);
      entry.resume();
      continue;
    }
    seen.add(path);
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
    unpacked.records.push({ ...place, path, bytes: Buffer.concat(chunks) });
  }
  return null;
}

function entryProblem({ type, size }: Header, isRepeated: boolean): string | null {
  if (type !== "file") return `must be a file; it is a ${type ?? "special file"}`;
  if (size > archiveLimits.fileBytes) return `is larger than ${archiveLimits.fileBytes} bytes`;
  return isRepeated ? "is in the archive twice" : null;
}

/** Limits of archives, for exports and imports. */
export const archiveLimits = {
  packedBytes: 10 * 1024 * 1024,
  unpackedBytes: 40 * 1024 * 1024,
  fileBytes: 3 * 1024 * 1024,
  entries: 5_000,
  /** Of one kind. */
  records: 1_000,
} as const;
