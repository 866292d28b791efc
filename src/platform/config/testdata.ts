import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";
import { inspectConfig, type InspectedConfig } from "./load.ts";
import type { EnvironmentVariables } from "./source/reading.ts";

const made: string[] = [];

/** Writes files into a new folder, which goes away when the test file is done. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), "plinth-config-"));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** One file, `plinth.yaml`, and these environment variables. */
export const inspect = (yaml: string, env: EnvironmentVariables = {}): InspectedConfig =>
  inspectConfig({ files: [], env, cwd: folderWith({ "plinth.yaml": yaml }) });

/** `where message` of each problem, as people see them. */
export const shown = (problems: readonly { where: string; message: string }[]): string[] =>
  problems.map(({ where, message }) => `${where} ${message}`);
