import type { FastifyInstance, FastifyReply } from "fastify";

declare module "fastify" {
  interface FastifyReply {
    /** Sends JSON that is text already, such as a list that the database wrote; it is not checked or changed. */
    sendJson(text: string | Buffer, status?: number): void;
  }
}

export const decorateReplies = (root: FastifyInstance): void => {
  root.decorateReply("sendJson", function (this: FastifyReply, text: string | Buffer, status = 200) {
    sendJson(this, text, status);
  });
};

/**
 * What an API's answers need of the usual protective headers; the pages of the console bring their own. One constant,
 * since a plugin that works them out for each request costs more than routing does.
 */
export const answerHeaders: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

export const answerHeaderList: readonly string[] = Object.entries(answerHeaders).flat();

/**
 * Writes the answer to the response itself: the framework's way there (hooks that we do not have, serialisers that have
 * run already) is a good part of what a small request costs: with `reply.send` the status of a unit costs 1.11 of its CPU
 * (`npm run bench:compare -- <ref> http`, nine pairs, 2026-11-23). Headers that were set on the reply go along.
 */
export const sendJson = (reply: FastifyReply, text: string | Buffer, status: number): void => {
  const { raw } = reply;
  reply.hijack();
  const length = typeof text === "string" ? Buffer.byteLength(text) : text.length;
  const headers = [...answerHeaderList, "content-length", String(length), "x-request-id", reply.request.id];
  const given = reply.getHeaders();
  for (const name in given) {
    const value = given[name];
    if (value !== undefined) {
      headers.push(name, Array.isArray(value) ? value.join(", ") : String(value));
    }
  }
  raw.writeHead(status, headers);
  // Text of one byte per character is written as it is; the detour over UTF-8 gives the same bytes.
  raw.end(text, text.length === length ? "latin1" : "utf8");
};
