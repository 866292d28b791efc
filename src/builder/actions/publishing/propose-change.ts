/**
 * Pull and merge requests: the workspace becomes a branch of an existing repository, and a request for it is
 * opened at the host. A repeated step finds its branch and its request again.
 */
import type { Action, ActionContext } from "../action.ts";
import { builderFailure } from "../../errors.ts";
import { commitChange } from "../../git/make-commit.ts";
import { pushBranch } from "../../git/remote.ts";
import { checkRef } from "../../git/read-repository.ts";
import { withScratch } from "../../git/run-git.ts";
import { isGitFolder, inWorkspace, segmentsOf } from "../../git/tree.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import type { ChangeHost, ChangeRequest, GitHost, HostRepository, OpenedChange } from "./host.ts";
import { publishInput, refuse, reportIgnored } from "./publish-input.ts";
import { openRepository, readTarget, type Target } from "./publish-host.ts";

const text = (description: string, maxLength = 1_000) => ({ type: "string", maxLength, description });
const texts = (description: string) => ({
  type: "array",
  maxItems: 100,
  items: { type: "string", maxLength: 1_000 },
  description,
});

const sharedInput = {
  repoUrl: { ...publishInput.repoUrl, description: "Repository that the change is for." },
  allowedHosts: publishInput.allowedHosts,
  branchName: { ...text("Branch that has the change.", 200), minLength: 1 },
  targetBranchName: text("Branch that the change is for; the default branch unless given.", 200),
  title: { ...text("Title of the request."), minLength: 1 },
  description: text("Text of the request.", 100_000),
  sourcePath: text("Folder of the workspace whose files are proposed; all of it unless given."),
  targetPath: text("Target folder in the repository; its root unless given."),
  filesToDelete: texts("Paths in the repository of files that are removed."),
  update: {
    type: "boolean",
    default: false,
    description: "Whether an existing branch of this name is replaced.",
  },
  commitMessage: text("Message of the commit; the title unless given.", 10_000),
  gitAuthorName: publishInput.gitAuthorName,
  gitAuthorEmail: publishInput.gitAuthorEmail,
  token: publishInput.token,
} as const;

interface Kind {
  id: string;
  description: string;
  host: GitHost & { changes: ChangeHost };
  input: Record<string, object>;
  output: object;
  writeOutputs: (
    ctx: ActionContext,
    opened: OpenedChange,
    repository: HostRepository,
    target: Target,
  ) => void;
}

const propose = ({ id, description, host, input, output, writeOutputs }: Kind): Action => ({
  id,
  description,
  supportsDryRun: false,
  input: {
    type: "object",
    required: ["repoUrl", "branchName", "title"],
    properties: { ...sharedInput, ...input },
  },
  output: { type: "object", properties: { ...output, targetBranchName: { type: "string" } } },
  async run(ctx) {
    reportIgnored(ctx, { ...sharedInput, ...input });
    const target = readTarget(host, ctx, ctx.signal);
    const repository = await host.find(target.api, target.place);
    if (repository === null) {
      throw builderFailure("BUILDER_REPOSITORY_NOT_FOUND", {
        message: `${host.title} has no repository ${target.place.owner}/${target.place.repo}, or the token may not see it.`,
      });
    }
    const given = (name: string): string => (ctx.input[name] as string | undefined)?.trim() ?? "";
    const wantedBase = given("targetBranchName");
    const targetBranch =
      wantedBase === "" ? await host.changes.defaultBranch(target.api, repository) : wantedBase;
    const change = {
      branch: given("branchName"),
      targetBranch,
      title: given("title"),
      description: given("description"),
    };
    if (change.branch === targetBranch) throw refuse("`branchName` is the branch that the change is for.");
    checkRef(change.branch);
    await publishBranch(ctx, { target, repository, change });
    const before = await host.changes.find(target.api, repository, change);
    const opened =
      before ?? (await host.changes.open(target.api, repository, { ...change, input: ctx.input }));
    ctx.say(`${before === null ? "Opened" : "Updated"} ${opened.webUrl}`);
    ctx.output("targetBranchName", targetBranch);
    writeOutputs(ctx, opened, repository, target);
  },
});

async function publishBranch(
  ctx: ActionContext,
  { target, repository, change }: { target: Target; repository: HostRepository; change: ChangeRequest },
): Promise<void> {
  const { input, deps, workspace, signal, now } = ctx;
  const { key } = target.publication;
  const prefix = segmentsOf((input["targetPath"] as string | undefined) ?? "").join("/");
  const remove = ((input["filesToDelete"] as string[] | undefined) ?? []).map((path) =>
    segmentsOf(path).join("/"),
  );
  for (const path of [prefix, ...remove]) {
    if (isGitFolder(path)) throw refuse("No path may lead into git's own folder.");
  }
  const given = (name: string, otherwise: string): string => {
    const value = input[name];
    return typeof value === "string" && value.trim() !== "" ? value : otherwise;
  };
  const { authorName, authorEmail } = deps.settings.git;
  const date = new Date(await ctx.checkpoint(`${key}:date`, async () => now().toISOString()));
  const remote = await openRepository(repository.remoteUrl, target, ctx);
  const source = (input["sourcePath"] as string | undefined) ?? "";
  const folder = inWorkspace(await workspace.folder(), source);
  await withScratch({ dataDir: deps.settings.dataDir, now }, async (gitDir) => {
    const commit = await commitChange(gitDir, {
      remote,
      base: change.targetBranch,
      folder,
      prefix,
      remove,
      message: given("commitMessage", change.title),
      author: {
        name: given("gitAuthorName", authorName),
        email: given("gitAuthorEmail", authorEmail),
        date,
      },
      signal,
    });
    // An interrupted attempt may have pushed another commit, if the base has moved since.
    const known = await ctx.checkpoint(`${key}:commit`, async () => commit);
    const { timeoutMs } = deps.settings.git;
    const mayReplace = input["update"] === true;
    await pushBranch({
      gitDir,
      branch: change.branch,
      commit,
      remote,
      timeoutMs,
      signal,
      mayReplace,
      known,
    });
    ctx.output("commitHash", commit);
  });
}

const people = {
  reviewers: texts("User names of the reviewers."),
};

export const githubPullRequest = propose({
  id: "publish:github:pull-request",
  description: "Proposes the workspace as a change of a repository on GitHub.",
  host: github as Kind["host"],
  input: {
    ...people,
    teamReviewers: texts("Names of teams that are asked to review it."),
    assignees: texts("User names of those who it is assigned to."),
    draft: { type: "boolean", default: false, description: "Whether it is opened as a draft." },
  },
  output: {
    remoteUrl: { type: "string", description: "Address of the pull request." },
    pullRequestNumber: { type: "integer" },
    commitHash: { type: "string" },
  },
  writeOutputs(ctx, opened) {
    ctx.output("remoteUrl", opened.webUrl);
    ctx.output("pullRequestNumber", opened.number);
  },
});

export const gitlabMergeRequest = propose({
  id: "publish:gitlab:merge-request",
  description: "Proposes the workspace as a change of a project on GitLab.",
  host: gitlab as Kind["host"],
  input: {
    ...people,
    assignee: text("User name of the assignee."),
    labels: { type: ["string", "array"], description: "Its labels, as a list or with commas between them." },
    removeSourceBranch: {
      type: "boolean",
      default: false,
      description: "Whether the branch is deleted when the request is merged.",
    },
  },
  output: {
    mergeRequestUrl: { type: "string", description: "Address of the merge request." },
    projectid: { type: "string", description: "Path of the project." },
    projectPath: { type: "string", description: "The same." },
    commitHash: { type: "string" },
  },
  writeOutputs(ctx, opened, _repository, { place }) {
    const path = `${place.owner}/${place.repo}`;
    ctx.output("mergeRequestUrl", opened.webUrl);
    ctx.output("projectid", path);
    ctx.output("projectPath", path);
  },
});
