/** Files that a command was told to write with --output. */
import { rename, rm, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Cli } from "./context.ts";
import { inputFailure } from "./exit-codes.ts";

/** A file of that name is replaced when the new one is whole. A device or pipe, such as /dev/stdout, is written to. */
export async function writeOutputFile(cli: Cli, name: string, content: string | Buffer): Promise<void> {
  const file = resolve(cli.cwd, name);
  const part = `${file}.part`;
  const found = await stat(file).catch(() => null);
  try {
    if (found !== null && !found.isFile()) return await writeFile(file, content);
    await writeFile(part, content);
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    throw inputFailure(`Cannot write ${name} (${code}).`, { where: "--output", cause });
  }
}
