import { encoded, textAt, type GitHost, type HostRepository } from "./host.ts";

const read = (body: unknown): HostRepository => ({
  remoteUrl: textAt(body, "clone_url"),
  webUrl: textAt(body, "html_url"),
  id: textAt(body, "full_name"),
});

const pathOf = (fullName: string): string => `/repos/${fullName.split("/").map(encoded).join("/")}`;

export const github: GitHost = {
  kind: "github",
  title: "GitHub",
  visibilities: ["private", "internal", "public"],
  missing: ({ owner }) => (owner === undefined || owner.includes("/") ? "an `owner`" : null),
  async find(api, { owner, repo }) {
    const { status, body } = await api({
      method: "GET",
      path: pathOf(`${owner}/${repo}`),
      allowed: [200, 404],
    });
    return status === 404 ? null : read(body);
  },
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
    return read(body);
  },
  async setDefaultBranch(api, { id }, branch) {
    await api({ method: "PATCH", path: pathOf(id), body: { default_branch: branch }, allowed: [200] });
  },
  async remove(api, { id }) {
    await api({ method: "DELETE", path: pathOf(id), allowed: [204, 404] });
  },
  contentsUrl: ({ webUrl }, branch) => `${webUrl}/blob/${encoded(branch)}`,
};
