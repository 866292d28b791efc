/** Pure: times in queries. */
const form = /^(\d{4})-(\d\d)-(\d\d)[Tt\s](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d)?)$/;

/**
 * Parses a `date-time` with the millisecond precision of stored times. An instant between two milliseconds is
 * rounded to the earlier one, or to the `later` one, so that "before" and "after" stay exact. Undefined for
 * any other text.
 */
export function readInstant(text: string, finer: "earlier" | "later" = "earlier"): Date | undefined {
  const parts = form.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as Six;
  const fraction = parts[7] ?? "";
  const between = finer === "later" && /[1-9]/.test(fraction.slice(3)) ? 1 : 0;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0")) + between;
  const offset = (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0)) * (parts[8] === "-" ? -1 : 1);
  const instant = new Date(0);
  instant.setUTCFullYear(year, month - 1, day);
  instant.setUTCHours(hour, minute - offset, second, milliseconds);
  return instant;
}

type Six = [number, number, number, number, number, number];
