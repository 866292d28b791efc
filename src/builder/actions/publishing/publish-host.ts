/**
 * Publishing to a host: creates the repository by the host's API, then pushes the commit. After a failure the
 * repository is deleted again, but only when this very attempt created it and no later one goes on with it.
 */
import { Failure } from "../../../platform/errors/failure.ts";
import type { Action, ActionContext } from "../action.ts";
import { builderFailure } from "../../errors.ts";
import {
  credentialsForApi,
  knownIntegration,
  type Credentials,
  type Integration,
} from "../../git/integrations.ts";
import { pushFirst, openRemote, type Remote } from "../../git/remote.ts";
import { withScratch } from "../../git/run-git.ts";
import { readGitUrl } from "../../../platform/lib/target-url.ts";
import { hostApi, type GitHost, type HostApi, type HostRepository, type Visibility } from "./host.ts";
import {
  commitWorkspace,
  publishInput,
  publishOutput,
  writeOutputs,
  readPublication,
  refuse,
  reportIgnored,
  type Publication,
} from "./publish-input.ts";
import type { RepoPlace } from "../../git/source-url.ts";

export function publishToHost(host: GitHost): Action {
  const properties = {
    ...publishInput,
    repoVisibility: {
      type: "string",
      enum: host.visibilities,
      description: "Who sees it; private unless given.",
    },
  };
  return {
    id: `publish:${host.kind}`,
    description: `Makes a repository on ${host.title} and publishes the workspace to it.`,
    supportsDryRun: false,
    input: { type: "object", required: ["repoUrl"], properties },
    output: publishOutput,
    run(ctx) {
      reportIgnored(ctx, properties);
      return publish(host, ctx);
    },
  };
}

export interface Target {
  host: GitHost;
  api: HostApi;
  place: RepoPlace;
  /** Whether the API of the host uses https; then the repository must too. */
  isSecure: boolean;
  publication: Publication;
}

async function publish(host: GitHost, ctx: ActionContext): Promise<void> {
  const target = readTarget(host, ctx, ctx.signal);
  const { api, place, publication } = target;
  const visibility = (ctx.input["repoVisibility"] as Visibility | undefined) ?? "private";
  const wanted = { description: publication.description, visibility, branch: publication.branch };
  await withScratch({ dataDir: ctx.deps.settings.dataDir, now: ctx.now }, async (gitDir) => {
    // The commit comes first: problems of the workspace are found before anything is created at the host.
    const commitHash = await commitWorkspace(ctx, publication, gitDir);
    const before = await host.find(api, place);
    // Stored once per instantiation. A repository that exists at a later attempt but did not at an earlier
    // one is our own.
    await ctx.checkpoint(`${publication.key}:was-absent`, async () => {
      if (before !== null) throw existsAlready(place, host);
      return true;
    });
    let repository = before;
    let isMadeNow = false;
    try {
      if (repository === null) {
        repository = await host.create(api, place, wanted);
        isMadeNow = true;
        ctx.say(`Made the repository ${repository.webUrl}`);
      }
      await push(repository, { ...target, gitDir, commitHash }, ctx);
    } catch (error) {
      if (repository !== null && isMadeNow) await undoCreation(repository, host, ctx);
      throw error;
    }
    const { branch, rootDirectory: folder } = publication;
    const repoContentsUrl = host.contentsUrl(repository, { branch, folder });
    writeOutputs(ctx, publication, { remoteUrl: repository.remoteUrl, repoContentsUrl, commitHash });
  });
}

export function readTarget(host: GitHost, ctx: ActionContext, signal: AbortSignal): Target {
  const publication = readPublication(ctx);
  const { repoUrl, token } = publication;
  if (repoUrl.kind !== "place")
    throw refuse(`publish:${host.kind} needs a \`repoUrl\` of the form \`host?owner=…&repo=…\`.`);
  const { place } = repoUrl;
  const missing = host.missing(place);
  if (missing !== null) throw refuse(`\`repoUrl\` lacks ${missing} for ${host.title}.`);
  const { settings, outbound } = ctx.deps;
  const integration = knownIntegration(settings.integrations, host.kind, place.host);
  if (integration === undefined)
    throw refuse(`${place.host} is not configured under integrations.${host.kind}.`);
  const credentials = credentialsForApi(integration, token);
  if (credentials === undefined)
    throw refuse(
      `There is no token for ${place.host}: give one to the step, or configure integrations.${host.kind}.`,
    );
  const { apiBaseUrl } = integration;
  const headers = headersFor(integration, credentials);
  const api = hostApi({ outbound: outbound.integrations, apiBaseUrl, headers, title: host.title, signal });
  return { host, api, place, isSecure: apiBaseUrl.startsWith("https:"), publication };
}

/** The authentication headers of each host. */
export function headersFor(
  { kind, username }: Integration,
  { user, token }: Credentials,
): Record<string, string> {
  const isBasic = kind === "azure" || (kind === "bitbucket" && username !== undefined);
  if (isBasic) return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString("base64")}` };
  if (kind === "gitlab") return { "private-token": token };
  if (kind === "gitea") return { authorization: `token ${token}` };
  return {
    authorization: `Bearer ${token}`,
    ...(kind === "github"
      ? { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" }
      : {}),
  };
}

async function push(
  { remoteUrl, ...repository }: HostRepository,
  {
    host,
    api,
    place,
    isSecure,
    publication,
    gitDir,
    commitHash,
  }: Target & { gitDir: string; commitHash: string },
  ctx: ActionContext,
): Promise<void> {
  const { deps, signal } = ctx;
  const remote = await openRepository(remoteUrl, { host, place, isSecure, publication }, ctx);
  const { timeoutMs } = deps.settings.git;
  const { branch } = publication;
  await pushFirst({ gitDir, branch, commit: commitHash, remote, timeoutMs, signal }).catch(
    (error: unknown) => {
      throw error instanceof Failure && error.code === "BUILDER_REPOSITORY_EXISTS"
        ? existsAlready(place, host)
        : error;
    },
  );
  await host.setDefaultBranch?.(api, { remoteUrl, ...repository }, branch);
}

/** The response of the host says where to push; the token is sent only to the host that it is for. */
export function openRepository(
  remoteUrl: string,
  { host, place, isSecure, publication }: Omit<Target, "api">,
  { deps }: ActionContext,
): Promise<Remote> {
  const named = readGitUrl(remoteUrl).url;
  if (named?.host !== place.host || (isSecure && named.protocol !== "https:")) {
    throw builderFailure("BUILDER_HOST_FAILED", {
      message: `${host.title} names another place to push to: ${remoteUrl.slice(0, 200)}.`,
    });
  }
  return openRemote(named.href, { deps, namedBy: "templates", token: publication.token });
}

/** Also after the step was cancelled. A failure to delete must not hide the original error. */
async function undoCreation(repository: HostRepository, host: GitHost, ctx: ActionContext): Promise<void> {
  try {
    const isRemoved = await ctx.undo((signal) => host.remove(readTarget(host, ctx, signal).api, repository));
    if (isRemoved) ctx.say(`Removed the repository ${repository.webUrl} again.`, "WARNING");
  } catch (error) {
    ctx.log.warn({ error, repository: repository.webUrl }, "a half-made repository was not removed");
    ctx.say(
      `The repository ${repository.webUrl} was made and could not be removed again; a retry goes on with it.`,
      "ERROR",
    );
  }
}

const existsAlready = ({ host, owner, repo }: RepoPlace, { title }: GitHost) =>
  builderFailure("BUILDER_REPOSITORY_EXISTS", {
    message: `${title} has a repository ${host}/${owner === undefined ? "" : `${owner}/`}${repo} already.`,
  });
