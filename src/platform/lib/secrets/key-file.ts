/** Files with a key of the installation: its 32 bytes and nothing else. */
import { randomBytes } from "node:crypto";
import { open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "../../errors/failure.ts";
import { makeFolder } from "../files/make-folder.ts";
import { keyBytes } from "./secret-box.ts";

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

/** The keys of all files of a folder; none where there is no such folder. */
export async function readKeys(folder: string): Promise<Buffer[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const keys = [];
  for (const name of names) keys.push(await readKey(join(folder, name)));
  return keys.filter((key) => key !== null);
}
