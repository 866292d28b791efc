import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { BuilderExtra } from "../context.ts";
import { route, type AreaApp } from "../../platform/http/operation.ts";
import { advertise, sendPack, uploadPack } from "./own-repository.ts";

export const repositoriesBase = "/git";

const tags = ["Repositories"];

/** Adds what `git clone <server>/git/<name>.git` needs. */
export const addRepositoryRoutes = (app: AreaApp<BuilderExtra>): void => {
  route(app, {
    id: "advertiseRepository",
    method: "GET",
    base: repositoriesBase,
    path: "/{name}/info/refs",
    summary: "First request of a git clone",
    description:
      "Branches of a repository, in git's protocol. Besides a bearer token it takes HTTP Basic with the token as password.",
    tags,
    rule: "cloneRepository",
    basicAuth: true,
    params: repositoryParams,
    query: advertiseQuery,
    headers: protocolHeader,
    response: {
      200: { description: "Branches", contentType: "application/x-git-upload-pack-advertisement" },
    },
    errors: [404],
    async handler(ctx, { params, raw, reply }) {
      const answer = await advertise(ctx, params.name, protocolOf(raw.headers["git-protocol"]));
      send(reply, "application/x-git-upload-pack-advertisement").end(answer);
    },
  });
  route(app, {
    id: "cloneRepository",
    method: "POST",
    base: repositoriesBase,
    path: "/{name}/git-upload-pack",
    summary: "Second request of a git clone",
    description: "Objects of a repository, as git's protocol asks for them.",
    tags,
    rule: "cloneRepository",
    basicAuth: true,
    params: repositoryParams,
    headers: protocolHeader,
    response: { 200: { description: "Objects", contentType: "application/x-git-upload-pack-result" } },
    errors: [404],
    async handler(ctx, { params, raw, reply }) {
      const pack = await uploadPack(ctx, {
        name: params.name,
        protocol: protocolOf(raw.headers["git-protocol"]),
        body: raw.raw,
        isZipped: raw.headers["content-encoding"] === "gzip",
      });
      void sendPack(pack, send(reply, "application/x-git-upload-pack-result"));
    },
  });
};

const protocolOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;

/** Content other than JSON is written directly to the raw response. */
const send = (reply: FastifyReply, contentType: string): FastifyReply["raw"] => {
  reply.hijack();
  reply.raw.writeHead(200, {
    "content-type": contentType,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": reply.request.id,
  });
  return reply.raw;
};

const repositoryParams = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 110,
    description: "Name of the repository, with `.git` at its end.",
  }),
});

const advertiseQuery = Type.Object({
  service: Type.Enum(["git-upload-pack"], {
    description: "The git service; repositories can only be read.",
  }),
});

const protocolHeader = Type.Object({
  "git-protocol": Type.Optional(
    Type.String({ description: "Version of the protocol that the client wants." }),
  ),
});
