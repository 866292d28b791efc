const minuteLength = "2026-11-26T10:30".length;

/** Of an ISO time, as a field of the type `datetime-local` has it; empty where it is none. */
export const localMinute = (iso: string): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, minuteLength);
};

const firstYear = 1000;

/** Of such a field's text; null where it is no time, or where its year is still being typed: 2026 begins as 0002. */
export const isoOf = (text: string): string | null => {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) || at.getFullYear() < firstYear ? null : at.toISOString();
};
