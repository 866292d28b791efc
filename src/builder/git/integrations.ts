/** Pure: the git hosts of the configuration. */
import type { IntegrationSettings } from "../../platform/config/schema/schema-publishing.ts";
import { publicHosts, type HostKind } from "./source-url.ts";

/** HTTP Basic credentials: this user name and the token as password. */
export interface Credentials {
  user: string;
  token: string;
}

export interface Integration {
  kind: HostKind;
  /** The host with its port where it has one: `git.example`, `127.0.0.1:3000`. */
  host: string;
  /** Address of its API, without a trailing slash; the default of the kind unless given. */
  apiBaseUrl: string;
  token?: string | undefined;
  /** For hosts whose tokens belong to a user name. */
  username?: string | undefined;
}

/** Default address of the API by kind of host. */
const usualApi: Record<HostKind, (host: string) => string> = {
  github: (host) => (host === "github.com" ? "https://api.github.com" : `https://${host}/api/v3`),
  gitlab: (host) => `https://${host}/api/v4`,
  azure: (host) => `https://${host}`,
  bitbucket: (host) => (host === "bitbucket.org" ? "https://api.bitbucket.org/2.0" : `https://${host}/2.0`),
  gitea: (host) => `https://${host}/api/v1`,
  git: (host) => `https://${host}`,
};

const kinds = ["github", "gitlab", "azure", "bitbucket", "gitea", "git"] as const;

interface HostSettings {
  host: string;
  apiBaseUrl?: string;
  token?: string;
  username?: string;
}

/** The hosts of the configuration in one list. */
export const readIntegrations = (settings: IntegrationSettings): Integration[] =>
  kinds.flatMap((kind) =>
    settings[kind].map(({ apiBaseUrl, ...rest }: HostSettings) => ({
      kind,
      ...rest,
      host: rest.host.toLowerCase(),
      apiBaseUrl: (apiBaseUrl ?? usualApi[kind](rest.host)).replace(/\/+$/, ""),
    })),
  );

/** A configured host, or one of the well-known public ones. */
export function knownIntegration(
  integrations: readonly Integration[],
  kind: HostKind,
  host: string,
): Integration | undefined {
  const configured = integrationOf(integrations, host);
  if (configured !== undefined) return configured.kind === kind ? configured : undefined;
  return publicHosts.get(host) === kind ? { kind, host, apiBaseUrl: usualApi[kind](host) } : undefined;
}

export const integrationOf = (integrations: readonly Integration[], host: string): Integration | undefined =>
  integrations.find((each) => each.host === host.toLowerCase());

export const hostKindOf = (integrations: readonly Integration[], host: string): HostKind | null =>
  integrationOf(integrations, host)?.kind ?? null;

/** User names that the hosts expect with a token. */
const tokenUsers: Record<HostKind, string> = {
  github: "x-access-token",
  gitlab: "oauth2",
  azure: "token",
  bitbucket: "x-token-auth",
  gitea: "token",
  git: "git",
};

export interface TokenChoice {
  credentials: Credentials | undefined;
  /** Why the configured token was not sent, and what to do; appended to the error when a call without a token fails. */
  hint: string | null;
}

/** The credentials of a call to a repository: the step's own token, else the configured token of its host, else none. */
export function tokenForRepository(
  integrations: readonly Integration[],
  { host, protocol }: URL,
  given: string | undefined,
): TokenChoice {
  const integration = integrationOf(integrations, host);
  const kind = integration?.kind ?? publicHosts.get(host);
  const choose = (token: string | undefined): Credentials | undefined =>
    credentialsOf(token, kind, integration?.username);
  if (isGiven(given) || !isGiven(integration?.token)) return { credentials: choose(given), hint: null };
  // An operator who has given the interface an http: address has decided that this host is called in clear.
  if (protocol === "https:" || integration.apiBaseUrl.startsWith("http:"))
    return { credentials: choose(integration.token), hint: null };
  const hint = `The configured token of ${host} was not sent, because it would travel in clear: use the https: address, or let an operator give the host an apiBaseUrl that begins with http:.`;
  return { credentials: undefined, hint };
}

/**
 * For any other page of a host: the token that the step was given, else none. A configured one would open the whole
 * interface of the host to who writes a template.
 */
export function tokenForPage(
  integrations: readonly Integration[],
  { host }: URL,
  given: string | undefined,
): { token: string | undefined; hint: string | null } {
  if (isGiven(given)) return { token: given, hint: null };
  if (!isGiven(integrationOf(integrations, host)?.token)) return { token: undefined, hint: null };
  const hint = `The configured token of ${host} is sent to repositories only: name the file by its address in a repository, or give the step a token.`;
  return { token: undefined, hint };
}

/** For the interface of a host, at its own address: the given token, else the configured one. */
export const credentialsForApi = (
  { kind, token, username }: Integration,
  given: string | undefined,
): Credentials | undefined => credentialsOf(isGiven(given) ? given : token, kind, username);

const isGiven = (token: string | undefined): token is string => token !== undefined && token !== "";

function credentialsOf(
  token: string | undefined,
  kind: HostKind | undefined,
  username: string | undefined,
): Credentials | undefined {
  if (!isGiven(token)) return undefined;
  return { user: username ?? (kind === undefined ? "token" : tokenUsers[kind]), token };
}
