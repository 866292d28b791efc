/** Copies the key of an installation: away from it, or to where it belongs. A copy that is there already is fine. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "../errors/error-code.ts";
import { Failure } from "../errors/failure.ts";
import { makeFolder } from "../lib/files/make-folder.ts";
import { writeNewFile } from "./new-file.ts";

export interface KeyCopy {
  from: string;
  to: string;
}

/** What to do where the key is missing, and where another one is in the place of the copy. */
export interface KeySolutions {
  missing: string;
  other: string;
}

/** Reads the key. Another one in the place of the copy is refused, before anything is begun. */
export async function readKeyToCopy({ from, to }: KeyCopy, solutions: KeySolutions): Promise<Buffer> {
  const key = await readFile(from).catch((cause: unknown) => {
    throw errorCode(cause) === "ENOENT"
      ? refusal(`There is no file ${from}.`, solutions.missing, cause)
      : refusal(`${from} can't be read.`, "Let this user read it.", cause);
  });
  await isCopied(key, to, solutions);
  return key;
}

/** Puts it into its place, with the folder where that is missing. */
export async function writeKeyCopy(key: Buffer, to: string, solutions: KeySolutions): Promise<void> {
  if (await isCopied(key, to, solutions)) return;
  await writeNewFile(to, {
    write: (target) =>
      new Promise((done, fail) => {
        target.once("error", fail).once("close", done);
        target.end(key);
      }),
  });
}

async function isCopied(key: Buffer, to: string, { other }: KeySolutions): Promise<boolean> {
  const there = await readFile(to).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return null;
    throw refusal(`${to} can't be read.`, "Name a file that this user may read and write.", error);
  });
  if (there !== null && !there.equals(key)) throw refusal(`${to} has another key.`, other);
  return there !== null;
}

/** Makes the folder of a key that is restored. */
export const makeKeyFolder = (to: string): Promise<void> => makeFolder(dirname(to));

const refusal = (message: string, solution: string, cause?: unknown): Failure =>
  new Failure({ kind: "conflict", code: "PLATFORM_BACKUP", message, solutions: [solution], cause });
