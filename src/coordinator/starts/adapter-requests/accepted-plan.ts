import { newId } from "../../../platform/lib/ids.ts";
import { originOf } from "../../../platform/lib/request-lines.ts";
import type { WorkerContext } from "../../context.ts";

/** The fields that every plan has which is accepted in a request. */
export function acceptedNow(ctx: WorkerContext, environment: string) {
  const now = ctx.now();
  return {
    id: newId(),
    environment,
    originator: ctx.actor.ref,
    traceparent: ctx.traceparent,
    origin: originOf(ctx),
    now,
    deadlineAt: new Date(now.getTime() + ctx.coordinator.settings.operationTimeoutMs(environment)),
  };
}
