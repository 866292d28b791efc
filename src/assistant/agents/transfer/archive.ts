/** Unpacks hostile archives of records; nothing is written to disk. */
import {
  ArchiveFault,
  readArchive,
  type ArchiveFaultReason,
  type EntryHeader,
  type TakeContent,
} from "../../../platform/archive/read-archive.ts";
import type { InputProblem } from "../../../platform/http/operation.ts";
import { bodyProblem } from "../../body-problems.ts";
import { parseRecordPath, type RecordPath } from "./own-records.ts";

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
  const { unpackedBytes, entries } = archiveLimits;
  try {
    await readArchive(bytes, recordReader(unpacked), { limits: { unpackedBytes, entries } });
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    const problem = bodyProblem(["archive"], faultTexts[error.reason] ?? "is not a whole .tar.gz file");
    // Entries of a broken gzip file are not reliable, so problems found in them are left out.
    const isTar = error.reason in tarTexts;
    return { ...unpacked, problems: isTar ? [...unpacked.problems, problem] : [problem] };
  }
  if (unpacked.records.length === 0 && unpacked.problems.length === 0) {
    const message = "has no skills/<key>/SKILL.md, agents/<key>/AGENT.md or external-agents/<key>.json";
    unpacked.problems.push(bodyProblem(["archive"], message));
  }
  return unpacked;
}

function recordReader(unpacked: Unpacked): (header: EntryHeader) => TakeContent | null {
  const seen = new Set<string>();
  return (header) => {
    const path = header.name.replace(/^\.\//, "");
    const place = parseRecordPath(path);
    const problem = place === null ? null : entryProblem(header, seen.has(path));
    if (problem !== null) unpacked.problems.push(bodyProblem([path], problem));
    else if (place === null && header.type !== "directory") unpacked.ignored.push(path);
    if (place === null || problem !== null) return null;
    seen.add(path);
    return (content) => void unpacked.records.push({ ...place, path, bytes: content });
  };
}

function entryProblem({ type, size }: EntryHeader, isRepeated: boolean): string | null {
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
  /** Records of one kind. */
  records: 1_000,
} as const;

const tarTexts: Partial<Record<ArchiveFaultReason, string>> = {
  brokenTar: "is not a whole tar file",
  cutTar: "is not a whole tar file",
  entries: `has more than ${archiveLimits.entries} entries`,
};

const faultTexts: Partial<Record<ArchiveFaultReason, string>> = {
  ...tarTexts,
  unpackedBytes: `unpacks to more than ${archiveLimits.unpackedBytes} bytes`,
};
