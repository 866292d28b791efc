/** Files that a command was told to write with --output. */
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Cli } from "./context.ts";
import { inputFailure } from "./exit-codes.ts";

/**
 * A file of that name is replaced when the new one is whole. A device or pipe, such as /dev/stdout, is written to. What `content`
 * throws is thrown on.
 */
export async function writeOutputFile(
  cli: Cli,
  name: string,
  content: string | Buffer | AsyncIterable<Uint8Array>,
): Promise<void> {
  const chunks = typeof content === "string" || Buffer.isBuffer(content) ? [content] : content;
  const write = (to: string) => pipeline(chunks, createWriteStream(to), { signal: cli.signal });
  const file = resolve(cli.cwd, name);
  const part = `${file}.part`;
  const found = await stat(file).catch(() => null);
  try {
    if (found !== null && !found.isFile()) return await write(file);
    await write(part);
    await rename(part, file);
  } catch (cause) {
    await rm(part, { force: true });
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw cause;
    throw inputFailure(`Cannot write ${name} (${code}).`, { where: "--output", cause });
  }
}
