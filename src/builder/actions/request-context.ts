import type { RequestContext } from "../../platform/lib/request-context.ts";
import { newTraceparent } from "../../platform/lib/ids.ts";
import type { ActionContext } from "./action.ts";

/**
 * The request context for an action that calls a service: the caller is the user who started the
 * instantiation.
 */
export const requestContextOf = ({ user, now, log, signal, taskId }: ActionContext): RequestContext => ({
  actor: { ref: user, roles: ["developer"], provider: "instantiation" },
  now,
  log,
  signal,
  requestId: taskId,
  traceparent: newTraceparent(),
});
