/** The demo as somebody runs it after cloning: a process of its own, real adapters, a real PostgreSQL. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { productProgram, sourceProgram } from "./crash/processes.ts";

const root = join(import.meta.dirname, "..");
const isLinux = process.platform === "linux";

/** The demo makes its directory in here, so that whatever is left behind can be told from others' processes. */
let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "plinth-e2e-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function startDemo(program: string, ...args: string[]) {
  const child = spawn(process.execPath, [resolve(root, program), "demo", ...args], {
    cwd: home,
    env: { ...process.env, TMPDIR: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (err += String(chunk)));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  const said = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(out)) {
      if (child.exitCode !== null)
        throw new Error(`It ended without saying ${String(pattern)}:\n${out}\n${err}`);
      await wait(20);
    }
  };
  return { child, ended, said };
}

/** Processes whose command line or environment names the directory: its PostgreSQL and both adapters. */
function processesIn(directory: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const [command, environment] = ["cmdline", "environ"].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, "utf8"),
      );
      return `${command}${environment}`.includes(directory)
        ? [`${pid} ${command!.replaceAll("\0", " ")}`]
        : [];
    } catch {
      return [];
    }
  });
}

async function expectNothingLeft(): Promise<void> {
  expect(readdirSync(home)).toEqual([]);
  // PostgreSQL removes its lock file, which says that it has stopped, some moments before its process is gone.
  if (isLinux) await expect.poll(() => processesIn(home)).toEqual([]);
}

describe("the demo", () => {
  test("goes from files to rows, redeploys one component, and leaves nothing behind", async () => {
    const demo = startDemo(sourceProgram, "--json");
    await demo.said(/"step":"start"/);
    // Otherwise the check at the end could not fail.
    for (const name of isLinux ? ["adapters/postgres/", "adapters/mock/", "postgres -D"] : []) {
      expect(processesIn(home).join("\n")).toContain(name);
    }
    const { code, out, err } = await demo.ended;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const steps = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, any>);
    expect(steps.map(({ step }) => step)).toEqual([
      "start",
      "register",
      "build",
      "validate",
      "plan",
      "provision",
      "query",
      "change",
    ]);
    const of = (name: string): Record<string, any> => steps.find(({ step }) => step === name)!;
    expect(of("plan")["operations"].map(({ action }: { action: string }) => action)).toEqual(
      Array(8).fill("DEPLOY"),
    );
    expect(of("provision")).toMatchObject({ status: "COMPLETED" });
    expect(of("query")).toMatchObject({
      status: "DEPLOYED",
      ports: [
        { view: "fleet_summary", total: 2 },
        { view: "latest_positions", total: 12 },
      ],
    });
    expect(of("change")).toMatchObject({
      redeployed: ["urn:dmb:cmp:mobility:fleet-positions:0:latest-positions"],
      untouched: 7,
      ports: [{ columns: expect.arrayContaining(["depot"]) }],
    });
    await expectNothingLeft();
  });

  test("an interrupted one leaves nothing behind either", async () => {
    const demo = startDemo(productProgram());
    await demo.said(/6\. Provision[^]*COMPLETED/);
    demo.child.kill("SIGINT");
    const { code, out, err } = await demo.ended;
    expect(code).toBe(130);
    expect(err).toContain("Interrupted");
    expect(out).toContain("Everything it started is stopped.");
    await expectNothingLeft();
  });
});
