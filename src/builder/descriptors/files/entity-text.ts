import type { Problem } from "../../../platform/errors/failure.ts";

export interface EntityText {
  text: string;
  /** Whether the first line was `%SKELETON`, which has been removed. */
  skeleton: boolean;
  linesCut: number;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const marker = /^%SKELETON[ \t]*(?:\r\n|\n|\r|$)/;
/** Enough for the marker, a byte order mark and trailing blanks. */
const longestMarkerLine = 1_024;

/**
 * Whether the first line is `%SKELETON`: such a file is a template that is rendered when its entity is
 * resolved.
 */
export const isSkeletonFile = (bytes: Uint8Array): boolean =>
  marker.test(new TextDecoder().decode(bytes.subarray(0, longestMarkerLine)));

/** Decodes an entity file: UTF-8 with or without a BOM, any line ending, the `%SKELETON` line removed. */
export const readEntityText = (bytes: Uint8Array, file: string): EntityText | Problem => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { where: file, message: "The file is not UTF-8 text.", solution: "Save it as UTF-8." };
  }
  const found = marker.exec(text);
  if (found === null) return { text, skeleton: false, linesCut: 0 };
  return { text: text.slice(found[0].length), skeleton: true, linesCut: 1 };
};

/**
 * Whether a text contains anything for the template engine; rendering any other text returns it unchanged.
 */
export const hasTemplateMarks = (text: string): boolean => /\$\{\{|\{%|\{#/.test(text);
