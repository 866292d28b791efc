/** Suggestions for repository pickers: what the caller's own token can see at a host. */
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { builderFailure } from "../../errors.ts";
import { credentialsForApi, knownIntegration, type Integration } from "../../git/integrations.ts";
import type { HostKind } from "../../git/source-url.ts";
import { encoded, hostApi, textAt, type HostAnswer, type HostApi } from "./host.ts";
import { headersFor } from "./publish-host.ts";

export interface Proposal {
  id: string;
  title?: string;
}

export interface ProposalQuery {
  provider: string;
  resource: string;
  token: string;
  context: Readonly<Record<string, string>>;
}

export interface ProposalDeps {
  outbound: Outbound;
  integrations: readonly Integration[];
  signal: AbortSignal;
}

interface Resource {
  /** Parameters of the context that the path needs. */
  needs: readonly string[];
  /** Path below the API address, without paging. */
  path: (context: Readonly<Record<string, string>>) => string;
  read: (item: unknown) => Proposal;
}

interface Provider {
  kind: HostKind;
  /** Default host, when the context names none. */
  host: string;
  /** The query parameter for the page size. */
  size: string;
  items: (answer: HostAnswer) => unknown[];
  resources: Readonly<Record<string, Resource>>;
}

const idOf =
  (...path: string[]) =>
  (item: unknown): Proposal => ({ id: textAt(item, ...path) });

const ofValues = ({ body }: HostAnswer): unknown[] => {
  const values: unknown = body["values"];
  return Array.isArray(values) ? values : [];
};

const providers: Readonly<Record<string, Provider>> = {
  github: {
    kind: "github",
    host: "github.com",
    size: "per_page",
    items: ({ list }) => list,
    resources: {
      owners: { needs: [], path: () => "/user/orgs?", read: idOf("login") },
      repositoriesWithOwner: { needs: [], path: () => "/user/repos?", read: idOf("full_name") },
      branches: {
        needs: ["owner", "repository"],
        path: ({ owner, repository }) => `/repos/${encoded(owner)}/${encoded(repository)}/branches?`,
        read: idOf("name"),
      },
    },
  },
  gitlab: {
    kind: "gitlab",
    host: "gitlab.com",
    size: "per_page",
    items: ({ list }) => list,
    resources: {
      groups: {
        needs: [],
        path: () => "/groups?",
        read: (item) => ({ id: textAt(item, "id"), title: textAt(item, "full_path") }),
      },
      repositories: {
        needs: ["id"],
        path: ({ id }) => `/groups/${encoded(id)}/projects?`,
        read: (item) => ({ id: textAt(item, "path"), title: textAt(item, "name").trim() }),
      },
    },
  },
  "bitbucket-cloud": {
    kind: "bitbucket",
    host: "bitbucket.org",
    size: "pagelen",
    items: ofValues,
    resources: {
      workspaces: { needs: [], path: () => "/workspaces?", read: idOf("slug") },
      projects: {
        needs: ["workspace"],
        path: ({ workspace }) => `/workspaces/${encoded(workspace)}/projects?`,
        read: idOf("key"),
      },
      repositories: {
        needs: ["workspace", "project"],
        path: ({ workspace, project = "" }) =>
          `/repositories/${encoded(workspace)}?q=${encoded(`project.key="${project.replaceAll('"', "")}"`)}&`,
        read: idOf("slug"),
      },
      branches: {
        needs: ["workspace", "repository"],
        path: ({ workspace, repository }) =>
          `/repositories/${encoded(workspace)}/${encoded(repository)}/refs/branches?`,
        read: idOf("name"),
      },
    },
  },
};

const pageSize = 100;
/** A longer list does not help while typing. */
const maxPages = 10;

export async function listProposals(query: ProposalQuery, deps: ProposalDeps): Promise<Proposal[]> {
  const { provider, resource } = readQuery(query);
  const api = openApi(provider, query, deps);
  const found: Proposal[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const path = `${resource.path(query.context)}${provider.size}=${pageSize}&page=${page}`;
    const items = provider.items(await api({ method: "GET", path, allowed: [200] }));
    found.push(...items.map(resource.read));
    if (items.length < pageSize) break;
  }
  return found;
}

function readQuery({ provider: name, resource: wanted, context }: ProposalQuery): {
  provider: Provider;
  resource: Resource;
} {
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider === undefined)
    throw refuse(`Unsupported provider: ${name}. There are ${Object.keys(providers).join(", ")}.`);
  const resource = Object.hasOwn(provider.resources, wanted) ? provider.resources[wanted] : undefined;
  if (resource === undefined) {
    const known = Object.keys(provider.resources).join(", ");
    throw refuse(`Invalid resource: ${wanted}. ${name} has ${known}.`);
  }
  const missing = resource.needs.filter((parameter) => (context[parameter] ?? "") === "");
  if (missing.length > 0) throw refuse(`${wanted} of ${name} needs ${missing.join(" and ")} in the context.`);
  return { provider, resource };
}

/** The token is sent only to a well-known or configured host of its kind. */
function openApi(
  { kind, host: usual }: Provider,
  { context, token, provider }: ProposalQuery,
  { integrations, outbound, signal }: ProposalDeps,
): HostApi {
  const host = context["host"] ?? usual;
  const integration = knownIntegration(integrations, kind, host);
  const credentials = integration && credentialsForApi(integration, token);
  if (integration === undefined || credentials === undefined)
    throw refuse(`${host} is not configured under integrations.${kind}.`);
  const headers = headersFor(integration, credentials);
  return hostApi({ outbound, apiBaseUrl: integration.apiBaseUrl, headers, title: provider, signal });
}

const refuse = (message: string) =>
  builderFailure("BUILDER_UNKNOWN_COMPLETION", { message: message.slice(0, 500) });
