/**
 * Publishing is killed with SIGKILL at drawn moments and tried again until it comes through, as a worker would: what is
 * there in between is whole or not there, and in the end there is one repository with one commit and nothing else.
 */
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeFiles } from "../../src/builder/actions/testdata.ts";
import { readIntegrations } from "../../src/builder/git/integrations.ts";
import { seededRandom } from "../crash/random.ts";
import { hostToken, startFakeHosts, type FakeHosts } from "./hosts/fake-hosts.ts";
import type { Attempt } from "./publish-process.ts";

const exec = promisify(execFile);
const program = fileURLToPath(new URL("publish-process.ts", import.meta.url));

/** Kills of one publication; each attempt begins in a folder of its own. */
const kills = 4;
/** An attempt takes about this long, once its program is loaded. */
const spreadMs = 500;

let folder = "";
let hosts: FakeHosts;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "plinth-kill-"));
  hosts = await startFakeHosts();
  await writeFiles(join(folder, "workspace"), {
    "catalog-info.yaml": "kind: System\n",
    "src/a.sql": "select 1",
  });
  await mkdir(join(folder, "data"));
});
afterEach(async () => {
  await hosts.close();
  await rm(folder, { recursive: true, force: true });
});

const attemptOf = (changes: Partial<Attempt>): Attempt => ({
  action: "publish:git",
  input: { repoUrl: "ship" },
  workspace: join(folder, "workspace"),
  dataDir: join(folder, "data"),
  checkpoints: join(folder, "checkpoints.json"),
  integrations: [],
  ...changes,
});

/** The outputs, or null for an attempt that was killed. */
async function run(attempt: Attempt, killAfterMs?: number): Promise<Record<string, string> | null> {
  const child = spawn(process.execPath, [program, JSON.stringify(attempt)]);
  let output = "";
  let words = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let timer: NodeJS.Timeout | undefined;
  child.stderr.on("data", (chunk: Buffer) => {
    words += chunk.toString();
    if (killAfterMs !== undefined) timer ??= setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.on("close", (...ended) => done(ended)),
  );
  clearTimeout(timer);
  if (signal === "SIGKILL") return null;
  expect(code, words).toBe(0);
  return JSON.parse(output) as Record<string, string>;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const filesOf = async (gitDir: string, branch = "main"): Promise<string> =>
  (await exec("git", ["--git-dir", gitDir, "ls-tree", "-r", "--name-only", branch])).stdout.trim();

it.each([11])("a repository of this server is whole or not there (seed %d)", async (seed) => {
  const random = seededRandom(seed);
  const attempt = attemptOf({});
  const gitDir = join(folder, "data", "repositories", "ship.git");
  for (let n = 0; n < kills; n++) {
    await run(attempt, random() * spreadMs);
    if (await isThere(gitDir)) expect(await filesOf(gitDir)).toBe("catalog-info.yaml\nsrc/a.sql");
  }
  const outputs = await run(attempt);
  expect(await filesOf(gitDir)).toBe("catalog-info.yaml\nsrc/a.sql");
  const { stdout } = await exec("git", ["--git-dir", gitDir, "rev-list", "--all"]);
  expect(stdout.trim()).toBe(outputs?.["commitHash"]);
  expect((await readdir(join(folder, "data", "repositories"))).toSorted()).toEqual([".making", "ship.git"]);
});

it.each([21])("a repository of a host is finished by the next attempt (seed %d)", async (seed) => {
  const random = seededRandom(seed);
  const none = { github: [], gitlab: [], azure: [], bitbucket: [], gitea: [], git: [] };
  const host = { host: hosts.host, apiBaseUrl: `${hosts.url}/github`, token: hostToken };
  const attempt = attemptOf({
    action: "publish:github",
    input: { repoUrl: `${hosts.host}?owner=acme&repo=ship` },
    integrations: readIntegrations({ ...none, github: [host] }),
  });
  for (let n = 0; n < kills; n++) await run(attempt, random() * spreadMs);
  const outputs = await run(attempt);
  expect(outputs?.["remoteUrl"]).toBe(`${hosts.url}/acme/ship.git`);
  expect(await hosts.readBranch("acme/ship", "main")).toEqual(["catalog-info.yaml", "src/a.sql"]);
  expect([...hosts.repositories.keys()]).toEqual(["acme/ship"]);
  // It was made once and never removed, whatever came between.
  expect(hosts.calls.filter((call) => /^POST .*\/repos$|^DELETE/.test(call))).toEqual([
    "POST /github/orgs/acme/repos",
  ]);
});
