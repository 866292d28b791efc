/**
 * Files that a passphrase opens: a mark, salt and nonce, AES-256-GCM, and its tag at the end. What is read is checked as a whole
 * before any of it is used, and is decrypted anew at each reading: its plain content is never on a disk.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { errorCode } from "../errors/error-code.ts";
import { Failure } from "../errors/failure.ts";
import { writeNewFile } from "./new-file.ts";

const mark = Buffer.from("plinth-sealed-1\n");
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = mark.length + saltBytes + nonceBytes;

const keyOf = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });

export interface SealOptions {
  passphrase: string | undefined;
  /** As in `NewFile`. */
  beforeNaming?: (() => Promise<void>) | undefined;
}

/** Writes the bytes, compressed, and sealed where there is a passphrase. The file appears whole or not at all. */
export const writeSealed = (
  file: string,
  source: AsyncIterable<Buffer>,
  { passphrase, beforeNaming }: SealOptions,
): Promise<void> =>
  writeNewFile(file, {
    beforeNaming,
    async write(target) {
      if (passphrase === undefined) {
        await pipeline(source, createGzip({ level: 1 }), target);
        return;
      }
      const salt = randomBytes(saltBytes);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", keyOf(passphrase, salt), nonce);
      await pipeline(
        source,
        createGzip({ level: 1 }),
        async function* (chunks: AsyncIterable<Buffer>) {
          yield Buffer.concat([mark, salt, nonce]);
          for await (const chunk of chunks) yield cipher.update(chunk);
          yield cipher.final();
          yield cipher.getAuthTag();
        },
        target,
      );
    },
  });

/** A backup that is open for reading, as often as needed. */
export interface OpenedFile {
  /** What was written, compressed. */
  read(): Readable;
  close(): Promise<void>;
}

/** Rejects with a Failure PLATFORM_BACKUP where the file is missing, the passphrase is wrong or the sealed file was changed. */
export async function openSealed(file: string, passphrase: string | undefined): Promise<OpenedFile> {
  const handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  try {
    const read = await readerOf(handle, passphrase);
    return { read, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw unreadable(file, error);
  }
}

async function readerOf(handle: FileHandle, passphrase: string | undefined): Promise<() => Readable> {
  const head = Buffer.alloc(headBytes);
  await handle.read(head, 0, headBytes, 0);
  if (!head.subarray(0, mark.length).equals(mark))
    return () => handle.createReadStream({ start: 0, autoClose: false });
  if (passphrase === undefined)
    throw fault(
      "The backup is sealed with a passphrase.",
      "Give the file that has it with --passphrase-file.",
    );
  const { size } = await handle.stat();
  if (size < headBytes + tagBytes) throw damaged();
  const tag = Buffer.alloc(tagBytes);
  await handle.read(tag, 0, tagBytes, size - tagBytes);
  const key = keyOf(passphrase, head.subarray(mark.length, mark.length + saltBytes));
  const nonce = head.subarray(mark.length + saltBytes);
  const range = { start: headBytes, end: size - tagBytes - 1 };
  async function* decrypted(): AsyncGenerator<Buffer> {
    const decipher = createDecipheriv("aes-256-gcm", key, nonce);
    decipher.setAuthTag(tag);
    // The end of a range is inclusive, so one without bytes can't be asked for.
    const isEmpty = range.end < range.start;
    const sealed = isEmpty ? [] : handle.createReadStream({ ...range, autoClose: false });
    for await (const chunk of sealed as AsyncIterable<Buffer>) yield decipher.update(chunk);
    try {
      decipher.final();
    } catch {
      throw damaged();
    }
  }
  // The tag is known to be right only at the end, so all of it is read once before any of it is used.
  for await (const _ of decrypted());
  return () => Readable.from(decrypted());
}

const reasons: Record<string, string> = {
  EACCES: "this user may not read it",
  EPERM: "this user may not read it",
  EISDIR: "it is a folder",
  ENOTDIR: "a file is in the place of a folder above it",
  EIO: "the disk reports an error",
};

function unreadable(file: string, error: unknown): unknown {
  if (error instanceof Failure) return error;
  if (errorCode(error) === "ENOENT")
    return fault(`There is no file ${file}.`, "Give the file that `plinth backup` wrote.");
  const reason = reasons[errorCode(error)];
  return reason === undefined
    ? error
    : fault(
        `${file} can't be read: ${reason}.`,
        "Give a file that `plinth backup` wrote, and let it be read.",
      );
}

const fault = (message: string, solution: string): Failure =>
  new Failure({ kind: "invalid", code: "PLATFORM_BACKUP", message, solutions: [solution] });
const damaged = (): Failure =>
  fault(
    "The file can't be opened: another passphrase, or it was changed.",
    "Give the passphrase with which the backup was made.",
  );
