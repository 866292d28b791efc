/** Pure: cron expressions of five fields, as the server reads them, and what they say in words. */

export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[];
  months: readonly number[];
  /** 0 is Sunday. */
  weekdays: readonly number[];
  /** Whether the expression limits them; where it limits both, either has to fit. */
  limitsDays: boolean;
  limitsWeekdays: boolean;
}

const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
export const weekdayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Null where the text is none. */
export const parseCron = (text: string): Cron | null => {
  const fields = text.trim().toLowerCase().split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || !minute || !hour || !day || !month || !weekday) return null;
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const days = valuesOf(day, 1, 31);
  const months = valuesOf(month, 1, 12, monthNames);
  const weekdays = valuesOf(weekday, 0, 7, weekdayNames);
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  return {
    minutes,
    hours,
    days,
    months,
    weekdays: [...new Set(weekdays.map((value) => value % 7))].toSorted((a, b) => a - b),
    limitsDays: !day.startsWith("*"),
    limitsWeekdays: !weekday.startsWith("*"),
  };
};

const valuesOf = (field: string, least: number, most: number, names: string[] = []): number[] | null => {
  const valueOf = (text: string): number => {
    const place = names.indexOf(text);
    if (place >= 0) return place + least;
    return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  };
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const [, span = "", stepText] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(part) ?? [];
    const step = stepText === undefined ? 1 : Number(stepText);
    const [first = "", last, ...rest] = span.split("-");
    const from = span === "*" ? least : valueOf(first);
    const to =
      span === "*" || (last === undefined && stepText !== undefined)
        ? most
        : last === undefined
          ? from
          : valueOf(last);
    // NaN fits nothing.
    if (rest.length > 0 || step < 1 || !(from >= least && to <= most && from <= to)) return null;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return [...values].toSorted((a, b) => a - b);
};

export const fitsDay = (cron: Cron, local: number): boolean => {
  const date = new Date(local);
  if (!cron.months.includes(date.getUTCMonth() + 1)) return false;
  const isDay = cron.days.includes(date.getUTCDate());
  const isWeekday = cron.weekdays.includes(date.getUTCDay());
  return cron.limitsDays && cron.limitsWeekdays ? isDay || isWeekday : isDay && isWeekday;
};

export interface Weekly {
  /** 0 is Sunday. */
  weekdays: readonly number[];
  /** `22:30`. */
  time: string;
}

/** Where it begins once on each of some days of the week; null otherwise. */
export const weeklyOf = (text: string): Weekly | null => {
  const cron = parseCron(text);
  if (cron === null) return null;
  const { minutes, hours, days, months, weekdays } = cron;
  if (minutes.length !== 1 || hours.length !== 1 || days.length !== 31 || months.length !== 12) return null;
  const two = (value: number | undefined): string => `${value}`.padStart(2, "0");
  return { weekdays, time: `${two(hours[0])}:${two(minutes[0])}` };
};

export const cronOf = ({ weekdays, time }: Weekly): string => {
  const [hour = "0", minute = "0"] = time.split(":");
  const days =
    weekdays.length === 7 || weekdays.length === 0 ? "*" : weekdays.map((day) => weekdayNames[day]).join(",");
  return `${Number(minute)} ${Number(hour)} * * ${days}`;
};

const longNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** `Fridays at 18:00`; a less simple one stays as it is. */
export const cronWords = (text: string): string => {
  const weekly = weeklyOf(text);
  if (weekly === null) return `by ${text}`;
  const { weekdays, time } = weekly;
  if (weekdays.length === 7) return `every day at ${time}`;
  if (weekdays.join() === "1,2,3,4,5") return `Monday to Friday at ${time}`;
  const names = weekdays.map((day) => `${longNames[day]}s`);
  const last = names.pop() ?? "";
  return `${names.length === 0 ? last : `${names.join(", ")} and ${last}`} at ${time}`;
};
