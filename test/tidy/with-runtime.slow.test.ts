import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../../scripts/with-runtime.mjs", import.meta.url));

const run = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"] });

const ended = async (child: ChildProcess): Promise<{ code: unknown; output: string }> => {
  const output = child.stdout === null ? Promise.resolve("") : text(child.stdout);
  const [code]: unknown[] = await once(child, "exit");
  return { code, output: await output };
};

describe("with-runtime", () => {
  it("runs on the pinned Node.js and passes on arguments, output and exit code", async () => {
    const code = "console.log(process.version.split('.')[0], process.argv.slice(1).join()); process.exit(7)";
    expect(await ended(run("-e", code, "--", "a", "--b"))).toEqual({ code: 7, output: "v24 a,--b\n" });
  });

  it("gives a program the variables and flags of its first line", async () => {
    const folder = await mkdtemp(join(tmpdir(), "plinth-flags-"));
    const program = join(folder, "program.mjs");
    const says = "console.log(process.execArgv.join(), process.env.SHIP, process.env.HOME)";
    const started = async (line: string): Promise<string> => {
      await writeFile(program, `${line}\n${says}`);
      return (await ended(run(program, "x"))).output;
    };
    const { HOME } = process.env;
    expect(await started("#!/usr/bin/env -S node --title=one")).toBe(`--title=one undefined ${HOME}\n`);
    // What the environment has goes before the line.
    expect(await started("#!/usr/bin/env -S SHIP=sea HOME=/x node --title=one")).toBe(
      `--title=one sea ${HOME}\n`,
    );
    await rm(folder, { recursive: true });
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "passes on %s and waits for the child",
    async (signal) => {
      const code = `process.on("${signal}", () => { console.log("bye"); process.exit(3); }); setInterval(() => {}, 1000); console.log("ready")`;
      const child = run("-e", code);
      await once(child.stdout ?? child, "data");
      child.kill(signal);
      const [status]: unknown[] = await once(child, "exit");
      expect(status).toBe(3);
    },
  );

  it("exits as a shell would when the child is killed", async () => {
    expect((await ended(run("-e", "process.kill(process.pid, 'SIGKILL')"))).code).toBe(137);
  });
});
