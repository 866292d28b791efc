/** Lines of the log that say which request they are for, and where it came from. */
import { withFields, type Logger } from "./logger.ts";

/** Of the request that asked for work: what its row keeps, for the lines of whatever process does it. */
export interface RequestOrigin {
  /** Null in rows of an older program. */
  httpRequestId: string | null;
  /** Null for work that a process began by itself. */
  clientAddress: string | null;
}

/** The fields that a row keeps of the request in whose context it is made. */
export const originOf = (ctx: { requestId: string; clientAddress?: string | undefined }): RequestOrigin => ({
  httpRequestId: ctx.requestId,
  clientAddress: ctx.clientAddress ?? null,
});

/** A logger for the lines of a request. */
export const linesOf = (
  { requestId, clientAddress }: { requestId: string; clientAddress: string | undefined },
  log: Logger,
): Logger => withFields(log, { requestId, clientAddress });

/** A logger for the lines of work that goes on after the request that asked for it, in any process. */
export const linesOfOrigin = (
  { httpRequestId, clientAddress }: Partial<RequestOrigin>,
  log: Logger,
): Logger =>
  typeof httpRequestId === "string"
    ? linesOf({ requestId: httpRequestId, clientAddress: clientAddress ?? undefined }, log)
    : log;
