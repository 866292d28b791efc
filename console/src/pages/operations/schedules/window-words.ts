import { durationText, momentText } from "../../../parts/values/text.ts";
import { cronWords } from "./times/cron.ts";
import type { Window } from "./times/periods.ts";

const minuteMs = 60_000;

/** `freeze: Fridays at 18:00, for 2 d 12 h, Europe/Rome`. */
export const windowWords = ({ kind, cron, durationMinutes, from, until, timeZone }: Window): string => {
  const what = kind === "freeze" ? "nothing begins" : "operations may begin";
  if (cron !== undefined)
    return `${what} ${cronWords(cron)}, for ${durationText((durationMinutes ?? 0) * minuteMs)}, ${timeZone ?? "UTC"}`;
  if (from === undefined || until === undefined) return what;
  return `${what} from ${momentText(Date.parse(from))} until ${momentText(Date.parse(until))}`;
};
