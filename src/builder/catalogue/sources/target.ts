/** Pure: parses the target of a location, and paths within it. */
import { readTargetUrl } from "../../../platform/lib/target-url.ts";
import { resolveSource, type SourceContext } from "../../git/source-url.ts";

export interface LocationTarget {
  type: string;
  target: string;
}

export interface GitTarget {
  /** Address of the repository. */
  repository: string;
  /** Name of the repository, when it is one of this server. */
  own: string | null;
  /** Branch, tag or commit; null for the default branch. */
  ref: string | null;
  path: string;
}

export type ParsedTarget =
  | { kind: "file"; path: string }
  | { kind: "url"; url: URL }
  | ({ kind: "git" } & GitTarget)
  | { kind: "refused"; reason: string; solution?: string };

export const maxTargetChars = 2_000;

const locationTypes = ["file", "url", "git"] as const;

const refused = (reason: string): ParsedTarget => ({ kind: "refused", reason });

/** Refuses a target that is no address. One without `scheme:` or `host:` at its beginning is taken for a path, and the refusal says how to name one. */
const noAddress = (target: string): ParsedTarget => ({
  kind: "refused",
  reason: "The target must be an http or https address.",
  ...(/^(?:file:|[^:]*$|[^:]*\/)/i.test(target) && {
    solution:
      "For a path on the server give the type file, and name its folder in mesh.builder.catalogue.folders.",
  }),
});

/**
 * An address of a file or folder at a git host, or in a repository whose URL ends in `.git`
 * (`…/name.git/blob/ref/path`), is read from the repository; `git` targets may also be written
 * `…/name.git#ref:path`.
 */
export function parseTarget(
  { type, target }: LocationTarget,
  context: Pick<SourceContext, "ownUrl" | "hostKind">,
): ParsedTarget {
  if (target.length > maxTargetChars || !/^\P{Cc}*$/u.test(target)) {
    return refused(`A target has at most ${maxTargetChars} characters, all of them printable.`);
  }
  if (type === "file") return { kind: "file", path: target };
  if (!locationTypes.some((each) => each === type)) {
    return refused(`The type of a location is one of ${locationTypes.join(", ")}.`);
  }
  if (!/^https?:\/\//i.test(target)) return noAddress(target);
  // Without the fragment, which is not part of a request.
  const { message } = readTargetUrl(target);
  if (message !== null) return refused(message);
  const cut = target.includes("#") ? target.indexOf("#") : target.length;
  const found = resolveSource(target.slice(0, cut), { ...context, baseUrl: "" });
  if (!found.ok) return refused(found.message);
  const { source } = found;
  if (source.kind === "http") {
    return type === "url"
      ? { kind: "url", url: new URL(source.url) }
      : refused("A git target is the address of a repository that ends in .git.");
  }
  if (source.kind === "folder") return refused("The target must be an http or https address.");
  const own = source.kind === "own" ? source.name : null;
  const repository = source.kind === "own" ? `${context.ownUrl}/git/${source.name}.git` : source.remote;
  const fragment = decoded(target.slice(cut + 1));
  const colon = fragment.indexOf(":");
  const ref = colon === -1 ? fragment : fragment.slice(0, colon);
  const path = resolvePath("", colon === -1 ? source.path : fragment.slice(colon + 1));
  if (path === null) return refused("The path of the target leads out of the repository.");
  return { kind: "git", repository, own, ref: ref === "" ? source.ref : ref, path };
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The address of a file in a repository, in the form that parseTarget reads. */
export function addressInRepository({ repository, ref }: GitTarget, path: string): string {
  const place = path.split("/").map(encodeURIComponent).join("/");
  if (!/\/_git\/[^/]+$/.test(repository)) {
    return `${repository}/blob/${encodeURIComponent(ref ?? "HEAD")}/${place}`;
  }
  const version = ref === null ? "" : `&version=GB${encodeURIComponent(ref)}`;
  return `${repository}?path=/${place}${version}`;
}

/** Resolves a reference in a file against the folder of that file; null when it leaves the root. */
export function resolvePath(folder: string, reference: string): string | null {
  if (reference.includes("\0") || reference.includes("\\")) return null;
  const parts: string[] = reference.startsWith("/") ? [] : folder.split("/").filter((part) => part !== "");
  for (const part of reference.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  // Git's own files are not content.
  return parts.some((part) => part.toLowerCase() === ".git") ? null : parts.join("/");
}

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export const locationRef = ({ type, target }: LocationTarget): string => `${type}:${target}`;

/** The inverse of locationRef; null for a text in another format. */
export function parseLocationRef(text: string): LocationTarget | null {
  const colon = text.indexOf(":");
  return colon <= 0 || colon === text.length - 1
    ? null
    : { type: text.slice(0, colon), target: text.slice(colon + 1) };
}
