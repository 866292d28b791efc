import { describe, expect, it } from "vitest";
import { addressInRepository, parseTarget, resolvePath } from "./target.ts";

const context = { ownUrl: "http://own.test", hostKind: () => null };
const git = (repository: string, ref: string | null, path: string, own: string | null = null) => ({
  kind: "git",
  repository,
  own,
  ref,
  path,
});

it.each([
  ["file", "a/b.yaml", { kind: "file", path: "a/b.yaml" }],
  ["url", "https://x.test/a.yaml?b", { kind: "url", url: new URL("https://x.test/a.yaml?b") }],
  ["git", "https://x.test/a.git", git("https://x.test/a.git", null, "")],
  ["git", "https://x.test/a.git#v1", git("https://x.test/a.git", "v1", "")],
  ["git", "https://x.test/a.git#feature/x:b//c.yaml", git("https://x.test/a.git", "feature/x", "b/c.yaml")],
  ["git", "https://x.test/a.git#:b/", git("https://x.test/a.git", null, "b")],
  ["url", "https://github.com/a/b/blob/main/c/d.yaml", git("https://github.com/a/b.git", "main", "c/d.yaml")],
  [
    "url",
    "http://own.test/git/a.git/blob/main/c.yaml",
    git("http://own.test/git/a.git", "main", "c.yaml", "a"),
  ],
])("%s %s", (type, target, expected) => {
  expect(parseTarget({ type, target }, context)).toEqual(expected);
});

it.each([
  ["ftp", "https://x.test/a"],
  ["url", "file:///etc/passwd"],
  ["url", "//x.test/a"],
  ["url", "javascript:alert(1)"],
  ["git", "https://x.test/a"],
  ["git", "ssh://x.test/a.git"],
  ["git", "https://u:p@x.test/a.git"],
  ["git", "https://x.test/a.git#main:../b"],
  ["url", "http://127.0.0.1:1/a.yaml#\\@other.test/x.git"],
  ["git", "http://127.0.0.1:1/a.git#\\@other.test/x.git"],
  ["git", "https://x.test/a.git#main:.git/config"],
  ["url", `https://x.test/${"a".repeat(2_000)}`],
  ["file", "a\nb"],
])("%s %s is refused", (type, target) => {
  expect(parseTarget({ type, target }, context)).toMatchObject({ kind: "refused" });
});

it.each([
  ["url", "/srv/template.yaml", true],
  ["url", "template.yaml", true],
  ["git", "../template", true],
  ["url", "file:///srv/template.yaml", true],
  ["url", "ssh://x.test/a.git", false],
  ["ftp", "https://x.test/a", false],
])("%s %s is refused with the way to name a path on the server: %s", (type, target, isPath) => {
  const solution =
    "For a path on the server give the type file, and name its folder in mesh.builder.catalogue.folders.";
  expect(parseTarget({ type, target }, context)).toEqual({
    kind: "refused",
    reason: expect.any(String),
    ...(isPath && { solution }),
  });
});

describe("an address in a repository", () => {
  it.each([
    git("https://x.test/a.git", "feature/x", "b c/d#e.yaml"),
    git("https://x.test/a.git", null, "b.yaml"),
    git("https://dev.azure.com/o/p/_git/r", "main", "x/y.yaml"),
    git("http://own.test/git/a.git", "v1", "c.yaml", "a"),
  ])("is read as what it was made from: %j", (target) => {
    const address = addressInRepository(target, target.path);
    const read = parseTarget({ type: "url", target: address }, context);
    expect(read).toEqual({ ...target, ref: target.ref ?? "HEAD" });
  });
});

it.each([
  ["a/b", "../c.yaml", "a/c.yaml"],
  ["a", "./b/./c", "a/b/c"],
  ["a", "../../b", null],
  ["", "..", null],
  ["a", "/b", "b"],
  ["a", "b\\c", null],
  ["a", ".GIT/config", null],
])("from %s the path %s is %s", (folder, reference, expected) => {
  expect(resolvePath(folder, reference)).toBe(expected);
});
