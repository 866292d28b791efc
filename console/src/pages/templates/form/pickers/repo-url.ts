/** Pure: the address of a repository as its parts: `github.com?owner=acme&repo=ship`, or a name alone. */
import type { Pick } from "../split-schema.ts";

export interface RepoParts {
  host: string;
  /** All that stands in the address, also what no field shows. */
  parameters: URLSearchParams;
}

export type PlaceName = "owner" | "organization" | "workspace" | "project";

export interface PlaceField {
  name: PlaceName;
  label: string;
  /** What the template proposes. */
  proposals: string[];
}

export const partsOf = (value: unknown): RepoParts => {
  if (typeof value !== "string" || value === "") return { host: "", parameters: new URLSearchParams() };
  const mark = value.indexOf("?");
  if (mark === -1) return { host: "", parameters: new URLSearchParams({ repo: value }) };
  return { host: value.slice(0, mark), parameters: new URLSearchParams(value.slice(mark + 1)) };
};

/** The same address with another part. */
export const withPart = ({ host, parameters }: RepoParts, name: string, text: string): RepoParts => {
  const next = new URLSearchParams(parameters);
  next.set(name, text);
  return { host, parameters: next };
};

/** Undefined where nothing is named. An empty part keeps its field while one writes, and is no part of the address. */
export const repoUrlOf = ({ host, parameters }: RepoParts): string | undefined => {
  if (host === "") return parameters.get("repo") || undefined;
  const named = [...parameters]
    .filter(([, text]) => text !== "")
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other));
  return `${host}?${new URLSearchParams(named).toString()}`;
};

const labels: Record<PlaceName, string> = {
  owner: "Owner",
  organization: "Organization",
  workspace: "Workspace",
  project: "Project",
};

const placeNames = Object.keys(labels) as PlaceName[];

/** The same order however it was written: the place, the repository, and what else there is. */
const order: readonly string[] = [...placeNames, "repo"];
const rankOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

const placesOfHost = new Map<string, readonly PlaceName[]>([
  ["dev.azure.com", ["organization", "project"]],
  ["bitbucket.org", ["workspace", "project"]],
]);

/**
 * What names the place of a repository on that host. A host of one's own may be of any kind, so it also has what the template proposes
 * for one; and what the address has already is shown on every host.
 */
export const placeFieldsOf = ({ host, parameters }: RepoParts, pick: Pick | undefined): PlaceField[] => {
  const known = placesOfHost.get(host.toLowerCase());
  const proposals: Record<PlaceName, string[]> = {
    owner: pick?.owners ?? [],
    // Backstage's templates name the workspaces of Bitbucket as owners.
    workspace: pick?.owners ?? [],
    organization: pick?.organizations ?? [],
    project: pick?.projects ?? [],
  };
  const isProposed = (name: PlaceName): boolean =>
    (name === "organization" || name === "project") && proposals[name].length > 0;
  const isWanted = (name: PlaceName): boolean =>
    known === undefined ? name === "owner" || isProposed(name) : known.includes(name);
  return placeNames
    .filter((name) => isWanted(name) || parameters.has(name))
    .map((name) => ({ name, label: labels[name], proposals: proposals[name] }));
};

interface Provider {
  provider: string;
  /** What it calls owners, and the part of the address that they are. */
  owners: string;
  ownersAre: PlaceName;
  repositories: string | null;
}

const providers = new Map<string, Provider>([
  [
    "github.com",
    { provider: "github", owners: "owners", ownersAre: "owner", repositories: "repositoriesWithOwner" },
  ],
  ["gitlab.com", { provider: "gitlab", owners: "groups", ownersAre: "owner", repositories: null }],
  [
    "bitbucket.org",
    { provider: "bitbucket-cloud", owners: "workspaces", ownersAre: "workspace", repositories: null },
  ],
]);

/** Who can name owners and repositories of that host. */
export const providerOf = (host: string): Provider | undefined => providers.get(host);
