import type { RepoPlace } from "../../git/source-url.ts";
import { encoded, pathBelow, textAt, type GitHost, type HostRepository } from "./host.ts";

const version = "api-version=6.0";

/** Users may also write the project as owner. */
const projectOf = ({ project, owner }: RepoPlace): string | undefined => project ?? owner;

const repositoriesOf = (place: RepoPlace): string =>
  `/${encoded(place.organization)}/${encoded(projectOf(place))}/_apis/git/repositories`;

/** A repository is deleted by its id below its project. */
const read = (body: unknown, place: RepoPlace): HostRepository => ({
  // URLs in responses contain a user name, which git must not receive in addition to the credentials.
  remoteUrl: textAt(body, "remoteUrl").replace(/^(https?:\/\/)[^/@]*@/, "$1"),
  webUrl: textAt(body, "webUrl"),
  id: `${repositoriesOf(place)}/${encoded(textAt(body, "id"))}`,
});

export const azure: GitHost = {
  kind: "azure",
  title: "Azure DevOps",
  // The project determines who can see a repository.
  visibilities: ["private"],
  missing: (place) =>
    place.organization === undefined || projectOf(place) === undefined
      ? "an `organization` and a `project` (or `owner`)"
      : null,
  async find(api, place) {
    const path = `${repositoriesOf(place)}/${encoded(place.repo)}?${version}`;
    const { status, body } = await api({ method: "GET", path, allowed: [200, 404] });
    return status === 404 ? null : read(body, place);
  },
  async create(api, place) {
    const path = `${repositoriesOf(place)}?${version}`;
    const { body } = await api({ method: "POST", path, body: { name: place.repo }, allowed: [200, 201] });
    return read(body, place);
  },
  async setDefaultBranch(api, { id }, branch) {
    const body = { defaultBranch: `refs/heads/${branch}` };
    await api({ method: "PATCH", path: `${id}?${version}`, body, allowed: [200] });
  },
  async remove(api, { id }) {
    await api({ method: "DELETE", path: `${id}?${version}`, allowed: [204, 404] });
  },
  contentsUrl({ remoteUrl }, { branch, folder }) {
    if (folder === "") return remoteUrl;
    return `${remoteUrl}?path=${pathBelow(folder)}&version=GB${encodeURIComponent(branch)}`;
  },
};
