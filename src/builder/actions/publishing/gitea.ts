import { encoded, pathBelow, type GitHost, textAt, type HostRepository } from "./host.ts";

/** GitHub has the same paths: a repository is `/repos/<owner>/<name>`. */
export const repositoryFrom = (body: unknown): HostRepository => ({
  remoteUrl: textAt(body, "clone_url"),
  webUrl: textAt(body, "html_url"),
  id: textAt(body, "full_name"),
});

export const repositoryPath = (fullName: string): string =>
  `/repos/${fullName.split("/").map(encoded).join("/")}`;

export const namedRepository = {
  missing: ({ owner }) => (owner === undefined || owner.includes("/") ? "an `owner`" : null),
  async find(api, { owner, repo }) {
    const { status, body } = await api({
      method: "GET",
      path: repositoryPath(`${owner}/${repo}`),
      allowed: [200, 404],
    });
    return status === 404 ? null : repositoryFrom(body);
  },
  async setDefaultBranch(api, { id }, branch) {
    await api({
      method: "PATCH",
      path: repositoryPath(id),
      body: { default_branch: branch },
      allowed: [200],
    });
  },
  async remove(api, { id }) {
    await api({ method: "DELETE", path: repositoryPath(id), allowed: [204, 404] });
  },
} satisfies Pick<GitHost, "missing" | "find" | "setDefaultBranch" | "remove">;

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
  contentsUrl: ({ webUrl }, { branch, folder }) =>
    `${webUrl}/src/branch/${encoded(branch)}${pathBelow(folder)}`,
};
