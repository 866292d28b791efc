import fc from "fast-check";
import { expect, it } from "vitest";
import { readInstant } from "./instant.ts";

it.each([
  ["2026-11-21T08:00:00Z", "2026-11-21T08:00:00.000Z"],
  ["2026-11-21t08:00:00.5z", "2026-11-21T08:00:00.500Z"],
  ["2026-11-21 08:00:00.123456Z", "2026-11-21T08:00:00.123Z"],
  ["2026-11-21T10:30:00.1+02:30", "2026-11-21T08:00:00.100Z"],
  ["2026-11-20T22:00:00-1000", "2026-11-21T08:00:00.000Z"],
  ["2026-11-21T09:00:00+01", "2026-11-21T08:00:00.000Z"],
  ["2026-12-31T23:59:60Z", "2027-01-01T00:00:00.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
])("reads %s", (text, iso) => {
  expect(readInstant(text)?.toISOString()).toBe(iso);
});

it("rounds what is finer than a millisecond to the side that is asked for", () => {
  expect(readInstant("2026-11-21T08:00:00.123001Z", "later")?.toISOString()).toBe("2026-11-21T08:00:00.124Z");
  expect(readInstant("2026-11-21T08:00:00.123000Z", "later")?.toISOString()).toBe("2026-11-21T08:00:00.123Z");
  expect(readInstant("2026-11-21T08:00:00.999999Z", "later")?.toISOString()).toBe("2026-11-21T08:00:01.000Z");
});

it.each(["", "yesterday", "2026-11-21", "2026-11-21T08:00:00", "20261121T080000Z", "1764000000"])(
  "does not read %j",
  (text) => expect(readInstant(text)).toBeUndefined(),
);

it("reads what the platform writes", () => {
  const range = { min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z") };
  fc.assert(
    fc.property(fc.date({ ...range, noInvalidDate: true }), (date) => {
      expect(readInstant(date.toISOString())).toEqual(date);
    }),
  );
});
