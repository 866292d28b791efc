/** Pure: formats of texts in JSON schemas that people fill in. Others are left to the server. */

const patterns: Record<string, readonly [RegExp, string]> = {
  email: [/^[^\s@]+@[^\s@]+$/, "an e-mail address"],
  date: [/^\d{4}-\d\d-\d\d$/, "a date: 2026-01-31"],
  "date-time": [/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/, "a date and a time"],
  time: [/^\d\d:\d\d/, "a time: 09:30"],
  uuid: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, "a UUID"],
  ipv4: [/^\d{1,3}(?:\.\d{1,3}){3}$/, "an IPv4 address"],
};

export const formatFault = (format: string, value: string): string | null => {
  if (format === "uri" || format === "url")
    return URL.canParse(value) ? null : "It must be an address: https://…";
  const [pattern, words] = patterns[format] ?? [];
  return pattern === undefined || pattern.test(value) ? null : `It must be ${words}.`;
};
