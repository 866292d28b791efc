/** Every action that a template may name; each is defined in its own file. */
import type { BuilderDeps } from "../context.ts";
import { azure } from "./publishing/azure.ts";
import { bitbucket } from "./publishing/bitbucket.ts";
import { gitea } from "./publishing/gitea.ts";
import { github } from "./publishing/github.ts";
import { gitlab } from "./publishing/gitlab.ts";
import { githubPullRequest, gitlabMergeRequest } from "./publishing/propose-change.ts";
import { publishGit } from "./publishing/publish-git.ts";
import { publishToHost } from "./publishing/publish-host.ts";
import type { Action } from "./action.ts";
import { catalogFetch, catalogWrite } from "./catalog-entities.ts";
import { catalogRegister } from "./catalog-register.ts";
import { debugLog, debugWait } from "./debug.ts";
import { fetchPlain, fetchPlainFile, fetchTemplate, fetchTemplateFile } from "./fetch-template.ts";
import { fsDelete, fsReaddir, fsRename } from "./workspace-files.ts";

/** The built-in actions, in the order of the reference page. */
export const builtInActions: readonly Action[] = [
  fetchPlain,
  fetchPlainFile,
  fetchTemplate,
  fetchTemplateFile,
  fsDelete,
  fsReaddir,
  fsRename,
  catalogRegister,
  catalogWrite,
  catalogFetch,
  publishGit,
  ...[github, gitlab, azure, bitbucket, gitea].map(publishToHost),
  githubPullRequest,
  gitlabMergeRequest,
  debugLog,
  debugWait,
];

/** By id, with the aliases of the publish actions and the actions of the operator's modules. */
export function createActions(
  { settings }: Pick<BuilderDeps, "settings">,
  ofModules: readonly Action[] = [],
): Map<string, Action> {
  const spaces = new Set([settings.namespace, ...settings.actions.publishAliases]);
  const aliases = builtInActions
    .filter(({ id }) => id.startsWith("publish:"))
    .flatMap((action) => [...spaces].map((space) => ({ ...action, id: `${space}:${action.id}` })));
  // A module cannot replace a built-in action.
  return new Map([...ofModules, ...aliases, ...builtInActions].map((action) => [action.id, action]));
}
