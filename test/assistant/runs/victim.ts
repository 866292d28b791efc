/** A server of its own process, for tests that kill it. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestDatabase } from "../../support/database.ts";

export interface Victim {
  child: ChildProcess;
  url: string;
}

export async function startVictim(db: TestDatabase, modelUrl: string): Promise<Victim> {
  const file = new URL("killed-process.ts", import.meta.url).pathname;
  const dataDir = mkdtempSync(join(tmpdir(), "plinth-killed-"));
  const given = JSON.stringify({ connection: db.connection, model: modelUrl, dataDir });
  const child = spawn(process.execPath, [file, given], { stdio: ["ignore", "pipe", "inherit"] });
  child.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const [line] = await once(child.stdout, "data");
  return { child, url: String(line).trim() };
}
