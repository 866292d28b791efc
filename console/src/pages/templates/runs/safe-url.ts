/** Pure: an address of a template's output, where a browser may follow it; anything else is shown as text. */
export const safeUrl = (value: unknown): string | null => {
  if (typeof value !== "string") return null;
  const url = URL.parse(value);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
};
