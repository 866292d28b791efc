import {
  encoded,
  pathBelow,
  numberAt,
  textAt,
  type ChangeHost,
  type GitHost,
  type HostApi,
  type HostRepository,
  type OpenedChange,
} from "./host.ts";

const read = (body: unknown): HostRepository => ({
  remoteUrl: textAt(body, "http_url_to_repo"),
  webUrl: textAt(body, "web_url"),
  id: textAt(body, "id"),
});

const readRequest = (body: unknown): OpenedChange => ({
  webUrl: textAt(body, "web_url"),
  number: numberAt(body, "iid"),
});

/** GitLab identifies users by number, templates by name. */
async function idsOf(api: HostApi, names: readonly unknown[]): Promise<number[]> {
  const ids: number[] = [];
  for (const name of names) {
    const query = new URLSearchParams({ username: String(name) });
    const { list } = await api({ method: "GET", path: `/users?${query.toString()}`, allowed: [200] });
    if (list.length > 0) ids.push(numberAt(list[0], "id"));
  }
  return ids;
}

const changes: ChangeHost = {
  async defaultBranch(api, { id }) {
    const { body } = await api({ method: "GET", path: `/projects/${encoded(id)}`, allowed: [200] });
    return textAt(body, "default_branch");
  },
  async find(api, { id }, { branch, targetBranch }) {
    const query = new URLSearchParams({
      state: "opened",
      source_branch: branch,
      target_branch: targetBranch,
    });
    const path = `/projects/${encoded(id)}/merge_requests?${query.toString()}`;
    const { list } = await api({ method: "GET", path, allowed: [200] });
    return list.length === 0 ? null : readRequest(list[0]);
  },
  async open(api, { id }, { branch, targetBranch, title, description, input }) {
    const { assignee, reviewers, labels, removeSourceBranch } = input;
    const assignees = await idsOf(api, typeof assignee === "string" ? [assignee] : []);
    const reviewing = await idsOf(api, Array.isArray(reviewers) ? reviewers : []);
    const { body } = await api({
      method: "POST",
      path: `/projects/${encoded(id)}/merge_requests`,
      body: {
        source_branch: branch,
        target_branch: targetBranch,
        title,
        description,
        remove_source_branch: removeSourceBranch === true,
        ...(assignees.length > 0 ? { assignee_ids: assignees } : {}),
        ...(reviewing.length > 0 ? { reviewer_ids: reviewing } : {}),
        ...(labels === undefined ? {} : { labels }),
      },
      allowed: [201],
    });
    return readRequest(body);
  },
};

export const gitlab: GitHost = {
  kind: "gitlab",
  title: "GitLab",
  visibilities: ["private", "internal", "public"],
  // Groups may be nested, so the owner may contain slashes.
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
  contentsUrl: ({ webUrl }, { branch, folder }) => `${webUrl}/-/blob/${encoded(branch)}${pathBelow(folder)}`,
  changes,
};
