import { expect, it } from "vitest";
import { resolveSource, type HostKind } from "./source-url.ts";

const kinds: Record<string, HostKind> = {
  "git.example": "github",
  "lab.example": "gitlab",
  "tea.example": "gitea",
  "plain.example": "git",
};
const context = (baseUrl: string) => ({
  baseUrl,
  ownUrl: "http://127.0.0.1:7007",
  hostKind: (host: string) => kinds[host] ?? null,
});

const onDisk = "file:/templates/ship/template.yaml";
const onHub = "url:https://github.com/acme/templates/blob/main/ship/template.yaml";

it.each([
  ["./skeleton", onDisk, { kind: "folder", root: "/templates/ship", path: "skeleton" }],
  [".", onDisk, { kind: "folder", root: "/templates/ship", path: "" }],
  ["a/../b", "/templates/ship/template.yaml", { kind: "folder", root: "/templates/ship", path: "b" }],
  ["x", "file:///templates/a%20b/t.yaml", { kind: "folder", root: "/templates/a b", path: "x" }],
  ["./skeleton", onHub, repository("https://github.com/acme/templates.git", "main", "ship/skeleton")],
  ["../other", onHub, repository("https://github.com/acme/templates.git", "main", "other")],
  [
    "./s",
    "https://lab.example/a/b/c/-/blob/v1/t.yaml",
    repository("https://lab.example/a/b/c.git", "v1", "s"),
  ],
  ["https://git.example/a/b/tree/main/x/y", onDisk, repository("https://git.example/a/b.git", "main", "x/y")],
  ["https://git.example/a/b", onDisk, repository("https://git.example/a/b.git", null, "")],
  ["https://gitlab.com/a/b/c/-/tree/x%2Fy/z", onDisk, repository("https://gitlab.com/a/b/c.git", "x/y", "z")],
  ["https://bitbucket.org/w/r/src/main/x", onDisk, repository("https://bitbucket.org/w/r.git", "main", "x")],
  [
    "https://dev.azure.com/o/p/_git/r?path=/x/y&version=GBmain",
    onDisk,
    repository("https://dev.azure.com/o/p/_git/r", "main", "x/y"),
  ],
  [
    "https://tea.example/a/b/src/branch/main/x/y",
    onDisk,
    repository("https://tea.example/a/b.git", "main", "x/y"),
  ],
  ["https://tea.example/a/b", onDisk, repository("https://tea.example/a/b.git", null, "")],
  ["https://plain.example/a/b", onDisk, { kind: "http", url: "https://plain.example/a/b" }],
  ["https://plain.example/b.git", onDisk, repository("https://plain.example/b.git", null, "")],
  ["https://any.example/x/r.git", onDisk, repository("https://any.example/x/r.git", null, "")],
  [
    "https://any.example/x/r.git/blob/main/p/q",
    onDisk,
    repository("https://any.example/x/r.git", "main", "p/q"),
  ],
  ["http://127.0.0.1:7007/git/a.b.git", onDisk, { kind: "own", name: "a.b", ref: null, path: "" }],
  [
    "./s",
    "http://127.0.0.1:7007/git/a.git/blob/main/t/t.yaml",
    { kind: "own", name: "a", ref: "main", path: "t/s" },
  ],
  ["https://any.example/x.tar.gz", onDisk, { kind: "http", url: "https://any.example/x.tar.gz" }],
  ["./x.tar.gz", "https://any.example/t/t.yaml", { kind: "http", url: "https://any.example/t/x.tar.gz" }],
] as const)("%s from %s", (address, base, source) => {
  expect(resolveSource(address, context(base))).toEqual({ ok: true, source });
});

it.each([
  ["../x", onDisk, "leads out of the folder"],
  ["../../x", onHub, "leads out of the repository"],
  ["/etc", onDisk, "is absolute"],
  ["file:/etc", onDisk, "neither relative"],
  ["ssh://git@x/y", onDisk, "neither relative"],
  ["//x/y", onDisk, "neither relative"],
  ["https://u:p@x/y", onDisk, "must not carry"],
  ["https://github.com/a/b/blob/main/x%2F..%2Fy", onDisk, "climbs"],
  ["./x", "somewhere", "not known"],
] as const)("%s from %s is refused", (address, base, why) => {
  expect(resolveSource(address, context(base))).toEqual({ ok: false, message: expect.stringContaining(why) });
});

/** The files of private repositories that templates name: as pages, and as what the hosts call raw. */
const hub = "https://github.com/o/r.git";
const lab = "https://gitlab.com/group/sub/project.git";
const tea = "https://tea.example/o/r.git";
it.each([
  ["https://github.com/o/r/blob/main/x/y.md", repository(hub, "main", "x/y.md")],
  ["https://github.com/o/r/raw/main/x/y.md", repository(hub, "main", "x/y.md")],
  ["https://github.com/o/r/raw/refs/heads/main/x.md", repository(hub, "main", "x.md")],
  ["https://github.com/o/r/raw/refs/tags/v1/x.md", repository(hub, "v1", "x.md")],
  ["https://git.example/o/r/raw/main/x.md", repository("https://git.example/o/r.git", "main", "x.md")],
  ["https://raw.githubusercontent.com/o/r/main/x/y.md", repository(hub, "main", "x/y.md")],
  ["https://raw.githubusercontent.com/o/r/refs/heads/main/x.md", repository(hub, "main", "x.md")],
  ["https://gitlab.com/group/sub/project/-/raw/main/x.md", repository(lab, "main", "x.md")],
  ["https://gitlab.com/group/sub/project/-/raw/main/x.md?ref_type=heads", repository(lab, "main", "x.md")],
  ["https://gitlab.com/group/sub/project/raw/main/x.md", repository(lab, "main", "x.md")],
  ["https://gitlab.com/group/sub/project/blob/main/x.md", repository(lab, "main", "x.md")],
  ["https://tea.example/o/r/raw/branch/main/x.md", repository(tea, "main", "x.md")],
  ["https://tea.example/o/r/raw/tag/v1/x.md", repository(tea, "v1", "x.md")],
  ["https://bitbucket.org/o/r/raw/main/x.md", repository("https://bitbucket.org/o/r.git", "main", "x.md")],
] as const)("%s is a file of a repository", (address, source) => {
  const configured: Record<string, HostKind> = { ...kinds, "github.com": "github" };
  const found = resolveSource(address, { ...context(onDisk), hostKind: (host) => configured[host] ?? null });
  expect(found).toEqual({ ok: true, source });
});

it.each([
  "https://gitlab.com/api/v4/projects/42/variables",
  "https://gitlab.com/api/v4/projects/42/repository/files/x.md/raw?ref=main",
  "https://gitlab.com/api/v4/projects/42/repository/blob/main/x",
  "https://lab.example/api/v4/projects/42/variables",
  "https://git.example/api/v3/repos/o/r/actions/secrets",
  "https://api.github.com/repos/o/r/contents/x.md",
  "https://tea.example/api/v1/repos/o/r/raw/x.md",
  "https://raw.githubusercontent.com/o/r/main/x.md",
  "https://raw.githubusercontent.com/o/r/main/x.md?token=T",
])("%s is no repository", (url) => {
  expect(resolveSource(url, context(onDisk))).toEqual({ ok: true, source: { kind: "http", url } });
});

it("a raw file of GitHub with a token of its own is read by that", () => {
  const url = "https://raw.githubusercontent.com/o/r/main/x.md?token=T";
  const found = resolveSource(url, { ...context(onDisk), hostKind: () => "github" });
  expect(found).toEqual({ ok: true, source: { kind: "http", url } });
});

function repository(remote: string, ref: string | null, path: string) {
  return { kind: "repository", remote, ref, path } as const;
}

it("an own repository is known below the path that a proxy serves this server under", () => {
  const below = { ...context(onDisk), ownUrl: "https://host.example/plinth" };
  const source = { kind: "own", name: "ship", ref: "main", path: "a.yaml" };
  const text = "https://host.example/plinth/git/ship.git/blob/main/a.yaml";
  expect(resolveSource(text, below)).toEqual({ ok: true, source });
});
