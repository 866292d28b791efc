/** Where the configured token of a git host goes, and where it does not. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { serveGit } from "../../../test/builder/hosts/git-http.ts";
import { startHttpPeer, type HttpPeer } from "../../../test/support/http-peer.ts";
import { fetchPlain, fetchPlainFile } from "../actions/fetch-template.ts";
import { publishGit } from "../actions/publishing/publish-git.ts";
import { actionBench, readFiles, writeFiles, type Bench } from "../actions/testdata.ts";
import { readIntegrations } from "./integrations.ts";
import type { HostKind } from "./source-url.ts";

const run = promisify(execFile);
const token = "operators-token-0123456789";
const none = { github: [], gitlab: [], azure: [], bitbucket: [], gitea: [], git: [] };

let root: string;
let server: HttpPeer;
let host: string;
let bench: Bench;
/** What every request had for authorization, by its path. */
const seen: [path: string, authorization: string | undefined][] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "plinth-tokens-"));
  const work = join(root, "work");
  await writeFiles(work, { "docs/a.md": "of the repository" });
  const git = (...args: string[]) =>
    run("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: work });
  await git("init", "-q", "-b", "main");
  await git("add", "-A");
  await git("commit", "-qm", "first");
  await git("clone", "-q", "--bare", work, join(root, "group", "project.git"));
  server = await startHttpPeer((request, response) => {
    const { authorization } = request.headers;
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    seen.push([pathname, authorization]);
    if (pathname.startsWith("/group/project.git/") && authorization?.startsWith("Basic ") === true)
      serveGit(root, request, response);
    else if (pathname.startsWith("/open/")) response.end("open");
    else if (pathname.startsWith("/forbidden/")) response.writeHead(403).end();
    else if (authorization === undefined)
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    else response.end("a secret of the interface");
  });
  host = `127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => void (seen.length = 0));
afterEach(() => bench.close());

/** The host of the test, whose interface has this address. */
async function configure(kind: HostKind, apiBaseUrl?: string): Promise<void> {
  const entry = { host, token, ...(apiBaseUrl === undefined ? {} : { apiBaseUrl }) };
  bench = await actionBench({ integrations: readIntegrations({ ...none, [kind]: [entry] }) });
}

const fetchFile = (path: string, more: object = {}) =>
  bench.run(fetchPlainFile, { url: server.url + path, targetPath: "out", ...more });

const basic = (user: string): string => `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}`;

const files: [kind: HostKind, path: string, user: string][] = [
  ["gitlab", "/group/project/-/raw/main/docs/a.md", "oauth2"],
  ["gitlab", "/group/project/-/blob/main/docs/a.md", "oauth2"],
  ["gitlab", "/group/project/raw/main/docs/a.md", "oauth2"],
  ["github", "/group/project/blob/main/docs/a.md", "x-access-token"],
  ["github", "/group/project/raw/refs/heads/main/docs/a.md", "x-access-token"],
  ["gitea", "/group/project/raw/branch/main/docs/a.md", "token"],
  ["bitbucket", "/group/project/raw/main/docs/a.md", "x-token-auth"],
  ["git", "/group/project.git/blob/main/docs/a.md", "git"],
];

describe("a file of a private repository is read with the token of its host", () => {
  it.each(files)("%s: %s", async (kind, path, user) => {
    await configure(kind, server.url);
    await fetchFile(path);
    expect(await readFiles(bench.workspace)).toEqual({ out: "of the repository" });
    expect(new Set(seen.map(([, authorization]) => authorization))).toEqual(new Set([basic(user)]));
    expect(seen.every(([called]) => called.startsWith("/group/project.git/"))).toBe(true);
  });
});

describe("any other page of the host gets the token of the step only", () => {
  const pages: [kind: HostKind, path: string][] = [
    ["gitlab", "/api/v4/projects/42/variables"],
    ["github", "/api/v3/repos/group/project/actions/secrets"],
    ["gitea", "/api/v1/user"],
    ["git", "/api/keys"],
  ];

  it.each(pages)("%s: %s", async (kind, path) => {
    await configure(kind, server.url);
    const message = await fetchFile(path).catch((error: Error) => error.message);
    expect(message).toBe(
      `"${server.url}${path}" cannot be fetched: the answer was 401. The configured token of ${host} is sent to repositories only: name the file by its address in a repository, or give the step a token.`,
    );
    expect(seen).toEqual([[path, undefined]]);
    await fetchFile(path, { token: "token-of-the-step" });
    expect(seen.at(-1)).toEqual([path, "Bearer token-of-the-step"]);
  });

  it("and so it is for fetch:plain", async () => {
    await configure("gitlab", server.url);
    await bench.run(fetchPlain, { url: `${server.url}/open/x/a.txt` });
    expect(seen).toEqual([["/open/x/a.txt", undefined]]);
  });
});

describe("an http: address does not get the configured token", () => {
  const why = () =>
    `The configured token of ${host} was not sent, because it would travel in clear: use the https: address, or let an operator give the host an apiBaseUrl that begins with http:.`;

  it.each([undefined, "https://api.test"])("while the interface is %s", async (apiBaseUrl) => {
    await configure("gitea", apiBaseUrl);
    await expect(fetchFile("/group/project/raw/branch/main/docs/a.md")).rejects.toMatchObject({
      code: "BUILDER_GIT_FAILED",
      message: expect.stringContaining(why()),
    });
    expect(new Set(seen.map(([, authorization]) => authorization))).toEqual(new Set([undefined]));
  });

  it("nor do pushes", async () => {
    await configure("gitea");
    await writeFiles(bench.workspace, { a: "" });
    const push = bench.run(publishGit, { repoUrl: `${server.url}/group/project.git` });
    await expect(push).rejects.toThrow(why());
    expect(seen.flatMap(([, authorization]) => authorization ?? [])).toEqual([]);
  });

  it("but it gets the token of the step", async () => {
    await configure("gitea");
    await fetchFile("/group/project/raw/branch/main/docs/a.md", { token: "token-of-the-step" });
    const given = `Basic ${Buffer.from("token:token-of-the-step").toString("base64")}`;
    expect(new Set(seen.map(([, authorization]) => authorization))).toEqual(new Set([given]));
  });

  it("and one that the host refuses does not say so", async () => {
    await configure("gitea");
    const refused = fetchFile("/forbidden/project/raw/branch/main/a", { token: "token-of-the-step" });
    await expect(refused).rejects.toThrow(/^(?!.*The configured token).*403/);
  });
});
