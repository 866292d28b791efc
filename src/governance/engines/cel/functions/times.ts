/** Parts of timestamps and durations. */
import { CelError, type Duration, type Timestamp } from "../values.ts";
import { define, type FunctionList } from "./define.ts";

const millisOfDay = 86_400_000;

/** Milliseconds in UTC that show the same clock as the timestamp in its time zone. */
type Part = (local: Date) => number;

const parts: Readonly<Record<string, Part>> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
};

export const times: FunctionList = [
  ...Object.entries(parts).flatMap(([name, part]) => [
    define(`timestamp.${name}(): int`, (timestamp: Timestamp) => BigInt(part(localDate(timestamp, "UTC")))),
    define(`timestamp.${name}(string): int`, (timestamp: Timestamp, zone: string) =>
      BigInt(part(localDate(timestamp, zone))),
    ),
  ]),
  define("duration.getHours(): int", ({ nanos }: Duration) => nanos / 3_600_000_000_000n),
  define("duration.getMinutes(): int", ({ nanos }: Duration) => nanos / 60_000_000_000n),
  define("duration.getSeconds(): int", ({ nanos }: Duration) => nanos / 1_000_000_000n),
  define("duration.getMilliseconds(): int", ({ nanos }: Duration) => (nanos / 1_000_000n) % 1_000n),
];

function dayOfYear(local: Date): number {
  const start = new Date(local);
  start.setUTCMonth(0, 1);
  return Math.round(
    (Math.floor(Number(local) / millisOfDay) * millisOfDay -
      Math.floor(Number(start) / millisOfDay) * millisOfDay) /
      millisOfDay,
  );
}

function localDate({ nanos }: Timestamp, zone: string): Date {
  const millis = Number((nanos - (((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n);
  return new Date(millis + offsetOf(zone, millis));
}

/** Of `UTC`, `+05:30`, `-8:00` or a name such as `Europe/Rome`, in milliseconds. */
function offsetOf(zone: string, millis: number): number {
  if (zone === "UTC") return 0;
  const fixed = /^(?<sign>[+-]?)(?<hours>\d{1,2}):(?<minutes>\d{2})$/.exec(zone)?.groups;
  if (fixed) {
    const minutes = Number(fixed["hours"]) * 60 + Number(fixed["minutes"]);
    return minutes * 60_000 * (fixed["sign"] === "-" ? -1 : 1);
  }
  const text =
    clockOf(zone)
      .formatToParts(millis)
      .find(({ type }) => type === "timeZoneName")?.value ?? "";
  const named = /^GMT(?:(?<sign>[+-])(?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2}))?)?$/.exec(
    text,
  )?.groups;
  const seconds =
    Number(named?.["hours"] ?? 0) * 3_600 +
    Number(named?.["minutes"] ?? 0) * 60 +
    Number(named?.["seconds"] ?? 0);
  return seconds * 1_000 * (named?.["sign"] === "-" ? -1 : 1);
}

const maxClocks = 100;
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  if (clocks.size >= maxClocks) clocks.clear();
  try {
    const clock = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    clocks.set(zone, clock);
    return clock;
  } catch {
    throw new CelError(`There is no time zone ${JSON.stringify(zone.slice(0, 50))}`);
  }
}
