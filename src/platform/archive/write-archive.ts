import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createGzip, gzip, gzipSync, type ZlibOptions } from "node:zlib";
import { pack } from "tar-stream";

export interface PackedEntry {
  name: string;
  type?: "file" | "directory" | "symlink";
  mode?: number;
  mtime?: Date;
  /** Of a symbolic link. */
  linkname?: string;
  /** Of a file. */
  content?: Uint8Array;
}

/** Packs texts or bytes by path into a .tar.gz. The same input gives the same bytes. */
export const packArchive = (files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> =>
  packEntries(
    Object.entries(files).map(([name, content]) => ({
      name,
      mtime: new Date(0),
      content: typeof content === "string" ? Buffer.from(content) : content,
    })),
  );

export interface PackOptions {
  /** About how many bytes the contents have; few are compressed at once. */
  contentBytes?: number;
  /** 1 is the fastest, 9 the smallest. */
  level?: number;
}

/** Packs the entries in their order. Of an iterable each is asked for when the one before has been packed. */
export async function packEntries(
  entries: readonly PackedEntry[] | AsyncIterable<PackedEntry>,
  { contentBytes = Infinity, level }: PackOptions = {},
): Promise<Buffer> {
  const tar = pack();
  const options = level === undefined ? {} : { level };
  const [archive] = await Promise.all([
    contentBytes <= packedAtOnce ? zipAtOnce(tar, options) : zipInParts(tar, options),
    addAll(tar, entries).catch((error: Error) => {
      tar.destroy(error);
      throw error;
    }),
  ]);
  return archive;
}

type Pack = ReturnType<typeof pack>;

async function addAll(
  tar: Pack,
  entries: readonly PackedEntry[] | AsyncIterable<PackedEntry>,
): Promise<void> {
  if (Symbol.asyncIterator in entries) {
    for await (const entry of entries)
      await new Promise<void>((done, fail) => add(tar, entry, (error) => (error ? fail(error) : done())));
  } else {
    // Waiting for each would be most of the time of packing small ones, and they are in memory anyway.
    for (const entry of entries) add(tar, entry);
  }
  tar.finalize();
}

function add(tar: Pack, { content, ...header }: PackedEntry, added?: (error?: Error | null) => void): void {
  if (content === undefined) tar.entry(header, added);
  else tar.entry(header, Buffer.from(content.buffer, content.byteOffset, content.length), added);
}

/** Most bytes that are compressed in one call, which saves a thread-pool task for each entry. */
const packedAtOnce = 4 * 1024 * 1024;
/** Most bytes that are compressed synchronously in this thread. */
const packedHere = 256 * 1024;
const zip = promisify<Buffer, ZlibOptions, Buffer>(gzip);

async function zipAtOnce(tar: Pack, options: ZlibOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length <= packedHere ? gzipSync(bytes, options) : zip(bytes, options);
}

async function zipInParts(tar: Pack, options: ZlibOptions): Promise<Buffer> {
  const zipped = createGzip(options);
  // The pipeline alone would end before the last bytes have been read.
  const [bytes] = await Promise.all([buffer(zipped), pipeline(tar, zipped)]);
  return bytes;
}

/** What ends an archive. */
const endBytes = 1_024;

/** The bytes of an archive, entry by entry, before they are compressed. Ending it early ends `entries`. */
export async function* tarBytes(
  entries: AsyncIterable<{ name: string; content: Buffer }>,
): AsyncGenerator<Buffer> {
  for await (const { name, content } of entries) {
    const tar = pack();
    tar.entry({ name, mode: 0o600, mtime: new Date(0) }, content);
    tar.finalize();
    const bytes = await buffer(tar);
    yield bytes.subarray(0, -endBytes);
  }
  yield Buffer.alloc(endBytes);
}
