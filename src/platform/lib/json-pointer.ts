/** A key as a part of a JSON pointer (RFC 6901), and back. */
export const escapeKey = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

export const unescapeKey = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~");
