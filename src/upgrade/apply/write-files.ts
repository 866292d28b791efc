/** Puts rewritten files in the place of the old ones, which are kept beside them. */
import { constants, existsSync } from "node:fs";
import { copyFile, readFile, rename, stat, writeFile } from "node:fs/promises";
import { errorCode } from "../../platform/errors/error-code.ts";
import { Failure } from "../../platform/errors/failure.ts";
import type { FileChange } from "../checks/check-files.ts";
import type { CustomViewDraft } from "../checks/inputs.ts";

/** Behind the name of a file: as it was before the upgrade. */
export const retainedSuffix = ".before-2.2.0";

/** One file after the other; each is either as before or rewritten, and the first version of it is kept. */
export async function writeChanges(changes: readonly FileChange[]): Promise<string[]> {
  for (const { file, before, after } of changes) {
    if ((await readFile(file, "utf8")) !== before)
      throw new Failure({
        kind: "conflict",
        code: "UPGRADE_FILE_CHANGED",
        message: `The file ${file} was changed while the upgrade ran.`,
        solutions: ["Run the command again: it reads the file anew."],
      });
    await keepFirst(file);
    const { mode } = await stat(file);
    const fresh = `${file}.upgrading`;
    await writeFile(fresh, after, { mode, flush: true });
    await rename(fresh, file);
  }
  return changes.map(({ file }) => file);
}

/** Whether a run has rewritten it, then or before. */
export const isRewritten = (file: string): boolean => existsSync(file + retainedSuffix);

async function keepFirst(file: string): Promise<void> {
  const copy = `${file}${retainedSuffix}.copying`;
  try {
    await stat(file + retainedSuffix);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    await rename(copy, file + retainedSuffix);
  }
}

/** Adds drafts to the file of drafts; those of an earlier run stay. Returns whether it was changed. */
export async function writeDrafts(file: string, drafts: readonly CustomViewDraft[]): Promise<boolean> {
  const written = await readDrafts(file);
  const isThere = ({ pageId, part, from }: CustomViewDraft): boolean =>
    written.some((each) => each.pageId === pageId && each.part === part && each.from === from);
  const missing = drafts.filter((draft) => !isThere(draft));
  if (missing.length === 0) return false;
  const fresh = `${file}.upgrading`;
  await writeFile(fresh, `${JSON.stringify([...written, ...missing], null, 2)}\n`, { flush: true });
  await rename(fresh, file);
  return true;
}

async function readDrafts(file: string): Promise<CustomViewDraft[]> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as CustomViewDraft[];
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
