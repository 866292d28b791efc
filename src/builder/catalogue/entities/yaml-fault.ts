/**
 * Pure: finds the likely position of an error in a YAML text. The parser reports where it could not continue,
 * which for a missing quote, bracket or colon is a later line or the end of the file.
 */

export interface TextPlace {
  /** Both from 0. */
  line: number;
  column: number;
}

/** Longer texts are not searched: each line that is tried costs a parse of everything before it. */
const maxLines = 2_000;
const maxTries = 100;

/**
 * The line after the longest valid prefix of the text, unless it is the line of `fault`. An unclosed token
 * begins there, because every longer prefix leaves it open too.
 */
export function placeOfFault(
  text: string,
  fault: TextPlace,
  isSound: (beginning: string) => boolean,
): TextPlace {
  const lines = text.split("\n");
  if (lines.length > maxLines) return fault;
  let line = Math.min(fault.line, lines.length - 1);
  for (let tries = 0; line > 0; line -= 1, tries += 1) {
    if (tries >= maxTries) return fault;
    const last = lines[line] ?? "";
    // An empty line or a comment opens nothing.
    if (/^\s*(?:#|$)/.test(last)) continue;
    if (isSound(`${lines.slice(0, line).join("\n")}\n`)) break;
  }
  return line === fault.line ? fault : { line, column: columnOf(lines[line] ?? "") };
}

/** Column of the quote or bracket that the line does not close, else of its first character. */
function columnOf(line: string): number {
  const open: number[] = [];
  let quote = -1;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? "";
    if (quote !== -1) {
      if (character === "\\" && line[quote] === '"') at += 1;
      else if (character === line[quote]) quote = -1;
    } else if ((character === '"' || character === "'") && /(?:^|[\s,[{:-])$/.test(line.slice(0, at))) {
      quote = at;
    } else if (character === "[" || character === "{") {
      open.push(at);
    } else if (character === "]" || character === "}") {
      open.pop();
    } else if (character === "#" && /(?:^|\s)$/.test(line.slice(0, at))) {
      break;
    }
  }
  if (quote !== -1) return quote;
  return open[0] ?? line.length - line.trimStart().length;
}
