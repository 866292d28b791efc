/** Files that are new and appear whole or not at all. */
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, constants, link, lstat, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Writable } from "node:stream";
import { errorCode } from "../errors/error-code.ts";
import { Failure } from "../errors/failure.ts";

export interface NewFile {
  write: (target: Writable) => Promise<void>;
  /** Runs when the whole content is on the disk and the file has no name yet. */
  beforeNaming?: (() => Promise<void>) | undefined;
}

/**
 * Writes a file of its owner alone. Until it is whole it is named `<file>.<letters>.part`; a part stays where the process is killed.
 * Rejects with a Failure PLATFORM_BACKUP where the name is taken, or where it can't be written.
 */
export async function writeNewFile(file: string, { write, beforeNaming }: NewFile): Promise<void> {
  if (await isThere(file)) throw taken(file);
  const part = `${file}.${randomBytes(6).toString("hex")}.part`;
  try {
    const target = createWriteStream(part, { flags: "wx", mode: 0o600, flush: true });
    try {
      await write(target);
    } finally {
      target.destroy();
    }
    await beforeNaming?.();
    await giveName(part, file);
  } catch (error) {
    throw writeFailure(file, error);
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Rejects as `writeNewFile` does where no file can be made in the folder, before there is a content. */
export const refuseUnwritable = (file: string): Promise<void> =>
  access(dirname(file), constants.W_OK).catch((error: unknown) => {
    throw writeFailure(file, error);
  });

/** What was never there is no reason to fail, and a place that can't be looked at fails when it is written to. */
const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

/** Moves a whole file to its name, and replaces no other one. */
export async function giveName(part: string, file: string, makeLink: typeof link = link): Promise<void> {
  try {
    await makeLink(part, file);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw taken(file);
    // The file system has no second names for a file: an empty file takes the name first, so that nobody else can.
    const reserved = await open(file, "wx", 0o600).catch((refused: unknown) => {
      throw errorCode(refused) === "EEXIST" ? taken(file) : refused;
    });
    await reserved.close();
    await rename(part, file);
  }
}

const reasons: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  ENOENT: "its folder does not exist",
  ENOTDIR: "a file is in the place of its folder",
  EROFS: "the file system is read-only",
  ENOSPC: "the file system is full",
  EDQUOT: "the quota of this user is used up",
  EFBIG: "the file system takes no file of that size",
  ENAMETOOLONG: "its name is too long",
  EIO: "the disk reports an error",
};

/** Why a file can't be written; other errors, which are those of whoever gives the content, as they are. */
export function writeFailure(
  file: string,
  error: unknown,
  solution = "Name a file in a folder that exists, has room, and that this user may write to.",
): unknown {
  const isOfFile = error instanceof Error && "syscall" in error;
  const reason = isOfFile ? reasons[errorCode(error)] : undefined;
  if (reason === undefined) return error;
  return new Failure({
    kind: "invalid",
    code: "PLATFORM_BACKUP",
    message: `${file} can't be written: ${reason}.`,
    solutions: [solution],
    cause: error,
  });
}

const taken = (file: string): Failure =>
  new Failure({
    kind: "invalid",
    code: "PLATFORM_BACKUP",
    message: `${file} exists already.`,
    solutions: ["Choose another file: nothing is overwritten."],
  });
