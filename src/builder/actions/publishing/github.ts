import {
  encoded,
  pathBelow,
  numberAt,
  textAt,
  type ChangeHost,
  type GitHost,
  type OpenedChange,
} from "./host.ts";
import { namedRepository, repositoryFrom, repositoryPath } from "./gitea.ts";

const readPull = (body: unknown): OpenedChange => ({
  webUrl: textAt(body, "html_url"),
  number: numberAt(body, "number"),
});

const changes: ChangeHost = {
  async defaultBranch(api, { id }) {
    const { body } = await api({ method: "GET", path: repositoryPath(id), allowed: [200] });
    return textAt(body, "default_branch");
  },
  async find(api, { id }, { branch, targetBranch }) {
    const head = `${id.split("/")[0]}:${branch}`;
    const query = new URLSearchParams({ state: "open", head, base: targetBranch });
    const { list } = await api({
      method: "GET",
      path: `${repositoryPath(id)}/pulls?${query.toString()}`,
      allowed: [200],
    });
    return list.length === 0 ? null : readPull(list[0]);
  },
  async open(api, { id }, { branch, targetBranch, title, description, input }) {
    const { body } = await api({
      method: "POST",
      path: `${repositoryPath(id)}/pulls`,
      body: { title, body: description, head: branch, base: targetBranch, draft: input["draft"] === true },
      allowed: [201],
    });
    const opened = readPull(body);
    const { reviewers, teamReviewers: team_reviewers, assignees } = input;
    if (reviewers !== undefined || team_reviewers !== undefined) {
      await api({
        method: "POST",
        path: `${repositoryPath(id)}/pulls/${opened.number}/requested_reviewers`,
        body: { reviewers, team_reviewers },
        allowed: [201],
      });
    }
    if (assignees !== undefined) {
      await api({
        method: "POST",
        path: `${repositoryPath(id)}/issues/${opened.number}/assignees`,
        body: { assignees },
        allowed: [201],
      });
    }
    return opened;
  },
};

export const github: GitHost = {
  ...namedRepository,
  kind: "github",
  title: "GitHub",
  visibilities: ["private", "internal", "public"],
  async create(api, { owner, repo }, { description, visibility }) {
    const account = await api({ method: "GET", path: `/users/${encoded(owner)}`, allowed: [200] });
    const isOrganization = account.body["type"] === "Organization";
    const { body } = await api({
      method: "POST",
      path: isOrganization ? `/orgs/${encoded(owner)}/repos` : "/user/repos",
      body: {
        name: repo,
        description,
        private: visibility !== "public",
        ...(isOrganization ? { visibility } : {}),
      },
      allowed: [201],
    });
    return repositoryFrom(body);
  },
  contentsUrl: ({ webUrl }, { branch, folder }) => `${webUrl}/blob/${encoded(branch)}${pathBelow(folder)}`,
  changes,
};
