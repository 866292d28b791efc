/** The committed documents and pages are what the code says. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it.each(["openapi.ts", "reference-errors.ts"])("scripts/%s finds nothing to write", (script) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`scripts/${script}`, "--check"], {
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});
