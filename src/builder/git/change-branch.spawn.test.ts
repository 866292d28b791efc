/** Commits on branches of repositories of this server and of others, which move while nobody looks. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveGit } from "../../../test/builder/hosts/git-http.ts";
import { actionBench, writeFiles, type Bench } from "../actions/testdata.ts";
import {
  commitFiles,
  patchOf,
  readBranchHead,
  withBranch,
  type BranchAccess,
  type OpenBranch,
} from "./change-branch.ts";
import { repositoriesDir } from "./own-repository.ts";

const exec = promisify(execFile);
const git = async (cwd: string, ...args: string[]): Promise<string> =>
  (await exec("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd })).stdout.trim();

let bench: Bench;
let server: Server;
let access: BranchAccess;
const places: Record<string, { repository: string; own: string | null; gitDir: string }> = {};

beforeAll(async () => {
  bench = await actionBench();
  const seed = join(bench.folder, "seed");
  await writeFiles(seed, { "a/parameters.yaml": "a: 1\n", "run.sh": "x", "b, c\t.txt": "odd" });
  await git(seed, "init", "-q", "-b", "trunk");
  await git(seed, "add", ".");
  await git(seed, "update-index", "--chmod=+x", "run.sh");
  await git(seed, "commit", "-q", "-m", "first");
  const served = join(bench.folder, "served");
  const own = repositoriesDir(bench.deps.settings.dataDir);
  for (const folder of [served, own]) await mkdir(folder, { recursive: true });
  await git(bench.folder, "clone", "-q", "--bare", seed, join(served, "ship.git"));
  await git(bench.folder, "clone", "-q", "--bare", seed, join(own, "ship.git"));
  server = createServer((request, response) => serveGit(served, request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  places["another server"] = { repository: `${url}/ship.git`, own: null, gitDir: join(served, "ship.git") };
  places["this server"] = { repository: "", own: "ship", gitDir: join(own, "ship.git") };
  access = { deps: bench.deps, signal: new AbortController().signal, now: () => new Date() };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await bench.close();
});

const commit = (open: OpenBranch, path: string, text: string): Promise<string> =>
  commitFiles(open, [{ path, content: Buffer.from(text) }], {
    message: "Edit",
    author: { name: "user:default/ada", email: "a@b" },
    date: new Date("2026-03-04T05:06:07Z"),
    signal: access.signal,
  });

describe.each(["another server", "this server"])("a repository of %s", (where) => {
  it("takes commits on top of what it has, and nothing else", async () => {
    const place = { ref: null, ...places[where]! };
    const first = await readBranchHead(place, access);
    expect(first.branch).toBe("trunk");
    await withBranch(place, access, async (open) => {
      expect([open.branch, open.head]).toEqual(["trunk", first.head]);
      const one = await commit(open, "a/parameters.yaml", "a: 2\n");
      // The same content at the same time is the same commit, so that an attempt after a crash finds its own work.
      expect(await commit(open, "a/parameters.yaml", "a: 2\n")).toBe(one);
      const other = await commit(open, "b, c\t.txt", "other");
      const patch = await patchOf(open.gitDir, { from: open.head, to: one, signal: access.signal });
      expect(patch).toContain("-a: 1\n+a: 2\n");

      expect(await open.move("edit/one", { from: null, to: one })).toBe(true);
      expect(await open.move("edit/one", { from: null, to: one })).toBe(true);
      expect(await open.move("edit/one", { from: null, to: other })).toBe(false);
      expect(await open.move("trunk", { from: open.head, to: one })).toBe(true);
      expect(await open.move("trunk", { from: open.head, to: one })).toBe(true);
      expect(await open.move("trunk", { from: open.head, to: other })).toBe(false);
      expect(await open.headOf("trunk")).toBe(one);
      await open.drop("edit/one", other);
      expect(await open.headOf("edit/one")).toBe(one);
      await open.drop("edit/one", one);
      expect(await open.headOf("edit/one")).toBe(null);
    });
    const { gitDir } = place;
    expect(await git(gitDir, "log", "--format=%an %s", "trunk")).toBe("user:default/ada Edit\nt first");
    expect(await git(gitDir, "show", "trunk:a/parameters.yaml")).toBe("a: 2");
    expect(await git(gitDir, "ls-tree", "trunk", "run.sh")).toMatch(/^100755/);
    expect((await readdir(gitDir)).filter((name) => name.startsWith("plinth-index"))).toEqual([]);
  });

  it("has no branch that is none", async () => {
    const place = { ...places[where]!, ref: "nowhere" };
    const open = withBranch(place, access, async () => {});
    await expect(open).rejects.toMatchObject({ code: "BUILDER_NOT_EDITABLE" });
    await expect(readBranchHead(place, access)).rejects.toMatchObject({ code: "BUILDER_NOT_EDITABLE" });
    await expect(readBranchHead({ ...place, ref: "--upload-pack=x" }, access)).rejects.toMatchObject({
      code: "BUILDER_ACTION_INPUT",
    });
  });
});
