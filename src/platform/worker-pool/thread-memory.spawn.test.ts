import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

/** Starts a thread that keeps its last 50,000 objects while it allocates three million, and prints the size of its new space in MB. */
const program = `
import { Worker } from "node:worker_threads";
import { threadLimits } from ${JSON.stringify(new URL("thread-memory.ts", import.meta.url).href)};
const code = \`
  const lasting = [];
  for (let n = 0; n < 3_000_000; n += 1) lasting[n % 50_000] = { n };
  const spaces = require("node:v8").getHeapSpaceStatistics();
  const { space_size } = spaces.find(({ space_name }) => space_name === "new_space");
  require("node:worker_threads").parentPort.postMessage(space_size / 1024 / 1024);
\`;
const worker = new Worker(code, { eval: true, execArgv: [], resourceLimits: threadLimits(64) });
worker.once("message", (size) => console.log(size));
`;

it("the young generation of a thread has its own limit, whatever flag the process has", async () => {
  for (const flags of [[], ["--max-semi-space-size=16"]]) {
    const args = [...flags, "--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(Number(stdout), flags.join(" ")).toBeLessThanOrEqual(8);
    expect(Number(stdout)).toBeGreaterThan(0);
  }
});
