import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { OutboundError, codesOf } from "./outbound-error.ts";

const decoders = new Map<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** True when the body arrives as it is meant, without any coding to undo. */
export function isIdentity(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding === "" || contentEncoding === "identity";
}

/** What is known about the response whose body is decoded; for limits and messages. */
export interface EncodedBody {
  contentEncoding: string;
  origin: string;
  maxBytes: number;
}

/**
 * Undoes one content coding. We ask for none, but gateways compress all the same. The decoder stops at
 * `maxBytes` of output, so a small body cannot unpack into a large one; a coding that is unknown or stacked
 * is refused like a broken answer.
 */
export async function decodeBody(body: Buffer, encoded: EncodedBody): Promise<Buffer> {
  const { contentEncoding, origin, maxBytes } = encoded;
  if (body.length === 0) return body;
  const decode = decoders.get(contentEncoding.trim().toLowerCase());
  if (decode === undefined) {
    throw new OutboundError(
      "reset",
      true,
      `${origin} answered with a content encoding that was not asked for.`,
    );
  }
  try {
    return await decode(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (codesOf(error).includes("ERR_BUFFER_TOO_LARGE")) throw tooLarge(origin, maxBytes);
    throw new OutboundError("reset", true, `${origin} answered with a compressed body that is broken.`);
  }
}

export function tooLarge(origin: string, maxBytes: number): OutboundError {
  return new OutboundError("too_large", true, `${origin} answered with more than ${maxBytes} bytes.`);
}
