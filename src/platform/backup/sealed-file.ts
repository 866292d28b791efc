/**
 * Files that a passphrase opens: a mark, salt and nonce, AES-256-GCM, and its tag at the end. What is read is checked as a whole
 * before any of it is used.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { Failure } from "../errors/failure.ts";

const mark = Buffer.from("plinth-sealed-1\n");
const saltBytes = 16;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = mark.length + saltBytes + nonceBytes;

const keyOf = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });

/**
 * Writes the bytes, compressed, and sealed where there is a passphrase. The file is its owner's alone, and is gone again where the
 * source fails.
 */
export async function writeSealed(
  file: string,
  source: AsyncIterable<Buffer>,
  passphrase: string | undefined,
): Promise<void> {
  const target = createWriteStream(file, { flags: "wx", mode: 0o600 });
  try {
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
  } catch (error) {
    target.destroy();
    if ((error as { code?: string }).code !== "EEXIST") await rm(file, { force: true });
    throw (error as { code?: string }).code === "EEXIST" ? exists(file) : error;
  }
}

export async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file).catch((error: { code?: string }) => {
    throw error.code === "ENOENT" ? missing(file) : error;
  });
  try {
    const head = Buffer.alloc(mark.length);
    await handle.read(head, 0, head.length, 0);
    return head.equals(mark);
  } finally {
    await handle.close();
  }
}

/** Writes what is sealed in `file` to `target`, which is gone again where the passphrase is wrong or the file was changed. */
export async function openSealed(file: string, target: string, passphrase: string): Promise<void> {
  const { size } = await stat(file);
  if (size < headBytes + tagBytes) throw damaged();
  const handle = await open(file);
  const head = Buffer.alloc(headBytes);
  const tag = Buffer.alloc(tagBytes);
  try {
    await handle.read(head, 0, headBytes, 0);
    await handle.read(tag, 0, tagBytes, size - tagBytes);
  } finally {
    await handle.close();
  }
  const salt = head.subarray(mark.length, mark.length + saltBytes);
  const decipher = createDecipheriv(
    "aes-256-gcm",
    keyOf(passphrase, salt),
    head.subarray(mark.length + saltBytes),
  );
  decipher.setAuthTag(tag);
  const sealed = createReadStream(file, { start: headBytes, end: size - tagBytes - 1 });
  try {
    await pipeline(sealed, decipher, createWriteStream(target, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    await rm(target, { force: true });
    throw /authenticate|Unsupported state/.test((error as Error).message) ? damaged() : error;
  }
}

const fault = (message: string, solution: string): Failure =>
  new Failure({ kind: "invalid", code: "PLATFORM_BACKUP", message, solutions: [solution] });
const exists = (file: string): Failure =>
  fault(`${file} exists already.`, "Choose another file: nothing is overwritten.");
const missing = (file: string): Failure =>
  fault(`There is no file ${file}.`, "Give the file that `plinth backup` wrote.");
const damaged = (): Failure =>
  fault(
    "The file can't be opened: another passphrase, or it was changed.",
    "Give the passphrase with which the backup was made.",
  );
