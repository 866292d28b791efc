/** Protocols whose clients stop an answer by disconnecting: the run is cancelled then. */
import { retryWhileAway } from "../../platform/db/retry.ts";
import type { FastifyReply } from "fastify";
import type { AssistantContext } from "../context.ts";
import { leaveRun } from "../runs/service.ts";
import type { StartedRun } from "../runs/start-run.ts";

const retry = { forMs: 30_000, delayMs: 250 };

/**
 * Starts a run, and cancels it when the client disconnects before its answer is whole, also before the first byte and where another
 * request follows it as well. A run that is to be resumed goes on (`stopsWithClient` of the run).
 */
export async function startForClient(
  ctx: AssistantContext,
  reply: FastifyReply,
  start: () => Promise<StartedRun>,
): Promise<StartedRun> {
  const response = reply.raw;
  let started: StartedRun | null = null;
  let isGone = response.destroyed;
  const leave = ({ runId }: StartedRun): void => {
    const onRetry = (): void => ctx.log.warn({ runId }, "a run can't be cancelled yet; trying again");
    retryWhileAway(() => leaveRun(ctx, runId), { ...retry, onRetry }).catch((error: unknown) => {
      ctx.log.error({ runId, error }, "a run whose client has gone could not be cancelled");
    });
  };
  response.once("close", () => {
    // At a stop the server ends its streams and cuts connections; their runs continue elsewhere.
    if (response.writableEnded || reply.server.eventStreams.isEnded) return;
    isGone = true;
    if (started !== null) leave(started);
  });
  started = await start();
  if (isGone) leave(started);
  return started;
}
