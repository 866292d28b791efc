import { parse } from "yaml";
import { expect, test } from "vitest";
import { addColumn, changed } from "./change.ts";
import { readExample } from "./steps.ts";

test("one column more in one file of the example, and nothing else", async () => {
  const before = await readExample();
  const after = addColumn(before);
  const differing = Object.keys(after).filter((path) => !after[path]!.equals(before[path]!));
  expect(differing).toEqual(["latest-positions/catalog-info.yaml"]);
  const [old, made] = [before, after].map((files) => parse(String(files[differing[0]!])));
  old.spec.mesh.dataContract.schema.push(changed.column);
  expect(made).toEqual(old);
});
