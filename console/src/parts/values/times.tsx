import { useSyncExternalStore, type ReactNode } from "react";
import { useSignal } from "../../api/signal.ts";
import { clockText, distanceText, durationText, momentText } from "./text.ts";
import { timeFormat } from "./time-format.ts";

/** One clock for all times on a page. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

/** The time in steps of a second. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

export const TimeAgo = ({ at }: { at: string | null }): ReactNode => {
  const moment = at === null ? 0 : Date.parse(at);
  const format = useSignal(timeFormat);
  const text = useSyncExternalStore(subscribe, () =>
    format === "distance" ? distanceText(moment, now) : clockText(moment, now, format === "utc"),
  );
  if (at === null) return "–";
  return (
    <time dateTime={at} title={format === "distance" ? momentText(moment) : distanceText(moment, now)}>
      {text}
    </time>
  );
};

/** `3 h left`, or since when it is over. */
export const TimeLeft = ({ until }: { until: string }): ReactNode => {
  const moment = Date.parse(until);
  const text = useSyncExternalStore(subscribe, () =>
    moment < now ? `over since ${distanceText(moment, now)}` : `${durationText(moment - now)} left`,
  );
  return (
    <time dateTime={until} title={momentText(moment)}>
      {text}
    </time>
  );
};

export interface DurationProps {
  from: string | null;
  /** null: it goes on. */
  to: string | null;
}

export const Duration = ({ from, to }: DurationProps): ReactNode => {
  const text = useSyncExternalStore(subscribe, () =>
    from === null ? "–" : durationText(Math.max(0, (to === null ? now : Date.parse(to)) - Date.parse(from))),
  );
  return <span className="tabular">{text}</span>;
};
