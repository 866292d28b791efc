import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createMask } from "../../../platform/lib/secrets/mask.ts";
import { createProgram } from "./stdio.ts";

it("a program that is given up while it is being started does not live on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plinth-program-"));
  const file = join(folder, "pid");
  try {
    const program = createProgram({
      command: "/bin/sh",
      args: ["-c", 'echo $$ > "$0"; exec sleep 60', file],
      cwd: undefined,
      env: {},
      maxMessageBytes: 1_000,
      mask: createMask([]),
      onLine: () => {},
    });
    const listeners = process.listenerCount("exit");
    const started = expect(program.start()).rejects.toThrow("not wanted");
    await program.close();
    await started;
    expect(process.listenerCount("exit")).toBe(listeners);
    // It may have come so far as to write its number.
    const pid = Number(await readFile(file, "utf8").catch(() => "0"));
    await expect.poll(() => pid !== 0 && lives(pid)).toBe(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
