import type { RepoPlace } from "../../git/source-url.ts";
import { builderFailure } from "../../errors.ts";
import { encoded, pathBelow, textAt, type GitHost, type HostRepository } from "./host.ts";

/** Users may also write the workspace as owner. */
const workspaceOf = ({ workspace, owner }: RepoPlace): string | undefined => workspace ?? owner;

const pathOf = (place: RepoPlace): string =>
  `/repositories/${encoded(workspaceOf(place))}/${encoded(place.repo)}`;

const read = (body: Record<string, unknown>, place: RepoPlace): HostRepository => {
  const links = body["links"];
  const clones: unknown = typeof links === "object" && links !== null && "clone" in links ? links.clone : [];
  const https: unknown = Array.isArray(clones)
    ? clones.find((each: { name?: unknown } | null) => each?.name === "https")
    : undefined;
  if (https === undefined)
    throw builderFailure("BUILDER_HOST_FAILED", {
      message: "Bitbucket's answer has no address to clone from.",
    });
  return {
    remoteUrl: textAt(https, "href").replace(/^(https?:\/\/)[^/@]*@/, "$1"),
    webUrl: textAt(links, "html", "href"),
    id: pathOf(place),
  };
};

export const bitbucket: GitHost = {
  kind: "bitbucket",
  title: "Bitbucket",
  visibilities: ["private", "public"],
  missing: (place) => (workspaceOf(place) === undefined ? "a `workspace` (or `owner`)" : null),
  async find(api, place) {
    const { status, body } = await api({ method: "GET", path: pathOf(place), allowed: [200, 404] });
    return status === 404 ? null : read(body, place);
  },
  async create(api, place, { description, visibility }) {
    const { project } = place;
    const { body } = await api({
      method: "POST",
      path: pathOf(place),
      body: {
        scm: "git",
        description,
        is_private: visibility === "private",
        ...(project === undefined ? {} : { project: { key: project } }),
      },
      allowed: [200, 201],
    });
    return read(body, place);
  },
  async remove(api, { id }) {
    await api({ method: "DELETE", path: id, allowed: [204, 404] });
  },
  contentsUrl: ({ webUrl }, { branch, folder }) => `${webUrl}/src/${encoded(branch)}${pathBelow(folder)}`,
};
