/** Encrypts secrets of users where they are stored: AES-256-GCM under one key of the installation. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../../errors/failure.ts";
import { makeFolder } from "../files/make-folder.ts";

export interface SecretBox {
  /** `about` binds it to one owner: opened for another it is refused. */
  seal(content: Buffer, about: string): Buffer;
  /** Null when it was sealed under another key or for another owner, or was changed. */
  open(sealed: Buffer, about: string): Buffer | null;
  /** A 32-byte key derived for one purpose; it reveals nothing of the key or of other derived keys. */
  derive(purpose: string): Buffer;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipherName = "aes-256-gcm";

export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== keyBytes) throw new Error(`A key has ${keyBytes} bytes, this one has ${key.length}.`);
  return {
    derive: (purpose) => createHmac("sha256", key).update(`plinth derive ${purpose}`).digest(),
    seal(content, about) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(content), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, about) {
      try {
        const nonce = sealed.subarray(0, nonceBytes);
        const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(about));
        decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
        return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}

/** Identifies a key without revealing it. */
export const fingerprintOf = (box: Pick<SecretBox, "derive">): string =>
  box.derive("fingerprint").toString("hex").slice(0, fingerprintLetters);

const fingerprintLetters = 32;

/** The key in a file; null where there is none. Waits for a process that is just writing it. */
export async function readKey(file: string): Promise<Buffer | null> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const key = await readFile(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw error;
    });
    if (key === null || key.length === keyBytes) return key;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Failure({
    kind: "unavailable",
    code: "PLATFORM_INSTALLATION_KEY",
    message: `The file ${file} holds no key of ${keyBytes} bytes.`,
    solutions: ["Restore the file; delete it where nothing has been stored in secret yet."],
  });
}

/** A new key in the file. Of processes that start together on one folder, all get the same one. */
export async function makeKey(file: string): Promise<Buffer> {
  await makeFolder(dirname(file));
  const made = await open(file, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return null;
    throw error;
  });
  if (made === null) return (await readKey(file)) ?? makeKey(file);
  const key = randomBytes(keyBytes);
  try {
    await made.writeFile(key);
    await made.sync();
  } finally {
    await made.close();
  }
  return key;
}
