import { expect, it } from "vitest";
import { contentOf, treeOf } from "./file-tree.ts";

it("shows folders before files, each once", () => {
  const file = (path: string) => ({ name: path.split("/").at(-1), path, children: null });
  expect(treeOf(["b.txt", "src/main.ts", "a.txt", "src/lib/x.ts"])).toEqual([
    {
      name: "src",
      path: "src",
      children: [{ name: "lib", path: "src/lib", children: [file("src/lib/x.ts")] }, file("src/main.ts")],
    },
    file("a.txt"),
    file("b.txt"),
  ]);
});

it("reads UTF-8, and says which files are no text", () => {
  const base64 = (bytes: Iterable<number>) => btoa(String.fromCodePoint(...bytes));
  expect(contentOf(base64(new TextEncoder().encode("größe")))).toEqual({ text: "größe", bytes: 7 });
  expect(contentOf(base64([0xff, 0xfe]))).toEqual({ text: null, bytes: 2 });
  expect(contentOf(base64([65, 0, 66]))).toEqual({ text: null, bytes: 3 });
});
