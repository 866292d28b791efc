/**
 * Processes the approved access requests that are due in this process, including those of a worker that has
 * died.
 */
import { startRowWorker, type RowWorker } from "../../../platform/jobs/row-worker.ts";
import { systemActor } from "../../../platform/lib/actor.ts";
import { newId, newTraceparent } from "../../../platform/lib/ids.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import { linesOfOrigin } from "../../../platform/lib/request-lines.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import { activeTraceparent } from "../../../platform/telemetry/spans.ts";
import type { BuilderDeps } from "../../context.ts";
import type { HookContext } from "../handlers.ts";
import type { AccessCoordinator } from "../../ports.ts";
import { applyRequest } from "./apply.ts";
import { accessChannel, claimRequests } from "./store.ts";

export interface AccessWorkerOptions {
  builder: Pick<BuilderDeps, "database" | "settings">;
  access: AccessCoordinator;
  log: Logger;
  now: () => Date;
  /** The worker lease of this process. */
  workerId: string;
}

/** Longest wait between two polls. */
const idleMs = 1_000;
const parallelChecks = 8;

export function startAccessWorker(options: AccessWorkerOptions): Promise<RowWorker> {
  const { builder, log, now, workerId } = options;
  const { db } = builder.database;
  return startRowWorker<string>({
    log,
    name: "access requests",
    idleMs,
    parallel: parallelChecks,
    claim: ({ underWay, limit }) => claimRequests(db, { workerId, underWay, at: now(), limit }),
    work: (id) => check(options, id),
    describe: (id) => ({ accessRequestId: id }),
    listener: builder.database.listener,
    channels: [accessChannel],
  });
}

/** Returns in how many milliseconds the request is checked again. */
function check(options: AccessWorkerOptions, id: string): Promise<number | null> {
  const apply = {
    access: options.access,
    contextOf: ({ requester, traceparent, ...origin }: Acting) =>
      contextOf(options, {
        actor: { ref: requester, roles: [], provider: "access-request" },
        requestId: origin.httpRequestId,
        log: linesOfOrigin(origin, options.log),
        traceparent,
      }),
  };
  return applyRequest(apply, { ctx: contextOf(options, {}), id });
}

interface Acting {
  requester: string;
  httpRequestId: string;
  clientAddress: string | null;
  traceparent: string;
}

const contextOf = (
  { builder, log, now }: AccessWorkerOptions,
  as: Partial<Pick<RequestContext, "actor" | "requestId" | "log" | "traceparent">>,
): HookContext => ({
  builder,
  log,
  now,
  actor: systemActor,
  signal: new AbortController().signal,
  requestId: newId(),
  traceparent: activeTraceparent() ?? newTraceparent(),
  ...as,
});
