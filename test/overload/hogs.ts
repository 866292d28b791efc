/** Processes that do nothing but use processors up, as others on the same machine do. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

export function keepBusy(): { count: number; stop(): void } {
  const count = 2 * availableParallelism();
  const children = Array.from({ length: count }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  return { count, stop: () => children.forEach((child) => child.kill("SIGKILL")) };
}
