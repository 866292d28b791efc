/** The story of the example, as `npm run example:edit` tells it; it asserts each of its steps itself. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const story = join(import.meta.dirname, "../../examples/edit/main.ts");

it("redeploys only what was edited", async () => {
  const told = await new Promise<{ code: number; text: string }>((done) => {
    execFile(process.execPath, [story], { timeout: 220_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, text: stdout + stderr });
    });
  });
  expect(told.text).toContain("every step did what it says");
  expect(told.code).toBe(0);
});
