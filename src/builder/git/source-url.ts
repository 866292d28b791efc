/** Pure: parses the addresses that a template may name. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { readTargetUrl, readGitUrl } from "../../platform/lib/target-url.ts";

export type Source =
  /** A file or folder relative to the template's own file, on the disk of this server. */
  | { kind: "folder"; root: string; path: string }
  | { kind: "repository"; remote: string; ref: string | null; path: string }
  /** A bare repository of this server. */
  | { kind: "own"; name: string; ref: string | null; path: string }
  | { kind: "http"; url: string };

/** `git` is any other git server, of which only repository addresses are known. */
export type HostKind = "github" | "gitlab" | "azure" | "bitbucket" | "gitea" | "git";

export interface SourceContext {
  /** The template's own file: `file:…`, an absolute path, or a URL, optionally with the prefix `url:`. */
  baseUrl: string;
  /** Address of this server. */
  ownUrl: string;
  /** The configured kind of a host; null when it is not configured. */
  hostKind: (host: string) => HostKind | null;
}

export type SourceResult = { ok: true; source: Source } | { ok: false; message: string };

/** Resolves a relative or absolute address in a template. */
export function resolveSource(address: string, context: SourceContext): SourceResult {
  const text = address.trim();
  if (/^https?:\/\//i.test(text)) return readUrl(text, context);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) || text.startsWith("//"))
    return refuse(`"${shown(text)}" is neither relative nor an http(s) address.`);
  if (text.startsWith("/"))
    return refuse(`"${shown(text)}" is absolute; use a path relative to the template.`);
  const base = readBase(context);
  return base.ok ? resolveRelative(text, base.source) : base;
}

/** The template's own file as a source. */
export function readBase(context: SourceContext): SourceResult {
  const text = context.baseUrl.replace(/^url:/, "");
  if (/^https?:\/\//i.test(text)) return readUrl(text, context);
  const path = filePath(
    text
      .replace(/^file:(?!\/)/, "")
      .replace(/^file:\/\/(?=\/)/, "")
      .replace(/^file:/, ""),
  );
  if (path === null)
    return refuse("The template's own place is not known, so nothing relative can be fetched.");
  const end = path.lastIndexOf("/");
  return { ok: true, source: { kind: "folder", root: path.slice(0, end) || "/", path: path.slice(end + 1) } };
}

const filePath = (text: string): string | null => {
  if (!text.startsWith("/")) return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function resolveRelative(text: string, base: Source): SourceResult {
  if (base.kind === "http") return { ok: true, source: { kind: "http", url: new URL(text, base.url).href } };
  const start = base.path.split("/").slice(0, -1);
  const segments: string[] = [...start];
  for (const segment of text.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      // A template on disk can read its own folder, one in a repository the whole repository.
      if (segments.length === 0)
        return refuse(
          `"${shown(text)}" leads out of the ${base.kind === "folder" ? "folder" : "repository"} of the template.`,
        );
      segments.pop();
    } else segments.push(segment);
  }
  return { ok: true, source: { ...base, path: segments.join("/") } };
}

function readUrl(text: string, context: SourceContext): SourceResult {
  const { url, message } = readTargetUrl(text);
  if (url === null) return refuse(`An address is refused. ${message}`);
  let segments: string[];
  try {
    segments = url.pathname
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
  } catch {
    return refuse(`"${shown(text)}" is not an address.`);
  }
  if (segments.some((segment) => segment.split("/").includes("..")))
    return refuse(`"${shown(text)}" climbs with \`..\`.`);
  const source = readOwn(url, segments, context) ?? readPlaces(url, segments, context);
  return { ok: true, source: source ?? { kind: "http", url: url.href } };
}

/** `<own>/git/<name>.git[/blob/<ref>/<path>]`, the addresses of our own repositories. */
function readOwn(url: URL, given: string[], { ownUrl }: SourceContext): Source | null {
  const own = URL.parse(ownUrl);
  if (url.origin !== own?.origin) return null;
  // A proxy may serve this server below a path prefix.
  const prefix = own.pathname.split("/").filter((part) => part !== "");
  const isBelow = prefix.every((part, at) => given[at] === part);
  const segments = isBelow ? given.slice(prefix.length) : given;
  if (segments[0] !== "git") return null;
  const name = /^(.+)\.git$/.exec(segments[1] ?? "")?.[1];
  if (name === undefined) return null;
  const [kind, ref, ...path] = segments.slice(2);
  if (kind === undefined) return { kind: "own", name, ref: null, path: "" };
  return placeWords.has(kind) && ref !== undefined ? { kind: "own", name, ref, path: path.join("/") } : null;
}

const placeWords = new Set(["blob", "tree", "raw", "edit"]);

/** The addresses under which the hosts show files and folders. */
function readPlaces(url: URL, segments: string[], context: SourceContext): Source | null {
  const { origin, host, search, searchParams } = url;
  const kind = context.hostKind(host) ?? publicHosts.get(host) ?? null;
  const at = (words: readonly string[], rest: readonly string[]): Source => repositoryAt(origin, words, rest);
  // With a query it has a token of its own; a host that is not configured has none that could be sent.
  if (origin === rawHub && search === "" && segments.length > 3 && context.hostKind("github.com") !== null)
    return repositoryAt("https://github.com", gitName(segments.slice(0, 2)), shortRef(segments.slice(2)));
  const dash = segments.indexOf("-");
  if (dash > 1 && placeWords.has(segments[dash + 1] ?? ""))
    return at(gitName(segments.slice(0, dash)), segments.slice(dash + 2));
  const azure = segments.indexOf("_git");
  if (azure > 0 && segments.length === azure + 2) {
    const ref = /^G[BTC](.+)$/.exec(searchParams.get("version") ?? "")?.[1] ?? null;
    const path = (searchParams.get("path") ?? "").replace(/^\/+|\/+$/g, "");
    return {
      kind: "repository",
      remote: `${origin}/${segments.map(encodeURIComponent).join("/")}`,
      ref,
      path,
    };
  }
  const named = segments.findIndex((segment) => segment.endsWith(".git"));
  if (named !== -1) {
    const [word, ...rest] = segments.slice(named + 1);
    if (word === undefined) return at(segments.slice(0, named + 1), []);
    return placeWords.has(word) ? at(segments.slice(0, named + 1), rest) : null;
  }
  if (kind === "bitbucket" && treeWords.has(segments[2] ?? ""))
    return at(gitName(segments.slice(0, 2)), segments.slice(3));
  if (kind === "github" && placeWords.has(segments[2] ?? "") && segments.length > 3)
    return at(gitName(segments.slice(0, 2)), shortRef(segments.slice(3)));
  // The older form, without the dash; no group or project of GitLab may have one of these names.
  const word = segments.findIndex((segment) => placeWords.has(segment));
  if (kind === "gitlab" && word > 1 && word < segments.length - 1 && segments[0] !== "api")
    return at(gitName(segments.slice(0, word)), segments.slice(word + 1));
  if (kind === "gitea" && treeWords.has(segments[2] ?? "") && refWords.has(segments[3] ?? ""))
    return at(gitName(segments.slice(0, 2)), segments.slice(4));
  if (kind !== null && kind !== "azure" && kind !== "git" && segments.length === 2)
    return at(gitName(segments), []);
  return null;
}

const repositoryAt = (origin: string, words: readonly string[], rest: readonly string[]): Source => ({
  kind: "repository",
  remote: `${origin}/${words.map(encodeURIComponent).join("/")}`,
  ref: rest[0] ?? null,
  path: rest.slice(1).join("/"),
});

/** Where github.com has the bare files of its repositories: `/owner/repo/main/path`. */
const rawHub = "https://raw.githubusercontent.com";

/** GitHub writes the ref of a bare file as `main` or as `refs/heads/main`. */
const shortRef = (rest: string[]): string[] =>
  rest.length > 2 && rest[0] === "refs" && (rest[1] === "heads" || rest[1] === "tags") ? rest.slice(2) : rest;

/** `/owner/repo/src/branch/main/path`, as Gitea shows files; Bitbucket leaves out the kind of the ref. */
const treeWords = new Set(["src", "raw"]);
const refWords = new Set(["branch", "tag", "commit"]);

/** The kinds of hosts that need no setting. */
export const publicHosts: ReadonlyMap<string, HostKind> = new Map([
  ["github.com", "github"],
  ["gitlab.com", "gitlab"],
  ["dev.azure.com", "azure"],
  ["bitbucket.org", "bitbucket"],
]);

const gitName = (segments: readonly string[]): string[] => {
  const last = segments.at(-1) ?? "";
  return [...segments.slice(0, -1), last.endsWith(".git") ? last : `${last}.git`];
};

const shown = (text: string): string => text.slice(0, 200);

const refuse = (message: string): { ok: false; message: string } => ({ ok: false, message });

/** `file:///folder` in its canonical form; null when it has a host or no valid path. */
export function readFileUrl(text: string): string | null {
  if (!/^file:\/\/\//i.test(text) || /[?#\\]|[\p{C}\p{Z}]/u.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.hostname !== "") return null;
  try {
    return pathToFileURL(fileURLToPath(url)).href;
  } catch {
    return null;
  }
}

/** `host?owner=…&repo=…`, as a repository picker writes it. */
export interface RepoPlace {
  host: string;
  repo: string;
  owner?: string;
  organization?: string;
  workspace?: string;
  project?: string;
}

export type RepoUrl =
  | { kind: "place"; place: RepoPlace }
  /** A remote by its address, in its canonical form. A file: address has no host. */
  | { kind: "remote"; url: string; host: string }
  /** The name of a repository of this server. */
  | { kind: "name"; name: string };

type RepoUrlResult = { ok: true; repoUrl: RepoUrl } | { ok: false; message: string };

export function readRepoUrl(text: string): RepoUrlResult {
  const trimmed = text.trim();
  if (trimmed.length > 1_000) return refuse("`repoUrl` is longer than 1000 characters.");
  if (/^(?:https?|file):/i.test(trimmed) && !trimmed.includes("?")) return readRemote(trimmed);
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(trimmed))
    return { ok: true, repoUrl: { kind: "name", name: trimmed } };
  const { url } = readTargetUrl(/^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  const repo = url?.searchParams.get("repo") ?? "";
  if (url === null || repo === "") {
    return refuse(
      `\`repoUrl\` "${trimmed.slice(0, 200)}" is neither \`host?owner=…&repo=…\`, the address of a remote nor a name.`,
    );
  }
  const place: RepoPlace = { host: url.host, repo };
  for (const name of ["owner", "organization", "workspace", "project"] as const) {
    const value = url.searchParams.get(name);
    if (value !== null && value !== "") place[name] = value;
  }
  const bad = Object.entries(place).find(([, value]) => !isPathPart(value));
  if (bad !== undefined) return refuse(`\`${bad[0]}\` of \`repoUrl\` holds what no path may hold.`);
  return { ok: true, repoUrl: { kind: "place", place } };
}

function readRemote(text: string): RepoUrlResult {
  if (/^file:/i.test(text)) {
    const url = readFileUrl(text);
    if (url === null) return refuse("A `repoUrl` on this machine has the form file:///folder.");
    return { ok: true, repoUrl: { kind: "remote", url, host: "" } };
  }
  const { url, message } = readGitUrl(text);
  if (url === null) return refuse(`\`repoUrl\` is refused. ${message}`);
  return { ok: true, repoUrl: { kind: "remote", url: url.href, host: url.host } };
}

const isPathPart = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  !/[\u0000-\u001f\u007f\\]/.test(text) &&
  !text.split("/").some((part) => part === "" || part === "." || part === "..");
