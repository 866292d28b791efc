/** What the console's forms say of a date or a time is what the server says, which checks the values again. */
import { describe, expect, it } from "vitest";
import { formatExample, formatFault } from "../../console/src/pages/templates/form/formats.ts";
import { checkValues } from "../../src/builder/templates/check-values.ts";

const takenByServer = (format: string, value: string): boolean => {
  const schemas = [{ type: "object", properties: { at: { type: "string", format } } }];
  const job = { key: `formats ${format}`, schemas, values: { at: value }, secrets: {}, overrides: {} };
  return checkValues(job).problems.length === 0;
};

const times = ["09:30", "9:30:00Z", "09:30:00", "09:30:00Z", "09:30:00z", "09:30:00+02:00", "09:30:00-0530"];
const moreTimes = ["09:30:00+02", "09:30:00.250Z", "24:00:00Z", "09:60:00Z", "09:30:00+24:00", "noon", ""];
const dates = ["2026-01-31", "2026-1-31", "31.01.2026"];

describe.each([
  ["time", [...times, ...moreTimes]],
  ["date", dates],
  [
    "date-time",
    times.flatMap((time) => dates.flatMap((date) => [`${date}T${time}`, `${date} ${time}`, date])),
  ],
] as const)("a field of format %s", (format, values) => {
  it.each(values)("with %j", (value) => {
    expect(formatFault(format, value) === null).toBe(takenByServer(format, value));
  });

  it("shows an example that is taken", () => {
    const example = formatExample(format);
    expect(example).toBeDefined();
    expect(takenByServer(format, example!)).toBe(true);
    expect(formatFault(format, example!)).toBeNull();
  });
});
