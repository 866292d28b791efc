/** Pure: what the target of a location means, and paths within it. */

const locationTypes = ["file", "url", "git"] as const;

export interface LocationTarget {
  type: string;
  target: string;
}

export type ParsedTarget =
  | { kind: "file"; path: string }
  | { kind: "url"; url: URL }
  /** A repository that others serve; `ref` null is its default branch. */
  | { kind: "git"; repository: string; ref: string | null; path: string }
  /** A repository of this server, by its path below the folder of repositories. */
  | { kind: "own-git"; repository: string; name: string; ref: string | null; path: string }
  | { kind: "refused"; reason: string };

export const maxTargetChars = 2_000;

const refused = (reason: string): ParsedTarget => ({ kind: "refused", reason });

/** `ownUrl` is the address of this server, whose repositories are read from disk. */
export function parseTarget({ type, target }: LocationTarget, ownUrl: string): ParsedTarget {
  if (target.length > maxTargetChars || !/^\P{Cc}*$/u.test(target)) {
    return refused(`A target has at most ${maxTargetChars} characters, all of them printable.`);
  }
  if (type === "file") return { kind: "file", path: target };
  if (type !== "url" && type !== "git") {
    return refused(`The type of a location is one of ${locationTypes.join(", ")}.`);
  }
  const url = URL.parse(target);
  if (url === null || !/^https?:$/.test(url.protocol))
    return refused("The target must be an http or https URL.");
  if (url.username !== "" || url.password !== "")
    return refused("The target must not carry a user name or password.");
  const git = gitTargetOf(url);
  if (git === null) {
    return type === "url"
      ? { kind: "url", url }
      : refused("A git target is the URL of a repository that ends in .git.");
  }
  if ("reason" in git) return refused(git.reason);
  const own = ownName(git.repository, ownUrl);
  return own === null ? { kind: "git", ...git } : { kind: "own-git", name: own, ...git };
}

interface GitTarget {
  repository: string;
  ref: string | null;
  path: string;
}

/** `…/name.git#ref:path`, or the page of a file or folder at a git host (`…/name/blob/ref/path`). */
function gitTargetOf(url: URL): GitTarget | { reason: string } | null {
  if (url.pathname.endsWith(".git")) {
    const fragment = safeDecode(url.hash.slice(1));
    const colon = fragment.indexOf(":");
    const ref = colon === -1 ? fragment : fragment.slice(0, colon);
    return checked(url.origin + url.pathname, ref, colon === -1 ? "" : fragment.slice(colon + 1));
  }
  const page = /^(\/.+?)\/(?:-\/)?(?:blob|tree)\/([^/]+)(?:\/(.*))?$/.exec(url.pathname);
  if (page === null) return null;
  return checked(`${url.origin}${page[1]}.git`, safeDecode(page[2] ?? ""), safeDecode(page[3] ?? ""));
}

function checked(repository: string, ref: string, path: string): GitTarget | { reason: string } {
  if (
    ref !== "" &&
    (!/^[A-Za-z0-9][A-Za-z0-9._/+@-]{0,200}$/.test(ref) || /\.\.|\/\/|@\{|\.lock$|[./]$/.test(ref))
  ) {
    return { reason: "The text after # is not the name of a branch, a tag or a commit." };
  }
  const inside = resolvePath("", path);
  if (inside === null) return { reason: "The path of the target leads out of the repository." };
  return { repository, ref: ref === "" ? null : ref, path: inside };
}

function ownName(repository: string, ownUrl: string): string | null {
  const base = `${ownUrl}/git/`;
  if (!repository.startsWith(base)) return null;
  const name = safeDecode(repository.slice(base.length));
  const isPlain = name.split("/").every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/.test(part));
  return isPlain ? name : null;
}

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The path that a reference in a file means, from the folder of that file; null when it leads out of the root. */
export function resolvePath(folder: string, reference: string): string | null {
  if (reference.includes("\0") || reference.includes("\\")) return null;
  const parts: string[] = reference.startsWith("/") ? [] : folder.split("/").filter((part) => part !== "");
  for (const part of reference.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  // What git keeps for itself is no content.
  return parts.some((part) => part.toLowerCase() === ".git") ? null : parts.join("/");
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const locationRef = ({ type, target }: LocationTarget): string => `${type}:${target}`;

/** The way back; null for a text that is none. */
export function parseLocationRef(text: string): LocationTarget | null {
  const colon = text.indexOf(":");
  return colon <= 0 || colon === text.length - 1
    ? null
    : { type: text.slice(0, colon), target: text.slice(colon + 1) };
}
