import { once } from "node:events";
import type { FastifyReply } from "fastify";
import { answerHeaders } from "./send-json.ts";

/** A client that reads nothing for this long is disconnected. */
const stalledMs = 30_000;

/**
 * Answers with JSON whose text comes in pieces, no faster than the client takes them. Check everything that can fail before:
 * once the first byte is out there is no status left. When the source throws, the connection is cut, so that nobody takes
 * what came for the whole.
 */
export async function sendJsonPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  contentType?: string,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  const own = contentType === undefined ? answerHeaders : { ...answerHeaders, "content-type": contentType };
  raw.writeHead(200, { ...own, "x-request-id": reply.request.id });
  try {
    for await (const piece of pieces) {
      if (raw.destroyed) return;
      if (raw.write(piece)) continue;
      await once(raw, "drain", { signal: AbortSignal.timeout(stalledMs) });
    }
    raw.end();
  } catch (error) {
    // A client that has left, or reads nothing, is not an error.
    const isGone = raw.destroyed || (error instanceof Error && error.name === "AbortError");
    raw.destroy();
    if (!isGone) throw error;
  }
}
