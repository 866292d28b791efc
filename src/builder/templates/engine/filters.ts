import { isRecord } from "../../../platform/lib/is-record.ts";
import type { TemplateFilter, TemplateValue } from "nunjitsu";

/**
 * Filters in addition to those of the engine (replace, join, lower, upper, truncate, dump, trim, default,
 * indent, safe, reject, length, …). A filter that throws ends the rendering with its message.
 */
export const filters = {
  pick: (input, key) => {
    if (typeof key !== "string" && typeof key !== "number") throw new TypeError("pick needs the key to take");
    return pickPath(input, String(key));
  },
  parseEntityRef: (input, defaults) => parseEntityRef(input, defaults),
  projectSlug: (input) => {
    const { owner, repo } = parseRepoUrl(input);
    return owner === undefined ? repo : `${owner}/${repo}`;
  },
  parseRepoUrl: (input) => definedOnly({ ...parseRepoUrl(input) }),
} satisfies Record<string, TemplateFilter>;

const isMapping = (value: unknown): value is Record<string, TemplateValue> =>
  isRecord<TemplateValue>(value) && !(value instanceof Map);

const definedOnly = (record: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** A key, else a path: `a.b`, `a[0].b`. */
const pickPath = (input: TemplateValue | undefined, path: string): TemplateValue | undefined => {
  if (isMapping(input) && Object.hasOwn(input, path)) return input[path];
  let value = input;
  for (const key of path.split(/[.[\]]+/).filter((part) => part !== "")) {
    const isIndex = Array.isArray(value) && /^\d+$/.test(key);
    if (!isIndex && !(isMapping(value) && Object.hasOwn(value, key))) return undefined;
    value = Reflect.get(value as object, key) as TemplateValue;
  }
  return value;
};

/** Parses `[kind:][namespace/]name`; missing parts come from `defaults`. */
const parseEntityRef = (input: unknown, defaults: unknown): Record<string, string> => {
  if (isMapping(input)) return completeRef(input, defaults);
  if (typeof input !== "string") throw new TypeError("parseEntityRef needs a text or an object with a name");
  const match = /^(?:([^:/]+):)?(?:([^:/]+)\/)?([^:/]+)$/.exec(input.trim());
  if (match === null) throw new TypeError(`"${input.slice(0, 100)}" is not an entity reference`);
  return completeRef({ kind: match[1] ?? null, namespace: match[2] ?? null, name: match[3] ?? "" }, defaults);
};

const completeRef = (
  { kind, namespace, name }: Readonly<Record<string, TemplateValue>>,
  defaults: unknown,
): Record<string, string> => {
  const fallback = isMapping(defaults) ? defaults : {};
  const wanted = textOr(kind, textOr(fallback["defaultKind"], undefined));
  if (typeof name !== "string" || name === "") throw new TypeError("the entity reference has no name");
  if (wanted === undefined) throw new TypeError(`"${name.slice(0, 100)}" names no kind`);
  return {
    kind: wanted,
    namespace: textOr(namespace, textOr(fallback["defaultNamespace"], "default")),
    name,
  };
};

function textOr(value: unknown, otherwise: string): string;
function textOr(value: unknown, otherwise: string | undefined): string | undefined;
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

/** `host?owner=…&repo=…`, the value of a repository picker. */
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
