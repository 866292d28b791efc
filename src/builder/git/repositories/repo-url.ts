/** Pure: parses the `repoUrl` of a publish step. */
import { readGitUrl, readTargetUrl } from "../../../platform/lib/target-url.ts";
import { readFileUrl } from "../source-url.ts";

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

export type RepoUrlResult = { ok: true; repoUrl: RepoUrl } | { ok: false; message: string };

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

const refuse = (message: string): RepoUrlResult => ({ ok: false, message });
