/** The folder of a process's own files, checked before any other part starts. */
import { rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Failure } from "../../errors/failure.ts";
import { makeFolder } from "./make-folder.ts";

/** Makes the folder when it is missing and writes to it. Throws a Failure `PLATFORM_DATA_DIRECTORY` that says why not. */
export async function prepareDataFolder(path: string): Promise<void> {
  const folder = resolve(path);
  const probe = join(folder, `.write-check-${process.pid}`);
  try {
    await makeFolder(folder);
    await writeFile(probe, "");
    await rm(probe, { force: true });
  } catch (cause) {
    const code = String((cause as NodeJS.ErrnoException).code);
    throw new Failure({
      kind: "unavailable",
      code: "PLATFORM_DATA_DIRECTORY",
      message: `The data directory ${folder} cannot be used: ${reasons[code] ?? `the system says ${code}`}.`,
      solutions: ["Set dataDir (or --data-dir) to a directory that this user may write to."],
      cause,
    });
  }
}

const reasons: Record<string, string> = {
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EEXIST: "a file is in its place",
  ENOTDIR: "a file is in the place of a folder above it",
  ENOENT: "the file system takes no folder there",
  EROFS: "the file system is read-only",
  ENOSPC: "the file system is full",
  EDQUOT: "the quota of this user is used up",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "its links lead in a circle",
};
