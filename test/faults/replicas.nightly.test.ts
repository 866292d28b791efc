/** The example of replicas in small, as a user runs it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const example = join(import.meta.dirname, "../../examples/replicas/main.ts");

it("plans end right on two API processes and three workers, one of which is killed", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [example, "--plans", "20", "--kills", "1"]);
  expect(stdout).toContain("KILLED worker 2");
  expect(stdout).toMatch(/^worker 2 +killed$/m);
  expect(stdout).toMatch(/^result +all 20 plans ended right$/m);
});
