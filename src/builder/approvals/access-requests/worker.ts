/**
 * Processes the approved access requests that are due in this process, including those of a worker that has
 * died.
 */
import { startRounds } from "../../../platform/jobs/rounds.ts";
import { openTogether } from "../../../platform/lib/opened.ts";
import { systemActor } from "../../../platform/lib/actor.ts";
import { newId, newTraceparent } from "../../../platform/lib/ids.ts";
import type { Logger } from "../../../platform/lib/logger.ts";
import type { RequestContext } from "../../../platform/lib/request-context.ts";
import type { BuilderDeps } from "../../context.ts";
import type { HookContext } from "../hooks/handlers.ts";
import type { AccessCoordinator } from "../../ports.ts";
import { applyRequest } from "./apply.ts";
import { accessQueue } from "./handler.ts";
import { claimRequests, scheduleCheck } from "./store.ts";

export interface AccessWorkerOptions {
  builder: Pick<BuilderDeps, "database" | "jobs" | "settings">;
  access: AccessCoordinator;
  log: Logger;
  now: () => Date;
  /** The worker lease of this process. */
  workerId: string;
}

export interface AccessWorker {
  /** Starts no further check and waits for those in progress, which are short. */
  close(): Promise<void>;
}

/** Longest wait between two polls. */
const idleMs = 1_000;
const parallelChecks = 8;
const pauseAfterFaultMs = 2_000;

export async function startAccessWorker(options: AccessWorkerOptions): Promise<AccessWorker> {
  const { builder, log, now, workerId } = options;
  const { kysely } = builder.database;
  const underWay = new Map<string, Promise<void>>();

  const look = async (id: string): Promise<void> => {
    const ctx = contextOf(options, {});
    const apply = {
      access: options.access,
      contextOf: ({ requester, httpRequestId: requestId, traceparent }: Acting) =>
        contextOf(options, {
          actor: { ref: requester, roles: [], provider: "access-request" },
          requestId,
          traceparent,
        }),
    };
    const pauseMs = await applyRequest(apply, { ctx, id }).catch(async (error: Error) => {
      log.warn(
        { accessRequestId: id, reason: error.message },
        "an access request waits: a step of it failed",
      );
      const at = new Date(now().getTime() + pauseAfterFaultMs);
      await scheduleCheck(kysely, id, { at, hasMoved: false }).catch(() => {});
      return null;
    });
    if (pauseMs !== null) setTimeout(() => rounds.wake(), pauseMs).unref();
  };
  const round = async (): Promise<void> => {
    const limit = parallelChecks - underWay.size;
    if (limit <= 0) return;
    const due = await claimRequests(kysely, { workerId, underWay: [...underWay.keys()], at: now(), limit });
    for (const id of due) {
      const looking = look(id).finally(() => {
        underWay.delete(id);
        rounds.wake();
      });
      underWay.set(id, looking);
    }
  };
  const rounds = startRounds({ round, idleMs, log, what: "access requests wait" });
  const close = async (): Promise<void> => {
    await rounds.close();
    await Promise.all(underWay.values());
  };
  await openTogether(log, async (opened) => {
    opened.add("the rounds of access requests", close);
    await builder.jobs.work(accessQueue, async () => rounds.wake());
  });
  return { close };
}

interface Acting {
  requester: string;
  httpRequestId: string;
  traceparent: string;
}

const contextOf = (
  { builder, log, now }: AccessWorkerOptions,
  as: Partial<Pick<RequestContext, "actor" | "requestId" | "traceparent">>,
): HookContext => ({
  builder,
  log,
  now,
  actor: systemActor,
  signal: new AbortController().signal,
  requestId: newId(),
  traceparent: newTraceparent(),
  ...as,
});
