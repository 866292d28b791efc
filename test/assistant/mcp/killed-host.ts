/** Starts a program that has started another and heeds nothing, tells both, and waits to be killed. */
import { createProgram } from "../../../src/assistant/tools/mcp/stdio.ts";
import { createMask } from "../../../src/platform/lib/secrets/mask.ts";

const code = `
const { spawn } = require("node:child_process");
const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
process.on("SIGTERM", () => {});
process.stdin.resume();
setInterval(() => {}, 1000);
console.error(JSON.stringify([process.pid, other.pid]));
`;
const program = createProgram({
  command: process.execPath,
  args: ["-e", code],
  cwd: undefined,
  env: {},
  maxMessageBytes: 1_000,
  mask: createMask([]),
  onLine: (line) => console.log(line),
});
await program.start();
setInterval(() => undefined, 1_000);
