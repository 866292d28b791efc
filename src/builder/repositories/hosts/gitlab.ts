import { encoded, textAt, type GitHost, type HostRepository } from "./host.ts";

const read = (body: unknown): HostRepository => ({
  remoteUrl: textAt(body, "http_url_to_repo"),
  webUrl: textAt(body, "web_url"),
  id: textAt(body, "id"),
});

export const gitlab: GitHost = {
  kind: "gitlab",
  title: "GitLab",
  visibilities: ["private", "internal", "public"],
  // Groups lie in groups, so the owner may have slashes.
  missing: ({ owner }) => (owner === undefined ? "an `owner`" : null),
  async find(api, { owner, repo }) {
    const path = `/projects/${encoded(`${owner}/${repo}`)}`;
    const { status, body } = await api({ method: "GET", path, allowed: [200, 404] });
    return status === 404 ? null : read(body);
  },
  async create(api, { owner, repo }, { description, visibility, branch }) {
    const namespace = await api({ method: "GET", path: `/namespaces/${encoded(owner)}`, allowed: [200] });
    const { body } = await api({
      method: "POST",
      path: "/projects",
      body: {
        name: repo,
        path: repo,
        namespace_id: Number(textAt(namespace.body, "id")),
        description,
        visibility,
        default_branch: branch,
      },
      allowed: [201],
    });
    return read(body);
  },
  async remove(api, { id }) {
    await api({ method: "DELETE", path: `/projects/${encoded(id)}`, allowed: [200, 202, 204, 404] });
  },
  contentsUrl: ({ webUrl }, branch) => `${webUrl}/-/blob/${encoded(branch)}`,
};
