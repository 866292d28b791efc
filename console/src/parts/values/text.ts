/** Texts of values, pure. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `850 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`, `3 d 4 h`. */
export const durationText = (ms: number): string => {
  if (ms < second) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${(ms / second).toFixed(ms < 10 * second ? 1 : 0)} s`;
  if (ms < hour) return twoParts(ms, [minute, "min"], [second, "s"]);
  if (ms < day) return twoParts(ms, [hour, "h"], [minute, "min"]);
  return twoParts(ms, [day, "d"], [hour, "h"]);
};

type Part = readonly [ms: number, name: string];

const twoParts = (ms: number, [big, bigName]: Part, [small, smallName]: Part): string => {
  const whole = Math.floor(ms / big);
  const rest = Math.floor((ms - whole * big) / small);
  return rest === 0 ? `${whole} ${bigName}` : `${whole} ${bigName} ${rest} ${smallName}`;
};

/** `just now`, `5 min ago`, `in 2 h`, and a date when it is further away than a week. */
export const distanceText = (at: number, now: number): string => {
  const distance = Math.abs(at - now);
  if (distance < 10 * second) return "just now";
  if (distance > 7 * day) return dateText(at);
  const [size, name]: Part =
    distance < minute
      ? [second, "s"]
      : distance < hour
        ? [minute, "min"]
        : distance < day
          ? [hour, "h"]
          : [day, "d"];
  const amount = `${Math.floor(distance / size)} ${name}`;
  return at > now ? `in ${amount}` : `${amount} ago`;
};

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const dateText = (at: number): string => dates.format(at);

export const momentText = (at: number): string => moments.format(at);

const monthMs = 30 * day;

/** `26 Nov 14:05`, with a Z at its end in UTC; the year in place of the time when it is half a year away. */
export const clockText = (at: number, now: number, isUtc: boolean): string => {
  const isFar = Math.abs(at - now) > 6 * monthMs;
  const parts = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    ...(isFar ? { year: "numeric" } : { hour: "2-digit", minute: "2-digit" }),
    ...(isUtc && { timeZone: "UTC" }),
  }).format(at);
  return `${parts.replace(",", "")}${isUtc && !isFar ? "Z" : ""}`;
};

/** `PARTIALLY_DEPLOYED` becomes `Partially deployed`. */
export const wordsOf = (code: string): string => {
  const words = code.replaceAll(/[_-]+/g, " ").toLowerCase().trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The end of an id tells more than its middle: `urn:dmb:dp:fle…latest-positions`. */
export const shortened = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const tail = Math.ceil((length - 1) * 0.6);
  return `${text.slice(0, length - 1 - tail)}…${text.slice(-tail)}`;
};

/** `group:default/fleet` is read as `group fleet`. */
export const referenceText = (reference: string): string => {
  const [, kind, name] = /^(\w+):default\/(.+)$/.exec(reference) ?? [];
  return kind === undefined ? reference : `${kind} ${name}`;
};
