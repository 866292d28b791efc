/**
 * Shared by all publish steps: their inputs, how these are interpreted, and the commit made from the
 * workspace.
 */
import { builderFailure } from "../../errors.ts";
import { makeCommit } from "../../git/make-commit.ts";
import { isGitFolder, inWorkspace, segmentsOf } from "../../git/tree.ts";
import type { ActionContext } from "../action.ts";
import { listSome } from "../../../platform/lib/list-some.ts";
import { readRepoUrl, type RepoUrl } from "../../git/source-url.ts";

const text = (description: string, maxLength = 1_000) => ({ type: "string", maxLength, description });

export const publishInput = {
  repoUrl: { ...text("Address of the repository."), minLength: 1 },
  description: text("Description of the repository, where its host has one."),
  allowedHosts: {
    type: "array",
    maxItems: 100,
    items: { type: "string" },
    description: "When given, the host of `repoUrl` must be one of these.",
  },
  defaultBranch: text("Branch that is pushed; `mesh.builder.git.defaultBranch` unless given.", 200),
  sourcePath: text("Folder of the workspace that is published; all of it unless given."),
  repoContentsPath: text("The same as `sourcePath`."),
  rootDirectory: text("Target folder in the repository; its root unless given."),
  dataproduct: text("Reference of the system that it belongs to; it is passed on as an output."),
  parentRef: text("The same as `dataproduct`."),
  gitCommitMessage: text("Message of the commit.", 10_000),
  gitAuthorName: text("Author of the commit.", 200),
  gitAuthorEmail: text("Email address of that author.", 200),
  token: text("Sent to the host instead of the configured token; give it as a secret.", 10_000),
} as const;

export const publishOutput = {
  type: "object",
  properties: {
    remoteUrl: { type: "string", description: "Address to clone from." },
    repoContentsUrl: {
      type: "string",
      description: "Address of the published folder, for `catalog:register`.",
    },
    commitHash: { type: "string" },
    parentRef: { type: "string", description: "As it was given." },
  },
};

/** Templates for Backstage may ask for more than is done here, such as a protected branch: the log names it. */
export function reportIgnored({ input, say }: ActionContext, known: Readonly<Record<string, object>>): void {
  const ignored = Object.keys(input).filter((name) => !Object.hasOwn(known, name));
  if (ignored.length > 0)
    say(`Inputs without effect, which this action does not know: ${listSome(ignored, 20)}.`, "WARNING");
}

export interface Publication {
  repoUrl: RepoUrl;
  description: string;
  branch: string;
  /** In the repository, without leading or trailing slashes. */
  rootDirectory: string;
  parentRef: string | undefined;
  token: string | undefined;
  /** Name of the step's work in checkpoints. */
  key: string;
}

/** Parses the inputs. Throws one Failure with all their problems. */
export function readPublication({ input, deps, stepId }: ActionContext): Publication {
  const given = (name: string): string | undefined => {
    const value = input[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const repoUrl = given("repoUrl") ?? "";
  const result = readRepoUrl(repoUrl);
  if (!result.ok) throw refuse(result.message);
  const parts = result.repoUrl;
  const host = parts.kind === "place" ? parts.place.host : parts.kind === "remote" ? parts.host : undefined;
  const allowed = input["allowedHosts"] as string[] | undefined;
  if (host !== undefined && allowed !== undefined && allowed.length > 0 && !isAmong(allowed, host))
    throw refuse(`The host ${host} of \`repoUrl\` is not among \`allowedHosts\`: ${allowed.join(", ")}.`);
  const rootDirectory = segmentsOf(given("rootDirectory") ?? "").join("/");
  if (isGitFolder(rootDirectory)) throw refuse("`rootDirectory` must not lead into git's own folder.");
  return {
    repoUrl: parts,
    description: given("description") ?? "",
    branch: given("defaultBranch") ?? deps.settings.git.defaultBranch,
    rootDirectory,
    parentRef: given("parentRef") ?? given("dataproduct"),
    token: given("token"),
    key: `${stepId}:${repoUrl}`,
  };
}

const isAmong = (allowed: readonly string[], host: string): boolean =>
  allowed.some((each) => each.toLowerCase() === host);

/**
 * Makes the commit in an empty folder. Its date is stored, so that an attempt after a crash makes the same
 * commit.
 */
export async function commitWorkspace(
  ctx: ActionContext,
  publication: Publication,
  gitDir: string,
): Promise<string> {
  const { input, deps, workspace, signal, checkpoint, now } = ctx;
  const source = (input["sourcePath"] ?? input["repoContentsPath"] ?? "") as string;
  const at = await checkpoint(`${publication.key}:date`, async () => now().toISOString());
  const { authorName, authorEmail, commitMessage } = deps.settings.git;
  const given = (name: string, otherwise: string): string => {
    const value = input[name];
    return typeof value === "string" && value.trim() !== "" ? value : otherwise;
  };
  return makeCommit(gitDir, {
    folder: inWorkspace(await workspace.folder(), source),
    prefix: publication.rootDirectory,
    branch: publication.branch,
    message: given("gitCommitMessage", commitMessage),
    author: { name: given("gitAuthorName", authorName), email: given("gitAuthorEmail", authorEmail) },
    date: new Date(at),
    signal,
  });
}

export function writeOutputs(
  ctx: ActionContext,
  publication: Publication,
  result: { remoteUrl: string; repoContentsUrl: string; commitHash: string },
): void {
  const { parentRef } = publication;
  ctx.output("remoteUrl", result.remoteUrl);
  ctx.output("repoContentsUrl", result.repoContentsUrl);
  ctx.output("commitHash", result.commitHash);
  if (parentRef !== undefined) ctx.output("parentRef", parentRef);
  ctx.say(`Published ${result.commitHash.slice(0, 12)} to ${result.remoteUrl}`);
}

export const refuse = (message: string) => builderFailure("BUILDER_ACTION_INPUT", { message });
