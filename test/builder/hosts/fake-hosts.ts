/**
 * A small server that speaks the interfaces of five git hosts, as far as publishing needs them, each below a path of its
 * own, and takes real pushes. It refuses what the hosts would refuse: a missing token, a repository that is there, a
 * push without credentials.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { serveGit } from "./git-http.ts";

const run = promisify(execFile);

export interface FakeHosts {
  /** `127.0.0.1:<port>`. */
  host: string;
  url: string;
  /** Repositories by `<owner>/<repo>`, with what they were made with. */
  repositories: Map<string, Record<string, unknown>>;
  /** Bodies of the requests to merge that were opened, and of what was asked for them. */
  changes: Record<string, unknown>[];
  /** Calls of the interfaces, `METHOD path`, and pushes. */
  calls: string[];
  /** Answered instead of doing it, once each, to the first request that matches. */
  faults: { match: RegExp; status: number; after?: boolean }[];
  /** What git sees on a branch. */
  readBranch: (name: string, branch: string) => Promise<string[]>;
  /** Makes a repository as somebody else would, with a file when one is named. */
  make: (name: string, body?: Record<string, unknown>, file?: string) => Promise<void>;
  close: () => Promise<void>;
}

export const hostToken = "host-token-canary-0123456789";

export async function startFakeHosts(): Promise<FakeHosts> {
  const root = await mkdtemp(join(tmpdir(), "plinth-hosts-"));
  const hosts: FakeHosts = {
    host: "",
    url: "",
    repositories: new Map(),
    changes: [],
    calls: [],
    faults: [],
    async readBranch(name, branch) {
      const gitDir = join(root, `${name}.git`);
      const { stdout } = await run("git", ["--git-dir", gitDir, "ls-tree", "-r", "--name-only", branch]);
      return stdout.trim().split("\n");
    },
    async make(name, body = {}, file) {
      const gitDir = join(root, `${name}.git`);
      await run("git", ["init", "-q", "--bare", "-b", "main", gitDir]);
      if (file !== undefined) await commitEmpty(gitDir, file);
      hosts.repositories.set(name, body);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
  const drop = async (name: string): Promise<void> => {
    hosts.repositories.delete(name);
    await rm(join(root, `${name}.git`), { recursive: true, force: true });
  };
  const server = createServer((request, response) => {
    void answer({ hosts, root, drop }, request, response).catch((error: Error) => {
      response.writeHead(500).end(JSON.stringify({ message: error.message }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  hosts.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts.url = `http://${hosts.host}`;
  return hosts;
}

/** One commit with one empty file on `main`. */
async function commitEmpty(gitDir: string, file: string): Promise<void> {
  const git = async (...args: string[]): Promise<string> => {
    const author = ["-c", "user.name=t", "-c", "user.email=t@t"];
    return (await run("git", ["--git-dir", gitDir, ...author, ...args])).stdout.trim();
  };
  const blob = await git("hash-object", "-w", "/dev/null");
  await git("update-index", "--add", "--cacheinfo", `100644,${blob},${file}`);
  const commit = await git("commit-tree", await git("write-tree"), "-m", "theirs");
  await git("update-ref", "refs/heads/main", commit);
}

interface Fixture {
  hosts: FakeHosts;
  root: string;
  drop: (name: string) => Promise<void>;
}

async function answer(fixture: Fixture, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { hosts, root } = fixture;
  const { pathname, searchParams } = new URL(request.url ?? "/", hosts.url);
  const line = `${request.method} ${pathname}`;
  const isGit = /\.git\/(?:info\/refs|git-(?:upload|receive)-pack)$/.test(pathname);
  if (!isGit || pathname.endsWith("git-receive-pack")) hosts.calls.push(line);
  const fault = hosts.faults.find(({ match }) => match.test(line));
  if (fault) hosts.faults.splice(hosts.faults.indexOf(fault), 1);
  if (fault && fault.after !== true) {
    response.writeHead(fault.status).end(JSON.stringify({ message: "a fault of the test" }));
    return;
  }
  if (isGit) {
    if (!passwordOf(request)) response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    else serveGit(root, request, response);
    return;
  }
  const api = apis.find(({ prefix }) => pathname.startsWith(`${prefix}/`));
  const body = await readBody(request);
  const result =
    api === undefined
      ? { status: 404 }
      : api.isAllowed(request)
        ? await api.answer(fixture, {
            method: request.method ?? "",
            path: pathname.slice(api.prefix.length),
            query: searchParams,
            body,
          })
        : { status: 401, body: { message: "Bad credentials" } };
  if (fault) response.destroy();
  else
    response
      .writeHead(result.status, { "content-type": "application/json" })
      .end(JSON.stringify(result.body ?? {}));
}

interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

interface Reply {
  status: number;
  body?: object;
}

/** The request that is open from a branch, as its host answers it. */
const changesFrom = ({ changes }: FakeHosts, branch: string | undefined): Record<string, unknown>[] =>
  changes.filter(({ head, source_branch: source }) => (head ?? source) === branch);

interface Api {
  prefix: string;
  isAllowed: (request: IncomingMessage) => boolean;
  answer: (fixture: Fixture, call: Call) => Promise<Reply>;
}

const isBearer = ({ headers }: IncomingMessage): boolean => headers.authorization === `Bearer ${hostToken}`;

const passwordOf = ({ headers }: IncomingMessage): boolean => {
  const text = Buffer.from((headers.authorization ?? "").replace(/^Basic /, ""), "base64").toString("utf8");
  return text.endsWith(`:${hostToken}`);
};

const notFound: Reply = { status: 404, body: { message: "Not Found" } };

/** GitHub and Gitea address a repository as `/repos/<owner>/<name>`. */
async function answerNamed(
  { hosts, drop }: Fixture,
  { method, path, body }: Call,
  exists: Reply,
): Promise<Reply> {
  const describe = (name: string): object => ({
    full_name: name,
    clone_url: `${hosts.url}/${name}.git`,
    html_url: `${hosts.url}/${name}`,
    default_branch: hosts.repositories.get(name)?.["default_branch"] ?? "main",
  });
  const owner = /^\/orgs\/([^/]+)\/repos$/.exec(path)?.[1] ?? (path === "/user/repos" ? "ada" : undefined);
  if (owner !== undefined) {
    const name = `${owner}/${String(body["name"])}`;
    if (hosts.repositories.has(name)) return exists;
    await hosts.make(name, body);
    return { status: 201, body: describe(name) };
  }
  const name = /^\/repos\/([^/]+\/[^/]+)$/.exec(path)?.[1] ?? "";
  if (!hosts.repositories.has(name)) return notFound;
  if (method === "DELETE") await drop(name);
  if (method === "PATCH") Object.assign(hosts.repositories.get(name)!, body);
  return method === "DELETE" ? { status: 204 } : { status: 200, body: describe(name) };
}

const github: Api = {
  prefix: "/github",
  isAllowed: isBearer,
  async answer(fixture, call) {
    const { hosts } = fixture;
    const { method, path, query, body } = call;
    const pulls = /^\/repos\/([^/]+\/[^/]+)\/pulls$/.exec(path)?.[1];
    const pull = (number: number): object => ({ number, html_url: `${hosts.url}/${pulls}/pull/${number}` });
    if (pulls !== undefined && method === "GET") {
      const found = changesFrom(hosts, query.get("head")?.split(":")[1]);
      return { status: 200, body: found.map((each) => pull(hosts.changes.indexOf(each) + 1)) };
    }
    if (pulls !== undefined) return { status: 201, body: pull(hosts.changes.push(body)) };
    if (/\/(?:requested_reviewers|assignees)$/.test(path)) {
      hosts.changes.push({ ...body, path });
      return { status: 201 };
    }
    const user = /^\/users\/([^/]+)$/.exec(path)?.[1];
    if (user !== undefined) return { status: 200, body: { type: user === "acme" ? "Organization" : "User" } };
    return answerNamed(fixture, call, { status: 422, body: { message: "name already exists" } });
  },
};

const gitlab: Api = {
  prefix: "/gitlab",
  isAllowed: ({ headers }) => headers["private-token"] === hostToken,
  async answer({ hosts, drop }, { method, path, query, body }) {
    const groups = ["acme", "acme/data"];
    const describe = (name: string): object => ({
      id: 100 + [...hosts.repositories.keys()].indexOf(name),
      http_url_to_repo: `${hosts.url}/${name}.git`,
      web_url: `${hosts.url}/${name}`,
      default_branch: hosts.repositories.get(name)?.["default_branch"] ?? "main",
    });
    const request = (iid: number): object => ({ iid, web_url: `${hosts.url}/-/merge_requests/${iid}` });
    if (path.endsWith("/merge_requests") && method === "GET") {
      const found = changesFrom(hosts, query.get("source_branch") ?? undefined);
      return { status: 200, body: found.map((each) => request(hosts.changes.indexOf(each) + 1)) };
    }
    if (path.endsWith("/merge_requests")) return { status: 201, body: request(hosts.changes.push(body)) };
    if (path === "/users") {
      return { status: 200, body: query.get("username") === "ada" ? [{ id: 7 }] : [] };
    }
    const group = /^\/namespaces\/([^/]+)$/.exec(path)?.[1];
    if (group !== undefined) {
      const id = groups.indexOf(decodeURIComponent(group));
      return id === -1 ? notFound : { status: 200, body: { id } };
    }
    if (path === "/projects") {
      const name = `${groups[Number(body["namespace_id"])]}/${String(body["path"])}`;
      if (hosts.repositories.has(name))
        return { status: 400, body: { message: { path: ["has already been taken"] } } };
      await hosts.make(name, body);
      return { status: 201, body: describe(name) };
    }
    const id = decodeURIComponent(/^\/projects\/([^/]+)$/.exec(path)?.[1] ?? "");
    const name = /^\d+$/.test(id) ? ([...hosts.repositories.keys()][Number(id) - 100] ?? "") : id;
    if (!hosts.repositories.has(name)) return notFound;
    if (method === "DELETE") await drop(name);
    return method === "DELETE" ? { status: 202, body: {} } : { status: 200, body: describe(name) };
  },
};

const azure: Api = {
  prefix: "/azure",
  isAllowed: passwordOf,
  async answer({ hosts, drop }, { method, path, body }) {
    const [, organization = "", project = "", , , , wanted] = path.split("/").map(decodeURIComponent);
    const describe = (name: string): object => ({
      id: Buffer.from(name).toString("hex"),
      remoteUrl: hosts.url.replace("://", `://${organization}@`) + `/${name}.git`,
      webUrl: `${hosts.url}/${name}`,
    });
    if (wanted === undefined) {
      const name = `${organization}/${project}/${String(body["name"])}`;
      if (hosts.repositories.has(name)) return { status: 409, body: { message: "TF400948: exists" } };
      await hosts.make(name, body);
      return { status: 201, body: describe(name) };
    }
    const byName = `${organization}/${project}/${wanted}`;
    const name = hosts.repositories.has(byName) ? byName : Buffer.from(wanted, "hex").toString("utf8");
    if (!hosts.repositories.has(name)) return notFound;
    if (method === "DELETE") await drop(name);
    if (method === "PATCH") Object.assign(hosts.repositories.get(name)!, body);
    return method === "DELETE" ? { status: 204 } : { status: 200, body: describe(name) };
  },
};

const bitbucket: Api = {
  prefix: "/bitbucket",
  isAllowed: isBearer,
  async answer({ hosts, drop }, { method, path, body }) {
    const name = /^\/repositories\/([^/]+\/[^/]+)$/.exec(path)?.[1] ?? "";
    const described = {
      links: {
        html: { href: `${hosts.url}/${name}` },
        clone: [
          { name: "ssh", href: `git@bitbucket:${name}.git` },
          { name: "https", href: `${hosts.url.replace("://", "://ada@")}/${name}.git` },
        ],
      },
    };
    if (method === "POST") {
      if (hosts.repositories.has(name))
        return { status: 400, body: { error: { message: "already exists" } } };
      await hosts.make(name, body);
      return { status: 200, body: described };
    }
    if (!hosts.repositories.has(name)) return notFound;
    if (method === "DELETE") await drop(name);
    return method === "DELETE" ? { status: 204 } : { status: 200, body: described };
  },
};

const gitea: Api = {
  prefix: "/gitea",
  isAllowed: ({ headers }) => headers.authorization === `token ${hostToken}`,
  async answer(fixture, call) {
    const group = /^\/orgs\/([^/]+)$/.exec(call.path)?.[1];
    if (group !== undefined) return group === "acme" ? { status: 200, body: { id: 1 } } : notFound;
    return answerNamed(fixture, call, { status: 409, body: { message: "already exists" } });
  },
};

const apis = [github, gitlab, azure, bitbucket, gitea];

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}
