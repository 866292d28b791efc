import { afterEach, beforeEach, expect, it } from "vitest";
import { actionBench, readFiles, type Bench } from "./testdata.ts";
import { fileIn } from "./catalog-register.ts";
import { catalogWrite } from "./catalog-entities.ts";

let bench: Bench;
beforeEach(async () => void (bench = await actionBench()));
afterEach(() => bench.close());

it("catalog:write writes an entity with where it comes from", async () => {
  const entity = {
    apiVersion: "v1",
    kind: "Component",
    metadata: { name: "ship", annotations: { a: "1" } },
    spec: { l: [1] },
  };
  await bench.run(catalogWrite, { entity });
  await bench.run(catalogWrite, { entity: { kind: "System" }, filePath: "deep/system.yaml" });
  expect(await readFiles(bench.workspace)).toEqual({
    "catalog-info.yaml":
      "apiVersion: v1\nkind: Component\nmetadata:\n  name: ship\n  annotations:\n    a: '1'\n    backstage.io/source-template: template:default/ship\nspec:\n  l:\n    - 1\n",
    "deep/system.yaml":
      "kind: System\nmetadata:\n  annotations:\n    backstage.io/source-template: template:default/ship\n",
  });
  await expect(bench.run(catalogWrite, { entity, filePath: "../x" })).rejects.toThrow("climbs");
  await expect(bench.run(catalogWrite, { entity, filePath: "." })).rejects.toThrow("names no file");
});

it.each([
  ["http://h/git/a.git/blob/main", "catalog-info.yaml", "http://h/git/a.git/blob/main/catalog-info.yaml"],
  ["https://h/o/r/blob/a%2Fb/", "/x y/c.yaml", "https://h/o/r/blob/a%2Fb/x%20y/c.yaml"],
  ["https://dev.azure.com/o/p/_git/r", "/c.yaml", "https://dev.azure.com/o/p/_git/r?path=%2Fc.yaml"],
  [
    "https://dev.azure.com/o/p/_git/r?path=/x",
    "./c.yaml",
    "https://dev.azure.com/o/p/_git/r?path=%2Fx%2Fc.yaml",
  ],
])("the file in %s at %s is %s", (folder, path, expected) => {
  expect(fileIn(folder, path)).toBe(expected);
});
