/** Puts the key of an installation where it belongs. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../errors/failure.ts";

/** Another key that is there already is not overwritten. */
export async function restoreKey(from: string, to: string): Promise<void> {
  const key = await readFile(from).catch(() => {
    throw refusal(`There is no file ${from}.`, "Give the file that `plinth backup --key-to` wrote.");
  });
  await mkdir(dirname(to), { recursive: true });
  await writeFile(to, key, { flag: "wx", mode: 0o600 }).catch(async (error: { code?: string }) => {
    if (error.code !== "EEXIST") throw error;
    if (!key.equals(await readFile(to)))
      throw refusal(`${to} has another key.`, "Restore into an empty data directory.");
  });
}

const refusal = (message: string, solution: string): Failure =>
  new Failure({ kind: "conflict", code: "PLATFORM_BACKUP", message, solutions: [solution] });
