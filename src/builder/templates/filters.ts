import type { TemplateFilter, TemplateValue } from "nunjitsu";

/**
 * Filters beyond those the engine brings (replace, join, lower, upper, truncate, dump, trim, default, indent, safe,
 * reject, length, …). A filter that throws ends the render with its message.
 */
export const filters: Record<string, TemplateFilter> = {
  pick: (input, key) => {
    if (typeof key !== "string" && typeof key !== "number") throw new TypeError("pick needs the key to take");
    return isRecord(input) && Object.hasOwn(input, key) ? input[key] : undefined;
  },
  parseEntityRef: (input, defaults) => parseEntityRef(input, defaults),
  projectSlug: (input) => {
    const { owner, repo } = parseRepoUrl(input);
    return owner === undefined ? repo : `${owner}/${repo}`;
  },
  parseRepoUrl: (input) => definedOnly({ ...parseRepoUrl(input) }),
};

const isRecord = (value: unknown): value is Record<string, TemplateValue> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);

const definedOnly = (record: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** `[kind:][namespace/]name` to its parts; what the reference leaves out comes from `defaults`. */
const parseEntityRef = (input: unknown, defaults: unknown): Record<string, string> => {
  if (typeof input !== "string") throw new TypeError("parseEntityRef needs a text");
  const match = /^(?:([^:/]+):)?(?:([^:/]+)\/)?([^:/]+)$/.exec(input.trim());
  if (match === null) throw new TypeError(`"${input.slice(0, 100)}" is not an entity reference`);
  const fallback = isRecord(defaults) ? defaults : {};
  const kind = match[1] ?? textOr(fallback["defaultKind"], undefined);
  if (kind === undefined) throw new TypeError(`"${input.slice(0, 100)}" names no kind`);
  const namespace = match[2] ?? textOr(fallback["defaultNamespace"], "default");
  return { kind, namespace, name: match[3] ?? "" };
};

function textOr(value: unknown, otherwise: string): string;
function textOr(value: unknown, otherwise: undefined): string | undefined;
function textOr(value: unknown, otherwise: string | undefined): string | undefined {
  return typeof value === "string" ? value : otherwise;
}

interface RepoUrl {
  host: string;
  repo: string;
  owner?: string;
  organization?: string;
  workspace?: string;
  project?: string;
}

/** `host?owner=…&repo=…`, the form in which a repository picker gives its answer. */
const parseRepoUrl = (input: unknown): RepoUrl => {
  if (typeof input !== "string" || input.trim() === "")
    throw new TypeError("a repository URL must be a text");
  let url: URL;
  try {
    url = new URL(`https://${input.trim()}`);
  } catch {
    throw new TypeError(`"${input.slice(0, 100)}" is not a repository URL`);
  }
  const part = (name: string): string | undefined => url.searchParams.get(name) ?? undefined;
  const repo = part("repo");
  if (repo === undefined) throw new TypeError(`"${input.slice(0, 100)}" names no repo`);
  const parts = { owner: part("owner"), organization: part("organization"), workspace: part("workspace") };
  return { host: url.host, repo, ...definedOnly({ ...parts, project: part("project") }) };
};
