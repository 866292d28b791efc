/** The mock adapter as a program. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const descriptor = "dataProduct:\n  id: u\n  components:\n    - id: c1\ncomponentIdToProvision: c1\n";
const request = { descriptorKind: "COMPONENT_DESCRIPTOR", descriptor, removeData: false };

describe("the process", () => {
  const children: ChildProcess[] = [];

  // A test that fails must not leave its process behind.
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });

  const main = new URL("main.ts", import.meta.url).pathname;
  const launch = (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    children.push(child);
    const output = { out: "", err: "" };
    child.stdout.on("data", (part: Buffer) => (output.out += part.toString()));
    child.stderr.on("data", (part: Buffer) => (output.err += part.toString()));
    return { child, output, exited: once(child, "exit") };
  };

  it("says where it listens, keeps its journal in a file and leaves on SIGTERM", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mock-"));
    const file = join(folder, "journal.jsonl");
    const { child, output, exited } = launch(["--port", "0", "--journal-file", file], {
      CORE_BACKEND_PLUGIN_AUTH_SECRET: "s",
    });
    await expect.poll(() => output.out).toContain("\n");
    const { listening } = JSON.parse(output.out);
    const headers = { authorization: "Bearer s", "idempotency-key": "k" };
    await fetch(`${listening}/v1/provision`, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      componentId: "c1",
      idempotencyKey: "k",
      acted: true,
    });
    child.kill("SIGTERM");
    expect(await exited).toEqual([0, null]);
    rmSync(folder, { recursive: true });
  });

  it.each([
    [{ BACKEND_PLUGIN_AUTH_SECRET: "old" }, [], "Set CORE_BACKEND_PLUGIN_AUTH_SECRET"],
    [
      { BACKEND_PLUGIN_AUTH_SECRET: "old", CORE_BACKEND_PLUGIN_AUTH_SECRET: "" },
      [],
      "Set CORE_BACKEND_PLUGIN_AUTH_SECRET",
    ],
    [{}, ["--port", "many"], "--port must be"],
    [{}, ["--colour"], "--colour"],
  ])("leaves with 1 for %j %j", async (env: Record<string, string>, args, message) => {
    const { output, exited } = launch(args, env);
    expect(await exited).toEqual([1, null]);
    expect(output.err).toContain(message);
    expect(output.err).not.toContain("old\n");
  });
});
