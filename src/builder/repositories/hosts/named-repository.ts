/** Shared by GitHub and Gitea: a repository has the path `/repos/<owner>/<name>`. */
import { encoded, textAt, type GitHost, type HostRepository } from "./host.ts";

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
