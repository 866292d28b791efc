import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type ExtractEvents, type Header } from "tar-stream";
import { errorCode } from "../errors/error-code.ts";

export type EntryHeader = Header;

/** Called with the content of an entry; the next entry is read after it. */
export type TakeContent = (content: Buffer) => Promise<void> | void;

/**
 * Called at the header of each entry, before its content is read. Null skips the content; a TakeContent gets all
 * of it, so look at `header.size` first. Throwing ends the reading.
 */
export type VisitEntry = (header: EntryHeader) => TakeContent | null;

export interface ReadLimits {
  packedBytes: number;
  unpackedBytes: number;
  entries: number;
  /** Unpacked bytes per packed byte; applies after the first `ratioFreeBytes` unpacked bytes. */
  ratio: number;
  ratioFreeBytes: number;
}

export interface ReadOptions {
  /** A limit that is left out does not apply: an archive of our own needs none. */
  limits: Partial<ReadLimits>;
  /** Also refuses bytes after the end of the gzip data; without it they are ignored. */
  refusesTrailingData?: boolean;
  signal?: AbortSignal | undefined;
}

export type ArchiveFaultReason =
  | "empty"
  | "interrupted"
  | "notGzip"
  | "brokenGzip"
  | "cutGzip"
  | "trailingData"
  | "brokenTar"
  | "cutTar"
  | keyof Omit<ReadLimits, "ratioFreeBytes">;

/** Why an archive cannot be read; each caller has its own texts. */
export class ArchiveFault extends Error {
  readonly reason: ArchiveFaultReason;
  constructor(reason: ArchiveFaultReason, cause?: unknown) {
    super(`the archive cannot be read: ${reason}`, { cause });
    this.reason = reason;
  }
}

/**
 * Reads a .tar.gz of anybody as it arrives; nothing is written to the disk. Names, types and links are for `visit`
 * to judge. Rejects with an ArchiveFault, with what `visit` or a TakeContent threw, or with an AbortError, and
 * destroys `source` then.
 */
export async function readArchive(
  source: Readable | Buffer,
  visit: VisitEntry,
  { limits, refusesTrailingData = false, signal }: ReadOptions,
): Promise<void> {
  const { packedBytes = Infinity, unpackedBytes = Infinity, ratio = Infinity, ratioFreeBytes = 0 } = limits;
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  const tar = extract();
  const refused: { error?: Error } = {};
  tar.on("entry", entryReader(visit, limits.entries ?? Infinity, refused));
  let packed = 0;
  const checkPacked = (total: number, chunk: Buffer): void => {
    if (packed === 0 && (chunk[0] !== 0x1f || (chunk.length > 1 && chunk[1] !== 0x8b)))
      throw new ArchiveFault("notGzip");
    packed = total;
    if (packed > packedBytes) throw new ArchiveFault("packedBytes");
  };
  const checkUnpacked = (total: number): void => {
    if (total > unpackedBytes) throw new ArchiveFault("unpackedBytes");
    // `bytesWritten` counts the bytes that zlib has consumed, without those buffered ahead.
    const from = Buffer.isBuffer(source) ? source.length : gunzip.bytesWritten;
    if (total > ratioFreeBytes && total > from * ratio) throw new ArchiveFault("ratio");
  };
  const stream = Buffer.isBuffer(source) ? Readable.from([source]) : source;
  const options = signal === undefined ? {} : { signal };
  try {
    await pipeline(stream, metered(checkPacked), gunzip, metered(checkUnpacked), tar, options);
  } catch (error) {
    if (error === refused.error || signal?.aborted === true) throw error;
    const fault = faultOf(error);
    if (fault?.reason === "cutGzip" && packed === 0) throw new ArchiveFault("empty", error);
    // A stream may fail for reasons of its own; a buffer cannot.
    throw fault ?? (Buffer.isBuffer(source) ? new ArchiveFault("brokenTar", error) : error);
  }
  // zlib stops at the end of the gzip data; what follows has not been read.
  if (refusesTrailingData && gunzip.bytesWritten < packed) throw new ArchiveFault("trailingData");
}

/** Passes chunks on, each after a check of how many bytes there have been. */
const metered = (check: (total: number, chunk: Buffer) => void) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let total = 0;
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue;
      total += chunk.length;
      check(total, chunk);
      yield chunk;
    }
  };

function entryReader(
  visit: VisitEntry,
  maxEntries: number,
  refused: { error?: Error },
): (...event: ExtractEvents["entry"]) => void {
  let entries = 0;
  return (header, stream, next) => {
    const end = (cause: unknown): void => {
      refused.error = cause instanceof Error ? cause : new Error("the entry was refused", { cause });
      next(refused.error);
    };
    // When the archive fails within an entry, the entry's stream fails too; without a listener that would end the
    // process.
    stream.on("error", ignore);
    entries += 1;
    if (entries > maxEntries) return next(new ArchiveFault("entries"));
    let take: TakeContent | null;
    try {
      take = visit(header);
    } catch (error) {
      return end(error);
    }
    if (take === null) {
      stream.on("end", () => next());
      stream.resume();
      return;
    }
    const chunks: Uint8Array[] = [];
    stream.on("data", (chunk) => chunk instanceof Uint8Array && chunks.push(chunk));
    stream.on("end", () => {
      try {
        // Concatenating copies, so that a small file does not retain the whole chunk it arrived in.
        const taken = take(Buffer.concat(chunks));
        if (taken instanceof Promise) taken.then(() => next(), end);
        else next();
      } catch (error) {
        end(error);
      }
    });
  };
}

const ignore = (): void => {};

function faultOf(error: unknown): ArchiveFault | null {
  if (error instanceof ArchiveFault) return error;
  const code = errorCode(error);
  const text = error instanceof Error ? error.message : "";
  if (code === "Z_BUF_ERROR") return new ArchiveFault("cutGzip", error);
  if (code.startsWith("Z_")) return new ArchiveFault("brokenGzip", error);
  if (code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET")
    return new ArchiveFault("interrupted", error);
  if (text === "Unexpected end of data") return new ArchiveFault("cutTar", error);
  if (/^Invalid (?:tar )?header|^Header exceeds/.test(text)) return new ArchiveFault("brokenTar", error);
  return null;
}
