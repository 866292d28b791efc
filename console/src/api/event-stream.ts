import { useEffect, useEffectEvent, useState } from "react";
import type { StreamEvent } from "plinth-client";
import { watchedClient } from "./client.ts";
import { statusOf } from "./error.ts";
import { untilShown, whileShown } from "./page-shown.ts";
import { sessionReturns } from "./session-state.ts";

export type LiveState = "connecting" | "live" | "reconnecting" | "ended" | "failed";

export interface EventStreamOptions {
  /** Such as `/api/coordinator/v1/execution-plans/{token}/events`; null follows nothing. */
  path: string | null;
  /** Continues after this event, where the page has read a state that includes it. */
  lastEventId?: string;
  /** Gets what arrived since the last frame, in order and at most once a frame. */
  onEvents: (events: StreamEvent[]) => void;
  /** The stream has had its last event. */
  onEnd?: () => void;
}

const hiddenFlushMs = 1000;

/**
 * Follows a stream for as long as the component is shown. A connection that breaks is opened again after the last event, so that
 * each event comes once. A connection that was refused because the user was signed out is opened again when the user has signed in,
 * and one that was closed while the page was hidden, when the page is shown again.
 */
export const useEventStream = ({ path, lastEventId, onEvents, onEnd }: EventStreamOptions): LiveState => {
  const [state, setState] = useState<LiveState>("connecting");
  const deliver = useEffectEvent(onEvents);
  const end = useEffectEvent(() => onEnd?.());
  const first = useEffectEvent(() => lastEventId);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    const batch = createBatch((events: StreamEvent[]) => deliver(events));
    let opened = 0;
    const show = (next: LiveState): void => {
      if (!stop.signal.aborted) setState(next);
    };
    const client = watchedClient((opening) => {
      show(opened === 0 ? "connecting" : "reconnecting");
      opened += 1;
      opening.then(
        ({ ok }) => ok && show("live"),
        () => show("reconnecting"),
      );
    });
    const follow = async (from: string | undefined): Promise<void> => {
      let last = from;
      await untilShown(stop.signal);
      if (stop.signal.aborted) return;
      const shown = whileShown(stop.signal);
      const options = {
        signal: shown,
        attempts: Infinity,
        ...(from !== undefined && { lastEventId: from }),
      };
      try {
        for await (const event of client.follow(path, options)) {
          if (event.id !== "") last = event.id;
          batch.add(event);
        }
        batch.flush();
        if (stop.signal.aborted) return;
        show("ended");
        end();
      } catch (error) {
        if (shown.aborted) return follow(last);
        if (statusOf(error) === 401 && (await sessionReturns(stop.signal))) return follow(last);
        show(statusOf(error) === 404 ? "ended" : "failed");
      }
    };
    void follow(first());
    return () => {
      stop.abort();
      batch.stop();
    };
  }, [path]);
  return state;
};

interface Batch<T> {
  add(item: T): void;
  flush(): void;
  stop(): void;
}

const createBatch = <T>(deliver: (items: T[]) => void): Batch<T> => {
  let items: T[] = [];
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
    if (items.length === 0) return;
    const full = items;
    items = [];
    deliver(full);
  };
  return {
    add(item) {
      items.push(item);
      if (items.length > 1) return;
      frame = requestAnimationFrame(flush);
      // A hidden tab has no frames.
      timer = setTimeout(flush, hiddenFlushMs);
    },
    flush,
    stop() {
      items = [];
      flush();
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    },
  };
};
