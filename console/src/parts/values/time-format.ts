import { createSignal } from "../../api/signal.ts";

export const timeFormats = ["distance", "local", "utc"] as const;

/** How times are shown: how long ago, by the clock of the reader, or in UTC. */
export type TimeFormat = (typeof timeFormats)[number];

const storageKey = "plinth-time-format";

const remembered = (): TimeFormat => {
  try {
    const stored = localStorage.getItem(storageKey);
    return timeFormats.find((format) => format === stored) ?? "distance";
  } catch {
    return "distance";
  }
};

export const timeFormat = createSignal<TimeFormat>(remembered());

export const chooseTimeFormat = (format: TimeFormat): void => {
  timeFormat.set(format);
  try {
    localStorage.setItem(storageKey, format);
  } catch {
    // It holds until the page is loaded anew.
  }
};
