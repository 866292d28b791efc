/** The inventory of the console names only operations that an OpenAPI document has. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

interface Described {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

async function documented(): Promise<Set<string>> {
  const folder = join(root, "openapi");
  const found = new Set<string>();
  for (const name of await readdir(folder)) {
    const { paths } = JSON.parse(await readFile(join(folder, name), "utf8")) as Described;
    for (const methods of Object.values(paths))
      for (const { operationId } of Object.values(methods))
        if (operationId !== undefined) found.add(operationId);
  }
  return found;
}

it("each operation that a page calls is documented", async () => {
  const page = await readFile(join(root, "docs/console.md"), "utf8");
  const there = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .flatMap((line) => [...(line.split("|")[2] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
  expect(there.length).toBeGreaterThan(100);
  const known = await documented();
  expect(there.filter((name) => !known.has(name))).toEqual([]);
});
