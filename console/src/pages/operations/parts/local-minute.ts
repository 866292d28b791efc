const minuteLength = "2026-11-26T10:30".length;

/** Of an ISO time, as a field of the type `datetime-local` has it; empty where it is none. */
export const localMinute = (iso: string): string => {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, minuteLength);
};
