import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Not one that lets its holder act (exchange.ts): request ids are logged. */
const saneRequestId = /^(?!.*cap_)[\w.:@/+=-]{1,128}$/;

/** The caller's own id for the request when it is fit to be logged, else a new one. */
export const requestIdOf = (request: { headers: IncomingMessage["headers"] }): string => {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && saneRequestId.test(given) ? given : randomUUID();
};
