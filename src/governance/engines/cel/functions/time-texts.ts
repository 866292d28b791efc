/** Texts of timestamps (RFC 3339) and durations (`1h30m`, `1.5s`). */
import { CelError, type Duration, durationOf, type Timestamp, timestampOf } from "../values.ts";

const nanosOfSecond = 1_000_000_000n;

const form =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt](?<time>\d{2}:\d{2}:\d{2})(?:\.(?<fraction>\d{1,9}))?(?<zone>[Zz]|[+-]\d{2}:\d{2})$/;

export function parseTimestamp(text: string): Timestamp {
  const { date, time, fraction = "", zone } = form.exec(text)?.groups ?? {};
  const millis = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone!.toUpperCase()}`);
  if (Number.isNaN(millis))
    throw new CelError(
      `${JSON.stringify(text.slice(0, 50))} is not a timestamp such as 2026-01-31T12:00:00Z`,
    );
  return timestampOf(BigInt(millis) * 1_000_000n + BigInt(fraction.padEnd(9, "0")));
}

export function timestampText({ nanos }: Timestamp): string {
  const fraction = ((nanos % nanosOfSecond) + nanosOfSecond) % nanosOfSecond;
  const seconds = (nanos - fraction) / nanosOfSecond;
  const text = new Date(Number(seconds) * 1_000).toISOString().slice(0, -".000Z".length);
  return `${text}${fractionText(fraction)}Z`;
}

const fractionText = (nanos: bigint): string =>
  nanos === 0n ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;

const units: Readonly<Record<string, bigint>> = {
  h: 3_600n * nanosOfSecond,
  m: 60n * nanosOfSecond,
  s: nanosOfSecond,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};

export function parseDuration(text: string): Duration {
  const [, sign, parts] =
    /^([+-]?)((?:\d{1,18}(?:\.\d{0,18})?(?:h|ms|us|µs|ns|m|s)|\.\d{1,18}(?:h|ms|us|µs|ns|m|s))+|0)$/.exec(
      text,
    ) ?? [];
  if (parts === undefined || text.length > 100)
    throw new CelError(`${JSON.stringify(text.slice(0, 50))} is not a duration such as 1h30m or 1.5s`);
  let nanos = 0n;
  for (const [, whole, fraction = "", unit] of parts.matchAll(/(\d*)(?:\.(\d*))?(h|ms|us|µs|ns|m|s)/g)) {
    const size = units[unit!]!;
    nanos += BigInt(whole === "" ? "0" : whole!) * size;
    nanos += (BigInt(fraction === "" ? "0" : fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return durationOf(sign === "-" ? -nanos : nanos);
}

export function durationText({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  return `${nanos < 0n ? "-" : ""}${size / nanosOfSecond}${fractionText(size % nanosOfSecond)}s`;
}
