/**
 * A checked git remote. Its address is parsed once: the outbound policy, the choice of credentials and git
 * all use the same URL, and git may only connect to the addresses that passed the policy.
 */
import { OutboundError, publicMessage } from "../../platform/outbound/outbound-error.ts";
import { readGitUrl } from "../../platform/lib/target-url.ts";
import type { Failure } from "../../platform/errors/failure.ts";
import type { BuilderDeps } from "../context.ts";
import { builderFailure } from "../errors.ts";
import { integrationOf, tokenForRepository } from "./integrations.ts";
import { readFileUrl } from "./source-url.ts";
import { gitFailure, tryGit, type GitOptions } from "./run-git.ts";

export interface RemoteOptions {
  deps: Pick<BuilderDeps, "settings" | "outbound">;
  /** Who provided the address. */
  namedBy: "templates" | "locations";
  /** Used instead of the configured token of the host. */
  token?: string | undefined;
  /** Whether `mesh.builder.git.allowFileRemotes` applies. */
  mayBeFile?: boolean;
}

export interface Remote {
  /** The address that is shown and stored. */
  url: string;
  /** Runs a git command on it; `args` receives the address. Rejects with a Failure. */
  run(args: (url: string) => string[], options: GitOptions): Promise<Buffer>;
}

/** Rejects with a Failure when the policy refuses the address. */
export async function openRemote(text: string, options: RemoteOptions): Promise<Remote> {
  if (/^file:/i.test(text)) return openFile(text, options);
  const { deps, namedBy, token } = options;
  const { integrations } = deps.settings;
  const read = readGitUrl(text);
  if (read.url === null) throw refuse(read.message);
  // A host in the configuration was named by an operator.
  const integration = integrationOf(integrations, read.url.host);
  const client = deps.outbound[integration === undefined ? namedBy : "integrations"];
  const target = await client.resolve(read.url.href).catch((error: unknown) => {
    throw error instanceof OutboundError ? unreachable(error) : error;
  });
  const { url, addresses } = target;
  const config: Record<string, string> = {};
  if (!isLiteral(url.hostname)) {
    await requirePinning();
    // The host name is resolved once, here; git connects only to the checked address.
    const list = addresses.map((address) => (address.includes(":") ? `[${address}]` : address)).join(",");
    config["http.curloptResolve"] = `${url.hostname}:${portOf(url)}:${list}`;
  }
  const { credentials, hint } = tokenForRepository(integrations, url, token);
  if (credentials !== undefined) {
    const basic = Buffer.from(`${credentials.user}:${credentials.token}`).toString("base64");
    config[`http.${url.origin}/.extraHeader`] = `Authorization: Basic ${basic}`;
  }
  const failed = (why: string): Failure => unreachable(target.failed(why));
  const fixed = {
    protocols: [url.protocol === "https:" ? "https" : "http"],
    config,
    onTimeout: failed,
  } as const;
  return {
    url: url.href,
    run: (args, given) => run(args(url.href), { ...given, ...fixed }, { failed, hint }),
  };
}

/** The failure of a call that did not complete; only operators learn the reason. */
export const unreachable = (error: OutboundError): Failure =>
  builderFailure(error.reason === "malformed_url" ? "BUILDER_ACTION_INPUT" : "BUILDER_FETCH_FAILED", {
    message: publicMessage(error),
    cause: error,
  });

function openFile(text: string, { deps, mayBeFile }: RemoteOptions): Remote {
  if (mayBeFile !== true || !deps.settings.git.allowFileRemotes) {
    throw refuse("A file: address of a repository is refused; mesh.builder.git.allowFileRemotes allows it.");
  }
  const url = readFileUrl(text);
  if (url === null) throw refuse("The address of the repository must have the form file:///folder.");
  return {
    url,
    run: (args, given) => run(args(url), { ...given, protocols: ["file"] }, { failed: null, hint: null }),
  };
}

async function run(
  args: string[],
  options: GitOptions,
  { failed, hint }: { failed: ((why: string) => Failure) | null; hint: string | null },
): Promise<Buffer> {
  const { code, output, words } = await tryGit(args, options);
  if (code === 0) return output;
  const failure = gitFailure(args[0] ?? "", words, hint);
  throw failed !== null && hasNotReached(words) ? failed(failure.message) : failure;
}

/** Whether there was no HTTP response; any status is a response. */
const hasNotReached = (words: string): boolean =>
  /unable to access '[^\n]*': (?!The requested URL returned error: \d)/.test(words);

const isLiteral = (hostname: string): boolean => /^[\d.]+$/.test(hostname) || hostname.startsWith("[");

const portOf = ({ port, protocol }: URL): string =>
  port !== "" ? port : protocol === "https:" ? "443" : "80";

/** An older git ignores `http.curloptResolve` silently and would resolve the name again. */
async function requirePinning(): Promise<void> {
  const { output } = await tryGit(["version"]);
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(output.toString("utf8")) ?? [];
  if (Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 37)) return;
  throw builderFailure("BUILDER_GIT_FAILED", {
    message:
      "The git program of the server is older than 2.37 and can't be held to an address that was checked.",
  });
}

const refuse = (message: string): Failure => builderFailure("BUILDER_ACTION_INPUT", { message });

// Pushes a branch of a local repository to a remote.

interface PushOptions {
  gitDir: string;
  branch: string;
  commit: string;
  remote: Remote;
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Pushes to a remote that has no branches yet, or that has this very commit from an earlier attempt.
 * Otherwise the repository belongs to someone else: throws the Failure BUILDER_REPOSITORY_EXISTS, and nothing
 * is changed.
 */
export async function pushFirst(options: PushOptions): Promise<void> {
  const { gitDir, branch, commit, remote, timeoutMs, signal } = options;
  const heads = await readHeads(remote, { gitDir, timeoutMs, signal });
  if (heads.get(`refs/heads/${branch}`) === commit) return;
  if (heads.size > 0) {
    throw builderFailure("BUILDER_REPOSITORY_EXISTS", {
      message: "The repository has branches already; nothing was pushed to it.",
    });
  }
  const ref = `refs/heads/${branch}`;
  const push = (url: string): string[] => ["push", "-q", "--porcelain", "--", url, `${ref}:${ref}`];
  await remote.run(push, { gitDir, timeoutMs, signal });
}

/**
 * Pushes a commit as a new branch. When the remote already has the branch at a commit other than `known`, it
 * belongs to someone else: throws the Failure BUILDER_BRANCH_EXISTS, unless it may be replaced.
 */
export async function pushBranch(
  options: PushOptions & { mayReplace: boolean; known: string | null },
): Promise<void> {
  const { gitDir, branch, commit, remote, timeoutMs, signal, mayReplace, known } = options;
  const ref = `refs/heads/${branch}`;
  const there = (await readHeads(remote, { gitDir, timeoutMs, signal })).get(ref);
  if (there === commit) return;
  if (there !== undefined && there !== known && !mayReplace) {
    throw builderFailure("BUILDER_BRANCH_EXISTS", {
      message: `The repository has a branch ${branch} already; nothing was pushed to it.`,
    });
  }
  // Replaces only the commit that was just read.
  const lease = `--force-with-lease=${ref}:${there ?? ""}`;
  const push = (url: string): string[] => ["push", "-q", "--porcelain", lease, "--", url, `${commit}:${ref}`];
  await remote.run(push, { gitDir, timeoutMs, signal });
}

/** Branches of a remote with their commits. */
export async function readHeads(remote: Remote, options: GitOptions): Promise<Map<string, string>> {
  const output = await remote.run((url) => ["ls-remote", "-q", "--heads", "--", url], options);
  return new Map(
    output
      .toString("utf8")
      .split("\n")
      .flatMap((line) => {
        const [commit = "", ref] = line.split("\t");
        return ref === undefined ? [] : [[ref, commit] as const];
      }),
  );
}
