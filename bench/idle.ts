/**
 * What does an idle server cost: the built bundle with all areas, its database apart? Resident memory and the share of a core over a time in
 * which nobody asks anything, beside a bare node:http process of the same run. The goals are at most 130 MB and 0.5 % of a core.
 *
 *   node bench/idle.ts [--seconds 60]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { cpuOf, residentMb } from "./support/process-use.ts";
import { buildBundle, bundle, startServerProcess } from "./support/server-process.ts";

const goals = { mb: 130, percent: 0.5 };
/** After the start, until what is only needed there has been collected (the less a process does, the later), and threads without work have ended. */
const settleMs = 180_000;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const seconds = Number(values.seconds);

const bare = await startBare();
await buildBundle();
const server = await startServerProcess({}, [], bundle);
await sleep(settleMs);
const [bareUse, use] = await Promise.all([useOver(bare.pid), useOver(server.pid)]);
await server.close();
bare.kill();

console.log(`bare node:http  ${bareUse.mb.toFixed(0)} MB  ${bareUse.percent.toFixed(2)} % of a core`);
console.log(`plinth          ${use.mb.toFixed(0)} MB  ${use.percent.toFixed(2)} % of a core`);
console.log(`memory ${(use.mb / bareUse.mb).toFixed(2)} times that of the bare process`);
const met = use.mb <= goals.mb && use.percent <= goals.percent;
console.log(`goals ${goals.mb} MB and ${goals.percent} %: ${met ? "met" : "MISSED"}`);
process.exitCode = met ? 0 : 1;

async function useOver(pid: number): Promise<{ mb: number; percent: number }> {
  const before = await cpuOf(pid);
  await sleep(seconds * 1_000);
  return { mb: await residentMb(pid), percent: ((await cpuOf(pid)) - before) / (seconds * 10) };
}

async function startBare(): Promise<{ pid: number; kill: () => void }> {
  const program =
    'require("node:http").createServer((q, a) => a.end("{}")).listen(0, () => console.log("up"))';
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { pid: child.pid ?? 0, kill: () => void child.kill("SIGKILL") };
}
