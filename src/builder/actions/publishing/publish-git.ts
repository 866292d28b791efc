import type { Action, ActionContext } from "../action.ts";
import { pushFirst, openRemote } from "../../git/remote.ts";
import { withScratch } from "../../git/run-git.ts";
import { makeOwnRepository } from "../../git/own-repository.ts";
import {
  commitWorkspace,
  publishInput,
  publishOutput,
  writeOutputs,
  readPublication,
  reportIgnored,
  type Publication,
} from "./publish-input.ts";
import { pathBelow } from "./host.ts";
import type { RepoPlace } from "../../git/source-url.ts";

export const publishGit: Action = {
  id: "publish:git",
  description:
    "Publishes the workspace as a git repository: of this server, when `repoUrl` is a name or names this server's host, or at any remote that is empty.",
  supportsDryRun: false,
  input: { type: "object", required: ["repoUrl"], properties: publishInput },
  output: publishOutput,
  async run(ctx) {
    reportIgnored(ctx, publishInput);
    const publication = readPublication(ctx);
    const { repoUrl } = publication;
    if (repoUrl.kind === "remote") return publishTo(repoUrl.url, publication, ctx);
    if (repoUrl.kind === "name") return publishHere(repoUrl.name, publication, ctx);
    const { place } = repoUrl;
    const isOwn = place.host === new URL(ctx.deps.settings.baseUrl).host;
    if (isOwn) return publishHere(ownName(place), publication, ctx);
    return publishTo(remoteOf(place), publication, ctx);
  },
};

/** One flat name: `finance.cash-flow` for the owner `finance` and the repository `cash-flow`. */
const ownName = ({ owner, repo }: RepoPlace): string =>
  [...(owner === undefined ? [] : owner.split("/")), repo.replace(/\.git$/, "")].join(".");

const remoteOf = ({ host, organization, workspace, project, owner, repo }: RepoPlace): string => {
  const parts = [organization, workspace, project, owner].flatMap((part) => part?.split("/") ?? []);
  const path = [...parts, repo.endsWith(".git") ? repo : `${repo}.git`].map(encodeURIComponent).join("/");
  return `https://${host}/${path}`;
};

async function publishHere(name: string, publication: Publication, ctx: ActionContext): Promise<void> {
  const { deps, taskId, signal, now } = ctx;
  const { dataDir, baseUrl } = deps.settings;
  const { branch, key, description, parentRef, rootDirectory } = publication;
  const commitHash = await makeOwnRepository(
    { dataDir, name, branch, marker: `${taskId}:${key}`, description, parentRef, signal, now },
    (gitDir) => commitWorkspace(ctx, publication, gitDir),
  );
  const remoteUrl = `${baseUrl}/git/${name}.git`;
  const repoContentsUrl = `${remoteUrl}/blob/${encodeURIComponent(branch)}${pathBelow(rootDirectory)}`;
  writeOutputs(ctx, publication, { remoteUrl, repoContentsUrl, commitHash });
}

async function publishTo(text: string, publication: Publication, ctx: ActionContext): Promise<void> {
  const { deps, signal, now } = ctx;
  const { settings } = deps;
  const { branch, token, rootDirectory } = publication;
  const remote = await openRemote(text, { deps, namedBy: "templates", token, mayBeFile: true });
  const { url } = remote;
  const commitHash = await withScratch({ dataDir: settings.dataDir, now }, async (gitDir) => {
    const commit = await commitWorkspace(ctx, publication, gitDir);
    const { timeoutMs } = settings.git;
    await pushFirst({ gitDir, branch, commit, remote, timeoutMs, signal });
    return commit;
  });
  const folder = pathBelow(rootDirectory);
  const repoContentsUrl = url.startsWith("file:")
    ? url + folder
    : `${url}/blob/${encodeURIComponent(branch)}${folder}`;
  writeOutputs(ctx, publication, { remoteUrl: url, repoContentsUrl, commitHash });
}
