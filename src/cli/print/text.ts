/** Pure. Makes text from servers safe for a terminal, and measures its width there. */

// eslint-disable-next-line no-control-regex -- what is looked for are control characters
const control = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g;

/** One line without control characters, so that text of a server cannot move the cursor or change colours. */
export const oneLine = (text: string): string => text.replace(control, " ").trim();

/** As `oneLine`, for each of its lines. */
export const safeLines = (text: string): string[] =>
  text
    .replace(/\s+$/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.replaceAll("\t", "  ").replace(control, ""));

// eslint-disable-next-line no-control-regex -- what is looked for are control characters
const controlInText = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u2028\u2029]+/g;

/** A piece of a longer text: its line ends stay. */
export const safeText = (text: string): string => text.replace(controlInText, " ");

// eslint-disable-next-line no-control-regex -- the escape sequences of colours
const colorCodes = /\u001B\[[0-9;]*m/g;
const wide = /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]/u;
const wideOrEmoji = (char: string): boolean => wide.test(char) || /\p{Extended_Pictographic}/u.test(char);

/** Cells that a text takes in a terminal; colours take none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of text.replace(colorCodes, "")) {
    if (!/\p{Mark}/u.test(char)) width += char.length > 1 || wideOrEmoji(char) ? 2 : 1;
  }
  return width;
}

export const padEnd = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));

export const padStart = (text: string, width: number): string =>
  " ".repeat(Math.max(0, width - widthOf(text))) + text;

/** Cuts a text without colours to a width; a cut text ends with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let result = "";
  let used = 0;
  for (const char of text) {
    const size = widthOf(char);
    if (used + size > width - 1) break;
    result += char;
    used += size;
  }
  return width > 0 ? `${result}…` : "";
}

/**
 * Cuts an id without colours to a width. The beginning of an id says what it is, its end tells it from others, so the
 * ellipsis stands in the middle.
 */
export function cutMiddle(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 2) return cut(text, width);
  const head = cut(text, Math.ceil((width + 1) / 2));
  const chars = Array.from(text);
  let tail = "";
  for (let char = chars.pop(); char !== undefined; char = chars.pop()) {
    if (widthOf(head) + widthOf(char + tail) > width) break;
    tail = char + tail;
  }
  return head + tail;
}

/** `0.42 s`, `12.3 s`, `3 min 05 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 99.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
