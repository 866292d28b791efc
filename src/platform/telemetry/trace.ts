/** W3C trace context without an SDK: a request continues its caller's trace, and what it calls continues the request's. */
import { randomFillSync } from "node:crypto";

export interface TraceParent {
  traceId: string;
  spanId: string;
  flags: string;
}

const wellFormed = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** Undefined for anything that the recommendation calls invalid; the caller then starts a trace of its own. */
export const parseTraceparent = (header: string | undefined): TraceParent | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", rest] = wellFormed.exec(header ?? "") ?? [];
  const isValid =
    version !== undefined &&
    version !== "ff" &&
    (version !== "00" || rest === undefined) &&
    !zeros.test(traceId) &&
    !zeros.test(spanId);
  return isValid ? { traceId, spanId, flags } : undefined;
};

export const formatTraceparent = ({ traceId, spanId, flags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${flags}`;

/** A new span in the caller's trace, or in a new one when there is none. */
export const childTraceparent = (parent: TraceParent | undefined): string => {
  if (parent !== undefined) return formatTraceparent({ ...parent, spanId: randomHex(spanBytes) });
  const ids = randomHex(traceBytes + spanBytes);
  const at = 2 * traceBytes;
  return formatTraceparent({ traceId: ids.slice(0, at), spanId: ids.slice(at), flags: "01" });
};

const traceBytes = 16;
const spanBytes = 8;

const pool = Buffer.allocUnsafe(4096);
let used = pool.length;

/** Random bytes in hexadecimal; the pool saves a call of the generator for each. */
const randomHex = (bytes: number): string => {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return pool.toString("hex", used - bytes, used);
};
