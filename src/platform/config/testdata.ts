import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { inspectConfig, type InspectedConfig } from "./load.ts";
import type { EnvironmentVariables } from "./source/reading.ts";

/** Writes files into a new folder, which goes away with the test that asks for it. */
export function folderWith(files: Record<string, string | Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), "plinth-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** One file, `plinth.yaml`, and these environment variables. */
export const inspect = (yaml: string, env: EnvironmentVariables = {}): InspectedConfig =>
  inspectConfig({ files: [], env, cwd: folderWith({ "plinth.yaml": yaml }) });

/** `where message` of each problem, as people see them. */
export const shown = (problems: readonly { where: string; message: string }[]): string[] =>
  problems.map(({ where, message }) => `${where} ${message}`);
