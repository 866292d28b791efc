/** publish:git over a whole server: repositories of its own, cloned by a real git program. */
import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { publishGit } from "../../src/builder/actions/publishing/publish-git.ts";
import { fetchPlain } from "../../src/builder/actions/fetch-template.ts";
import { actionBench, readFiles, writeFiles, type Bench } from "../../src/builder/actions/testdata.ts";
import { startWholeServer, type WholeServer } from "../support/server.ts";
import { startHttpPeer, type HttpPeer } from "../support/http-peer.ts";

const exec = promisify(execFile);

let server: WholeServer;
let dataDir = "";
let bench: Bench;

beforeAll(async () => {
  server = await startWholeServer({
    workers: "off",
    configure: (config) => void (dataDir = join(config.dataDir, "builder")),
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  bench = await actionBench({ dataDir, baseUrl: server.url });
  await writeFiles(bench.workspace, {
    "catalog-info.yaml": "kind: System\n",
    "src/a.sql": "select 1",
    ".gitignore": "*.log\n",
    "debug.log": "left out",
  });
});
afterEach(async () => {
  await bench.close();
  await rm(join(dataDir, "repositories"), { recursive: true, force: true });
});

const git = async (args: string[], cwd = bench.folder): Promise<string> => {
  const env = {
    PATH: process.env["PATH"]!,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    HOME: bench.folder,
  };
  const { stdout } = await exec("git", args, { cwd, env });
  return stdout.trim();
};

const published = { "catalog-info.yaml": "kind: System\n", "src/a.sql": "select 1", ".gitignore": "*.log\n" };

const withToken = (url: string): string => url.replace("://", `://x:${server.token("viewer")}@`);

async function clone(url: string, name = "clone"): Promise<Record<string, string>> {
  await git(["clone", "-q", url, name]);
  const files = await readFiles(join(bench.folder, name));
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".git/")));
}

describe("a repository of this server", () => {
  it("is cloned over HTTP as it was published", async () => {
    const { outputs } = await bench.run(publishGit, {
      repoUrl: "cash-flow",
      gitAuthorName: "Ada",
      gitCommitMessage: "Begin",
    });
    expect(outputs).toEqual({
      remoteUrl: `${server.url}/git/cash-flow.git`,
      repoContentsUrl: `${server.url}/git/cash-flow.git/blob/main`,
      commitHash: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(await clone(withToken(String(outputs["remoteUrl"])))).toEqual(published);
    expect(await git(["log", "--format=%H %an <%ae> %cI %s"], join(bench.folder, "clone"))).toBe(
      `${String(outputs["commitHash"])} Ada <plinth@localhost> 2026-03-04T05:06:07+00:00 Begin`,
    );
    expect(await git(["branch", "--show-current"], join(bench.folder, "clone"))).toBe("main");
  });

  it("is cloned with a bearer token too, shallow, and by the older protocol", async () => {
    const { outputs } = await bench.run(publishGit, { repoUrl: "x" });
    const url = String(outputs["remoteUrl"]);
    const bearer = ["-c", `http.extraHeader=Authorization: Bearer ${server.token("viewer")}`];
    await git([...bearer, "clone", "-q", "--depth=1", url, "shallow"]);
    await git([...bearer, "-c", "protocol.version=0", "clone", "-q", url, "old"]);
    for (const folder of ["shallow", "old"])
      expect(await readFiles(join(bench.folder, folder, "src"))).toEqual({ "a.sql": "select 1" });
  });

  it("is shown to nobody without credentials, and takes no push", async () => {
    const { outputs } = await bench.run(publishGit, { repoUrl: "x" });
    const url = String(outputs["remoteUrl"]);
    await expect(git(["clone", "-q", url])).rejects.toThrow(/Authentication failed|could not read Username/);
    await expect(git(["clone", "-q", url.replace("://", "://x:wrong-token@")])).rejects.toThrow(
      "Authentication failed",
    );
    await clone(withToken(url));
    await expect(git(["push", withToken(url), "HEAD:other"], join(bench.folder, "clone"))).rejects.toThrow();
    const answer = await fetch(`${url}/info/refs?service=git-upload-pack`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe('Basic realm="plinth", Bearer realm="plinth"');
  });

  it("has a flat name for the place that a repository picker gives", async () => {
    const { outputs } = await bench.run(publishGit, {
      repoUrl: `${new URL(server.url).host}?owner=finance&repo=cash-flow`,
      rootDirectory: "systems/cash",
      parentRef: "system:default/finance.cash.0",
    });
    expect(outputs).toMatchObject({
      remoteUrl: `${server.url}/git/finance.cash-flow.git`,
      repoContentsUrl: `${server.url}/git/finance.cash-flow.git/blob/main/systems/cash`,
      parentRef: "system:default/finance.cash.0",
    });
    expect(await clone(withToken(String(outputs["remoteUrl"])))).toMatchObject({
      "systems/cash/src/a.sql": "select 1",
    });
    // What is published can be fetched from, by the address that it was given.
    await bench.run(fetchPlain, { url: `${String(outputs["repoContentsUrl"])}/src`, targetPath: "again" });
    expect(await readFiles(join(bench.workspace, "again"))).toEqual({ "a.sql": "select 1" });
  });

  it("is not written over by another instantiation, but goes on for the same", async () => {
    const first = await bench.run(publishGit, { repoUrl: "x" });
    const other = bench.run(publishGit, { repoUrl: "x" }, { taskId: "task-2" });
    await expect(other).rejects.toMatchObject({ code: "BUILDER_REPOSITORY_EXISTS" });
    const again = await bench.run(publishGit, { repoUrl: "x" });
    expect(again.outputs).toEqual(first.outputs);
    // A retry may come with another content, when the step before it was repeated.
    await writeFiles(bench.workspace, { "src/a.sql": "select 2" });
    const changed = await bench.run(publishGit, { repoUrl: "x" });
    expect(changed.outputs["commitHash"]).not.toBe(first.outputs["commitHash"]);
    expect(await clone(withToken(String(changed.outputs["remoteUrl"])))).toMatchObject({
      "src/a.sql": "select 2",
    });
  });

  it("of twenty who want the name, one gets it", async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => bench.run(publishGit, { repoUrl: "x" }, { taskId: `task-${n}` })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected")
        expect(result.reason).toMatchObject({ code: "BUILDER_REPOSITORY_EXISTS" });
    expect(await readdir(join(dataDir, "repositories", ".making"))).toEqual([]);
  });

  it("is not there when it cannot be made", async () => {
    await expect(bench.run(publishGit, { repoUrl: "x", sourcePath: "never" })).rejects.toThrow(
      "no such folder",
    );
    await expect(bench.run(publishGit, { repoUrl: "x", defaultBranch: "a..b" })).rejects.toThrow(
      "no name of a branch",
    );
    await rm(bench.workspace, { recursive: true });
    await writeFiles(bench.workspace, { "debug.log": "" });
    expect(await readdir(join(dataDir, "repositories"))).toEqual([".making"]);
  });
});

it.each([
  ["../x", "neither"],
  ["x.git", "no name of a repository"],
  ["https://u:p@127.0.0.1/x.git", "must not carry"],
  ["file:///tmp/x.git", "file: address of a repository is refused"],
  ["http://allowed.example\\@other.example/x.git", "must not hold a backslash"],
  ["http://127.1/x.git", "another spelling of 127.0.0.1"],
  ["http://host.example/x.git#main", "neither a query nor a fragment"],
  ["http:127.0.0.1/x.git", "form scheme://host/path"],
  ["ssh://host.example/x.git", "neither"],
  ["git@host.example:x.git", "neither"],
  ["ext::sh -c true", "neither"],
  ["--upload-pack=x", "neither"],
  ["file://host.example/x.git", "form file:///folder"],
])("repoUrl %s is refused", async (repoUrl, why) => {
  await expect(bench.run(publishGit, { repoUrl })).rejects.toMatchObject({
    code: "BUILDER_ACTION_INPUT",
    message: expect.stringContaining(why),
  });
});

it("nobody can tell an address that may not be called from one that does not answer", async () => {
  const messages = [];
  for (const repoUrl of [
    "http://169.254.169.254/x.git",
    "http://127.0.0.1:1/x.git",
    "http://no.invalid/x.git",
  ]) {
    const error = await bench.run(publishGit, { repoUrl }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "BUILDER_FETCH_FAILED" });
    messages.push(error instanceof Error && error.message);
  }
  expect(new Set(messages).size).toBe(1);
});

it("goes to the host that was checked, and to no other that git would read in the text", async () => {
  const seen: string[] = [];
  const open: HttpPeer[] = [];
  const listen = async (name: string): Promise<string> => {
    const peer = await startHttpPeer((_request, response) => {
      seen.push(name);
      response.writeHead(404).end();
    });
    open.push(peer);
    return `127.0.0.1:${peer.port}`;
  };
  const allowed = await listen("allowed");
  const other = await listen("other");
  try {
    for (const repoUrl of [`http://${allowed}\\@${other}/x.git`, `http://${allowed}#@${other}/x.git`]) {
      const run = bench.run(publishGit, { repoUrl, allowedHosts: [allowed] });
      await expect(run).rejects.toMatchObject({ code: "BUILDER_ACTION_INPUT" });
    }
    expect(seen).toEqual([]);
    const plain = bench.run(publishGit, { repoUrl: `http://${allowed}/x.git`, allowedHosts: [allowed] });
    await expect(plain).rejects.toMatchObject({ code: "BUILDER_GIT_FAILED" });
    expect(new Set(seen)).toEqual(new Set(["allowed"]));
  } finally {
    for (const peer of open) await peer.close();
  }
});

it("publishes to an empty remote, and to no other", async () => {
  const target = join(bench.folder, "remote.git");
  await git(["init", "-q", "--bare", "-b", "main", target]);
  const settings = { ...bench.deps.settings, git: { ...bench.deps.settings.git, allowFileRemotes: true } };
  const deps = { ...bench.deps, settings };
  await bench.run(publishGit, { repoUrl: `file://${target}` }, { deps });
  expect(await clone(target)).toEqual(published);
  await bench.run(publishGit, { repoUrl: `file://${target}` }, { deps });
  await writeFiles(bench.workspace, { new: "" });
  const other = bench.run(publishGit, { repoUrl: `file://${target}` }, { deps });
  await expect(other).rejects.toMatchObject({ code: "BUILDER_REPOSITORY_EXISTS" });
});

it.each([
  ["GET", "/git/never.git/info/refs?service=git-upload-pack", 404],
  ["GET", "/git/..%2F..%2Fetc.git/info/refs?service=git-upload-pack", 404],
  ["GET", "/git/x.git/info/refs?service=git-receive-pack", 400],
  ["GET", "/git/x.git/info/refs", 400],
  ["GET", "/git/x.git/HEAD", 404],
  ["POST", "/git/x.git/git-receive-pack", 404],
  ["POST", "/git/x.git/git-upload-pack", 400],
])("%s %s is answered with %d", async (method, path, status) => {
  await bench.run(publishGit, { repoUrl: "x" });
  const headers = { authorization: `Bearer ${server.token("viewer")}` };
  const answer = await fetch(server.url + path, { method, headers });
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({
    error: { code: expect.any(String) },
    response: { statusCode: status },
  });
});
