/** Pure: formats of texts in JSON schemas that people fill in. Others are left to the server. */

interface Format {
  pattern: RegExp;
  words: string;
  /** Shown in an empty field, where nobody would guess the form. */
  example?: string;
}

// With seconds and a zone, as JSON Schema asks for.
const timePattern = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)`;

const formats: Record<string, Format> = {
  email: { pattern: /^[^\s@]+@[^\s@]+$/, words: "an e-mail address" },
  date: { pattern: /^\d{4}-\d\d-\d\d$/, words: "a date: 2026-01-31", example: "2026-01-31" },
  "date-time": {
    pattern: new RegExp(String.raw`^\d{4}-\d\d-\d\d[T\s]${timePattern}$`, "i"),
    words: "a date and a time with seconds and zone: 2026-01-31T09:30:00+01:00, or …Z for UTC",
    example: "2026-01-31T09:30:00+01:00",
  },
  time: {
    pattern: new RegExp(`^${timePattern}$`, "i"),
    words: "a time with seconds and zone: 09:30:00+01:00, or 09:30:00Z for UTC",
    example: "09:30:00+01:00",
  },
  uuid: { pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, words: "a UUID" },
  ipv4: { pattern: /^\d{1,3}(?:\.\d{1,3}){3}$/, words: "an IPv4 address" },
};

export const formatFault = (format: string, value: string): string | null => {
  if (format === "uri" || format === "url")
    return URL.canParse(value) ? null : "It must be an address: https://…";
  const known = formats[format];
  return known === undefined || known.pattern.test(value) ? null : `It must be ${known.words}.`;
};

export const formatExample = (format: string): string | undefined => formats[format]?.example;
