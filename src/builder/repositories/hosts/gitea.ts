import { encoded, type GitHost } from "./host.ts";
import { namedRepository, repositoryFrom } from "./named-repository.ts";

/** Gitea, and Forgejo, which has the same API. */
export const gitea: GitHost = {
  ...namedRepository,
  kind: "gitea",
  title: "Gitea",
  visibilities: ["private", "public"],
  async create(api, { owner, repo }, { description, visibility, branch }) {
    const organization = await api({ method: "GET", path: `/orgs/${encoded(owner)}`, allowed: [200, 404] });
    const { body } = await api({
      method: "POST",
      path: organization.status === 200 ? `/orgs/${encoded(owner)}/repos` : "/user/repos",
      body: { name: repo, description, private: visibility !== "public", default_branch: branch },
      allowed: [201],
    });
    return repositoryFrom(body);
  },
  contentsUrl: ({ webUrl }, branch) => `${webUrl}/src/branch/${encoded(branch)}`,
};
