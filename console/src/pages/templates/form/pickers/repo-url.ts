/** Pure: the address of a repository as its parts: `github.com?owner=acme&repo=ship`, or a name alone. */

export interface RepoParts {
  host: string;
  owner: string;
  repo: string;
}

export const partsOf = (value: unknown): RepoParts => {
  if (typeof value !== "string") return { host: "", owner: "", repo: "" };
  const [host = "", query] = value.split("?", 2);
  if (query === undefined) return { host: "", owner: "", repo: value };
  const read = new URLSearchParams(query);
  return { host, owner: read.get("owner") ?? "", repo: read.get("repo") ?? "" };
};

/** Undefined where nothing is named. */
export const repoUrlOf = ({ host, owner, repo }: RepoParts): string | undefined => {
  if (host === "") return repo === "" ? undefined : repo;
  const query = new URLSearchParams({ ...(owner !== "" && { owner }), ...(repo !== "" && { repo }) });
  return `${host}?${query.toString()}`;
};

const providers: Record<string, { provider: string; owners: string; repositories: string | null }> = {
  "github.com": { provider: "github", owners: "owners", repositories: "repositoriesWithOwner" },
  "gitlab.com": { provider: "gitlab", owners: "groups", repositories: null },
  "bitbucket.org": { provider: "bitbucket-cloud", owners: "workspaces", repositories: null },
};

/** Who can name owners and repositories of that host. */
export const providerOf = (host: string) => providers[host];
