/** The public address of this server, where a proxy serves it below a path of its own. */
import type { FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Path that a proxy in front takes away, without a slash at its end; empty where there is none. */
    publicPrefix: string;
  }
}

/** Path of the address, without a slash at its end. */
export const prefixOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/+$/, "");

/** For `servers` of an OpenAPI document. */
export const serverUrlOf = (baseUrl: string | undefined): string =>
  baseUrl === undefined ? "/" : baseUrl.replace(/\/+$/, "");

/** Names the next page of a list in the Link header; the path is one of this server. */
export const linkNext = (reply: FastifyReply, path: string): void =>
  void reply.header("link", `<${reply.server.publicPrefix}${path}>; rel="next"`);
