import { encoded, textAt, type GitHost, type HostRepository } from "./host.ts";

const read = (body: unknown): HostRepository => ({
  remoteUrl: textAt(body, "clone_url"),
  webUrl: textAt(body, "html_url"),
  id: textAt(body, "full_name"),
});

const pathOf = (fullName: string): string => `/repos/${fullName.split("/").map(encoded).join("/")}`;

/** Gitea, and Forgejo, which has the same interface. */
export const gitea: GitHost = {
  kind: "gitea",
  title: "Gitea",
  visibilities: ["private", "public"],
  missing: ({ owner }) => (owner === undefined || owner.includes("/") ? "an `owner`" : null),
  async find(api, { owner, repo }) {
    const { status, body } = await api({
      method: "GET",
      path: pathOf(`${owner}/${repo}`),
      allowed: [200, 404],
    });
    return status === 404 ? null : read(body);
  },
  async create(api, { owner, repo }, { description, visibility, branch }) {
    const organization = await api({ method: "GET", path: `/orgs/${encoded(owner)}`, allowed: [200, 404] });
    const { body } = await api({
      method: "POST",
      path: organization.status === 200 ? `/orgs/${encoded(owner)}/repos` : "/user/repos",
      body: { name: repo, description, private: visibility !== "public", default_branch: branch },
      allowed: [201],
    });
    return read(body);
  },
  async setDefaultBranch(api, { id }, branch) {
    await api({ method: "PATCH", path: pathOf(id), body: { default_branch: branch }, allowed: [200] });
  },
  async remove(api, { id }) {
    await api({ method: "DELETE", path: pathOf(id), allowed: [204, 404] });
  },
  contentsUrl: ({ webUrl }, branch) => `${webUrl}/src/branch/${encoded(branch)}`,
};
