/** Whether the session that the page was opened in goes on. */
import { createSignal, type Signal } from "./signal.ts";

/** `doubtful` after an answer 401, until the server has said whether the session has ended. */
export type SessionState = "present" | "doubtful" | "ended";

export const sessionState = createSignal<SessionState>("present");

export const doubtSession = (): void => {
  if (sessionState.get() === "present") sessionState.set("doubtful");
};

interface Caller {
  caller: { ref: string } | null;
}

/**
 * Returns the session to show. The caller of the page stays even when the session has ended or belongs to somebody else by now, because
 * the page, with what is typed there, depends on that caller's roles.
 */
export const keepCaller = <Answer extends Caller>(before: Answer | undefined, now: Answer): Answer => {
  if (before === undefined || before.caller === null || now.caller?.ref === before.caller.ref) return now;
  if (now.caller === null) sessionState.set("ended");
  else doubtSession();
  return before;
};

/** Waits until the state is known; resolves to whether the session had ended and is back. */
export const sessionReturns = (
  stop: AbortSignal,
  { get, subscribe }: Pick<Signal<SessionState>, "get" | "subscribe"> = sessionState,
): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let hasEnded = false;
  const look = (): void => {
    hasEnded ||= get() === "ended";
    if (get() === "present") resolve(hasEnded);
  };
  const end = (): void => resolve(false);
  const forget = subscribe(look);
  stop.addEventListener("abort", end);
  if (stop.aborted) end();
  look();
  return promise.finally(() => {
    forget();
    stop.removeEventListener("abort", end);
  });
};
